#include "io/data_standardize.hpp"

#include <cmath>

namespace fcbio::io {

data::Standardization standardization_of(const data::Matrix& data, bool centre) {
  const Index n = data.cols();
  const auto m = static_cast<double>(data.rows());
  const auto each = [&data](const auto& visit) {
    data.read([&]<class View>(const View& view) {
      for (Index i = 0; i < view.rows; ++i) {
        if constexpr (std::is_same_v<View, CsrView>) {
          for (auto k = static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i)]);
               k < static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i) + 1]); ++k)
            visit(view.columns[k], view.values[k]);
        } else {
          for (Index j = 0; j < view.cols; ++j) visit(j, view(i, j));
        }
      }
    });
  };
  Vector sums = Vector::Zero(n), squares = Vector::Zero(n), entries = Vector::Zero(n);
  each([&](Index j, double value) { sums[j] += value; });
  const Vector means = sums / m;
  each([&](Index j, double value) {
    squares[j] += (value - means[j]) * (value - means[j]);
    entries[j] += 1.0;
  });
  data::Standardization how{centre ? means : Vector(Vector::Zero(n)), Vector(n)};
  for (Index j = 0; j < n; ++j) {  // what is not stored is 0
    const double spread = std::sqrt((squares[j] + (m - entries[j]) * means[j] * means[j]) / m);
    how.scales[j] = spread > 1e-12 * std::abs(means[j]) && std::isfinite(spread) ? spread : 1.0;
  }
  return how;
}

void standardize(data::Matrix& data, const data::Standardization& how) {
  if (data.is_sparse() && how.means.isZero(0.0)) {
    if (!data.is_owned()) data = data.owned();
    auto& sparse = std::get<CsrMatrix>(data.matrix);
    for (std::size_t k = 0; k < sparse.values.size(); ++k) sparse.values[k] /= how.scales[sparse.columns[k]];
    return;
  }
  RowMajorMatrix dense = RowMajorMatrix::Zero(data.rows(), data.cols());
  data.read([&]<class View>(const View& view) {
    for (Index i = 0; i < view.rows; ++i) {
      if constexpr (std::is_same_v<View, CsrView>) {
        for (auto k = static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i) + 1]); ++k)
          dense(i, view.columns[k]) = view.values[k];
      } else {
        for (Index j = 0; j < view.cols; ++j) dense(i, j) = view(i, j);
      }
    }
  });
  dense.rowwise() -= how.means.transpose();
  dense.array().rowwise() /= how.scales.transpose().array();
  data = {std::move(dense)};
}

}  // namespace fcbio::io
