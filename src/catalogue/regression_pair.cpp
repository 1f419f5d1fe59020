// Least squares on validation rows over the minimisers of least squares on training rows, with the weights in a
// box, an l1 ball or a simplex; synthetic page views as data.
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/page_views.hpp"

namespace fcbio::catalogue {
namespace {

io::SetData domain_named(const std::string& name, Index n) {
  if (name == "box")  // each weight in [0, 15/n]: a few times the even share
    return box_set(Vector::Zero(n), Vector::Constant(n, 15.0 / static_cast<double>(n)));
  io::SetData set;
  set.kind = name;
  set.dimension = n;
  if (name == "l1-ball") {
    set.radius = 1.0;
    set.center = Vector::Zero(n);
  }
  return set;  // the simplex of total 1
}

Instance regression_pair(const Parameters& options, Random& random) {
  const PageViewRegression views =
      page_view_regression(options.training + options.validation, options.columns, random);
  const auto level = [&](Index first, Index count) {
    return data_term("least-squares", {RowMajorMatrix(views.data.middleRows(first, count))},
                     views.target.segment(first, count), false);
  };
  Instance instance;
  instance.data = assemble(domain_named(options.set, options.columns), level(options.training, options.validation),
                           level(0, options.training), Accuracy{1e-4, 1e-4});
  instance.data.start = Vector::Constant(options.columns, 1.0 / static_cast<double>(options.columns));
  return instance;
}

}  // namespace

std::vector<Entry> regression_entries() {
  return {
      seeded_entry({"regression-pair",
                    "least squares on validation rows over that on training rows, on a box, l1 ball or simplex",
                    "no closed form: the certificate is the answer"},
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
