// What the constructors of losses and simple terms refuse, with the words a user reads.
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/error.hpp"
#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Maker = std::function<void(Vector)>;

const std::vector<std::pair<std::string, Maker>> kWithTargets{
    {"least-squares", [](Vector b) { least_squares_loss(std::move(b)); }},
    {"huber", [](Vector b) { huber_loss(std::move(b), 1.0); }},
    {"absolute", [](Vector b) { absolute_loss(std::move(b)); }},
    {"quantile", [](Vector b) { quantile_loss(std::move(b), 0.5); }},
    {"max-affine", [](Vector b) { max_affine_loss(std::move(b)); }},
    {"log-sum-exp", [](Vector b) { log_sum_exp_loss(std::move(b)); }},
    {"squared-norm", [](Vector b) { squared_norm_term(std::move(b)); }},
    {"l1-norm", [](Vector b) { l1_norm_term(std::move(b)); }},
    {"linear", [](Vector b) { linear_term(std::move(b)); }},
};
const std::vector<std::pair<std::string, Maker>> kWithLabels{
    {"logistic", [](Vector b) { logistic_loss(std::move(b)); }},
    {"squared-hinge", [](Vector b) { squared_hinge_loss(std::move(b)); }},
    {"hinge", [](Vector b) { hinge_loss(std::move(b)); }},
};

TEST(Refusal, NumbersThatAreNotFinite) {
  for (const auto& [name, make] : kWithTargets) {
    for (const double bad : {static_cast<double>(NAN), kInfinity, -kInfinity}) {
      Vector b = Vector::Zero(4);
      b[2] = bad;
      EXPECT_THAT(refusal([&, &maker = make] { maker(b); }),
                  AllOf(StartsWith(name + ": expected finite "), HasSubstr("at entry 2"), HasSubstr("repair")));
    }
    EXPECT_THAT(refusal([&maker = make] { maker(Vector()); }),
                AllOf(StartsWith(name + ": expected at least one"), HasSubstr("found none")));
    EXPECT_EQ(refusal([&maker = make] { maker(Vector::Ones(3)); }), "accepted");
  }
}

TEST(Refusal, LabelsOtherThanPlusAndMinusOne) {
  for (const auto& [name, make] : kWithLabels) {
    for (const auto& [bad, text] : {std::pair{0.0, "0"}, {2.0, "2"}, {static_cast<double>(NAN), "nan"}}) {
      Vector labels = Vector::Ones(3);
      labels[1] = bad;
      EXPECT_THAT(refusal([&labels, &maker = make] { maker(labels); }),
                  AllOf(StartsWith(name + ": expected labels -1 and +1, found " + text + " at entry 1"),
                        HasSubstr("map the two classes")));
    }
    EXPECT_THAT(refusal([&maker = make] { maker(Vector()); }), HasSubstr("found none"));
    EXPECT_EQ(refusal([&maker = make] { maker(-Vector::Ones(3)); }), "accepted");
  }
}

TEST(Refusal, ParametersOutOfRange) {
  for (const double delta : {0.0, -1.0, static_cast<double>(NAN), kInfinity}) {
    EXPECT_THAT(refusal([&] { huber_loss(Vector::Ones(1), delta); }), StartsWith("huber: expected delta > 0"));
  }
  for (const double tau : {0.0, 1.0, -0.5, static_cast<double>(NAN)}) {
    EXPECT_THAT(refusal([&] { quantile_loss(Vector::Ones(1), tau); }),
                StartsWith("quantile: expected tau strictly between 0 and 1"));
  }
}

TEST(Refusal, DataAndTargetsOfDifferentLength) {
  EXPECT_THAT(refusal([] { loss_term(identity_map(3), logistic_loss(Vector::Ones(4))); }),
              AllOf(StartsWith("logistic: expected one target per row of the data: 3"),
                    HasSubstr("found 4 targets"), HasSubstr("same length")));
  EXPECT_THAT(refusal([] { loss_term(nullptr, logistic_loss(Vector::Ones(4))); }), HasSubstr("null pointer"));
  EXPECT_THAT(refusal([] { loss_term(identity_map(3), nullptr); }), HasSubstr("null pointer"));
}

}  // namespace
}  // namespace fcbio::test
