#include "regret_problems.hpp"

#include <numeric>

#include "catalogue/builders.hpp"
#include "catalogue/catalogue.hpp"
#include "data_rows.hpp"

namespace fcbio::bench {
namespace {

const std::vector<Accuracy> kThree{{1e-3, 1e-3}, {1e-6, 1e-6}, {1e-9, 1e-9}};
const std::vector<Accuracy> kTwo{{1e-3, 1e-3}, {1e-6, 1e-6}};

/// One problem on a file: `upper` over the mean `lower` loss on a set.
struct DataProblem {
  const char* file;
  const char* upper;  // squared-norm, l1-norm, or `pair`: the same loss on the other half of the rows
  const char* lower;
  const char* set;  // ball, box, l1-ball or nonnegative-ball
  double size;
};

constexpr DataProblem kDataProblems[] = {
    {"a5a.xz", "squared-norm", "logistic", "ball", 100},
    {"a9a.xz", "squared-norm", "logistic", "ball", 100},
    {"mushrooms.xz", "squared-norm", "logistic", "ball", 100},
    {"phishing.xz", "squared-norm", "logistic", "ball", 100},
    {"ijcnn1.xz", "squared-norm", "logistic", "ball", 100},
    {"heart_scale.xz", "squared-norm", "logistic", "ball", 100},
    {"diabetes_scale.xz", "squared-norm", "logistic", "ball", 100},
    {"colon-cancer.svm.xz", "squared-norm", "logistic", "ball", 1},
    {"rcv1sub_binary.svm.xz", "squared-norm", "squared-hinge", "ball", 100},
    {"a5a.xz", "pair", "logistic", "ball", 100},
    {"ijcnn1.xz", "pair", "logistic", "ball", 100},
    {"diabetes_scale.xz", "pair", "logistic", "box", 10},
    {"a5a.xz", "squared-norm", "squared-hinge", "box", 1},
    {"mushrooms.xz", "squared-norm", "squared-hinge", "box", 1},
    {"phishing.xz", "squared-norm", "squared-hinge", "nonnegative-ball", 10},
    {"colon-cancer.svm.xz", "squared-norm", "squared-hinge", "box", 0.1},
    {"a5a.xz", "l1-norm", "logistic", "ball", 10},
    {"heart_scale.xz", "l1-norm", "logistic", "ball", 10},
    {"diabetes_scale.xz", "l1-norm", "logistic", "box", 10},
    {"colon-cancer.svm.xz", "l1-norm", "logistic", "ball", 1},
    {"heart_scale.xz", "squared-norm", "hinge", "ball", 10},
    {"diabetes_scale.xz", "squared-norm", "hinge", "ball", 10},
    {"phishing.xz", "squared-norm", "least-squares", "l1-ball", 2},
    {"mushrooms.xz", "pair", "least-squares", "box", 1},
    {"housing_scale.xz", "squared-norm", "least-squares", "box", 20},
    {"abalone_scale.xz", "squared-norm", "least-squares", "ball", 30},
    {"housing_scale.xz", "l1-norm", "least-squares", "ball", 50},
    {"abalone_scale.xz", "squared-norm", "absolute", "ball", 30},
    {"housing_scale.xz", "l1-norm", "absolute", "box", 20},
    {"abalone_scale.xz", "pair", "least-squares", "nonnegative-ball", 30},
};

data::Set set_of(const DataProblem& one, Index n) {
  const std::string kind = one.set;
  if (kind == "box") return catalogue::box_set(Vector::Constant(n, -one.size), Vector::Constant(n, one.size));
  if (kind == "l1-ball") return catalogue::l1_ball_set(n, one.size);
  if (kind == "nonnegative-ball") return {data::NonnegativeBall{one.size}, n};
  return catalogue::ball_set(n, one.size);
}

data::Problem on_data(const DataProblem& one, const BenchContext& context) {
  Rows rows = read_rows(context, one.file);
  const std::string upper = one.upper, lower = one.lower;
  if (lower != "least-squares" && lower != "absolute") make_signs(rows.labels);
  const Index n = rows.matrix.cols, half = rows.matrix.rows / 2;
  data::Term above = upper == "l1-norm" ? catalogue::l1_norm_term_data(Vector::Zero(n))
                                        : catalogue::squared_norm_term_data(Vector::Zero(n));
  if (upper == "pair") {
    const std::vector<Index> order = catalogue::Random(1).permutation(rows.matrix.rows);
    above = mean_loss(lower, select(rows, order, half, rows.matrix.rows - half));
    rows = select(rows, order, 0, half);
  }
  return catalogue::assemble(set_of(one, n), std::move(above), mean_loss(lower, std::move(rows)), Accuracy{});
}

std::string name_of(const DataProblem& one) {
  std::string name = one.file;
  name = name.substr(0, name.find('.'));
  return name + " " + one.upper + "/" + one.lower + "/" + one.set;
}

}  // namespace

std::vector<RegretProblem> regret_problems() {
  std::vector<RegretProblem> all;
  for (const catalogue::Entry& entry : catalogue::entries())
    all.push_back({"catalogue", entry.name, "", [&entry](const BenchContext&) {
                     return AskedProblem{entry.make({}, 1).data, kThree};
                   }});
  for (const ProblemEntry& entry : problem_entries())
    all.push_back({"bench", entry.name, entry.file, [entry](const BenchContext& context) {
                     BenchProblem made = entry.make(context);
                     AskedProblem asked{std::move(made.data), {}};
                     for (const AccuracyCase& one : made.cases) asked.accuracies.push_back(one.accuracy);
                     return asked;
                   }});
  for (const DataProblem& one : kDataProblems)
    all.push_back({"data", name_of(one), one.file, [&one](const BenchContext& context) {
                     return AskedProblem{on_data(one, context), kTwo};
                   }});
  return all;
}

}  // namespace fcbio::bench
