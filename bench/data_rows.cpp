#include "data_rows.hpp"

#include <stdexcept>

#include "catalogue/builders.hpp"
#include "io/data_file.hpp"

namespace fcbio::bench {

Rows read_rows(const BenchContext& context, const std::string& name) {
  io::DataFile file = io::read_data_file(context.data_folder / name);
  auto* matrix = std::get_if<CsrMatrix>(&file.matrix.matrix);
  if (matrix == nullptr) throw std::runtime_error(name + ": expected LIBSVM text");
  return {std::move(*matrix), std::move(file.labels)};
}

Rows select(const Rows& all, const std::vector<Index>& order, Index first, Index count) {
  Rows part;
  part.matrix.rows = count;
  part.matrix.cols = all.matrix.cols;
  part.matrix.starts.push_back(0);
  part.labels.resize(count);
  for (Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(order.at(static_cast<std::size_t>(first + i)));
    for (auto k = static_cast<std::size_t>(all.matrix.starts[row]);
         k < static_cast<std::size_t>(all.matrix.starts[row + 1]); ++k) {
      part.matrix.columns.push_back(all.matrix.columns[k]);
      part.matrix.values.push_back(all.matrix.values[k]);
    }
    part.matrix.starts.push_back(static_cast<std::int64_t>(part.matrix.values.size()));
    part.labels[i] = all.labels[static_cast<Index>(row)];
  }
  return part;
}

Rows widened(Rows rows, Index columns) {
  if (columns < rows.matrix.cols) throw std::runtime_error("a file has more columns than it is known to have");
  rows.matrix.cols = columns;
  return rows;
}

void make_signs(Vector& labels) {
  const double largest = labels.maxCoeff();
  for (double& label : labels) label = label == largest ? 1.0 : -1.0;
}

data::Term mean_loss(const std::string& loss, Rows rows) {
  return catalogue::data_term(loss, {std::move(rows.matrix)}, std::move(rows.labels), true);
}

}  // namespace fcbio::bench
