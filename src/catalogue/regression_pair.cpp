// Least squares on validation rows over the minimisers of least squares on training rows, with the weights in a
// box, an l1 ball or a simplex; synthetic page views as data.
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/page_views.hpp"

namespace fcbio::catalogue {
namespace {

data::Set domain_named(const std::string& name, Index n) {
  if (name == "box")  // each weight in [0, 15/n]: a few times the even share
    return box_set(Vector::Zero(n), Vector::Constant(n, 15.0 / static_cast<double>(n)));
  if (name == "l1-ball") return l1_ball_set(n, 1.0);
  return {data::Simplex{}, n};
}

/// Rows first .. first + count - 1 of the views.
data::Term level(const PageViewRegression& views, Index first, Index count) {
  return data_term("least-squares", {RowMajorMatrix(views.data.middleRows(first, count))},
                   views.target.segment(first, count), false);
}

Instance regression_pair(const Parameters& options, Random& random) {
  const PageViewRegression views =
      page_view_regression(options.training + options.validation, options.columns, random);
  Instance instance;
  instance.data =
      assemble(domain_named(options.set, options.columns), level(views, options.training, options.validation),
               level(views, 0, options.training), Accuracy{1e-4, 1e-4});
  instance.data.start = Vector::Constant(options.columns, 1.0 / static_cast<double>(options.columns));
  return instance;
}

// 60 % of the rows train, the next 20 % validate; the last 20 %, kept for tests by the experiment, are left out.
Instance regression_split(const Parameters& options, Random& random) {
  const Index training = options.rows * 6 / 10;
  const Index validation = options.rows * 8 / 10 - training;
  const PageViewRegression views = page_view_regression(options.rows, options.columns, random);
  Instance instance;
  instance.data = assemble(l1_ball_set(options.columns, options.radius), level(views, training, validation),
                           level(views, 0, training), Accuracy{1e-6, 1e-6});
  return instance;
}

}  // namespace

std::vector<Entry> regression_entries() {
  return {
      seeded_entry(
          {"regression-split",
           "least squares on 20 % of the rows over that on 60 %, fewer rows than columns, in an l1 ball",
           "no closed form: the certificate is the answer", "P3", "640 x 729"},
          Parameters{.rows = 1068, .columns = 729, .radius = 1.0},
          ParameterTable({
              {"rows", &Parameters::rows, {5, 1e6}, {}, "rows of the whole data: 60 % train, 20 % validate"},
              {"columns", &Parameters::columns, {1, 1e6}, {}, "columns: the dimension n"},
              {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the l1 ball Z"},
          }),
          regression_split),
      seeded_entry({"regression-pair",
                    "least squares on validation rows over that on training rows, on a box, l1 ball or simplex",
                    "no closed form: the certificate is the answer", "", "60 x 100"},
                   Parameters{.columns = 100, .training = 60, .validation = 30, .set = "box"},
                   ParameterTable({
                       {"set", &Parameters::set, {}, {"box", "l1-ball", "simplex"}, "where the weights live"},
                       {"training", &Parameters::training, {1, 1e6}, {}, "rows of the lower level"},
                       {"validation", &Parameters::validation, {1, 1e6}, {}, "rows of the upper level"},
                       {"columns", &Parameters::columns, {1, 1e6}, {}, "columns: the dimension n"},
                   }),
                   regression_pair)};
}

}  // namespace fcbio::catalogue
