#include "io/problem_select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

namespace fcbio::io {
namespace {

// Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014); public-domain constants.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// Unbiased in 0 .. bound-1: the first 2^64 mod bound words are thrown away.
  std::uint64_t uniform(std::uint64_t bound) {
    const std::uint64_t rejected = (0 - bound) % bound;
    std::uint64_t word = next();
    while (word < rejected) word = next();
    return word % bound;
  }

 private:
  std::uint64_t state_;
};

std::optional<Index> parse_index(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

data::Matrix select_from(const DenseView& dense, const std::vector<Index>& rows) {
  RowMajorMatrix selected(static_cast<Index>(rows.size()), dense.cols);
  for (Index i = 0; i < selected.rows(); ++i)
    for (Index j = 0; j < dense.cols; ++j) selected(i, j) = dense(rows[static_cast<std::size_t>(i)], j);
  return {std::move(selected)};
}

data::Matrix select_from(const CsrView& sparse, const std::vector<Index>& rows) {
  CsrMatrix selected;
  selected.rows = static_cast<Index>(rows.size());
  selected.cols = sparse.cols;
  selected.starts.reserve(rows.size() + 1);
  selected.starts.push_back(0);
  for (const Index row : rows) {
    const auto at = static_cast<std::size_t>(row);
    selected.starts.push_back(selected.starts.back() + sparse.starts[at + 1] - sparse.starts[at]);
  }
  selected.columns.reserve(static_cast<std::size_t>(selected.starts.back()));
  selected.values.reserve(static_cast<std::size_t>(selected.starts.back()));
  for (const Index row : rows) {
    const auto begin = sparse.starts[static_cast<std::size_t>(row)];
    const auto end = sparse.starts[static_cast<std::size_t>(row) + 1];
    selected.columns.insert(selected.columns.end(), sparse.columns.begin() + begin, sparse.columns.begin() + end);
    selected.values.insert(selected.values.end(), sparse.values.begin() + begin, sparse.values.begin() + end);
  }
  return {std::move(selected)};
}

data::Matrix with_column(const DenseView& dense, double entry) {
  RowMajorMatrix wider(dense.rows, dense.cols + 1);
  for (Index i = 0; i < dense.rows; ++i)
    for (Index j = 0; j < dense.cols; ++j) wider(i, j) = dense(i, j);
  wider.col(dense.cols).setConstant(entry);
  return {std::move(wider)};
}

data::Matrix with_column(const CsrView& sparse, double entry) {
  const auto last_column = static_cast<std::int32_t>(sparse.cols);
  const auto rows = static_cast<std::size_t>(sparse.rows);
  CsrMatrix wider{sparse.rows, sparse.cols + 1, {sparse.starts.begin(), sparse.starts.end()}, {}, {}};
  wider.columns.reserve(sparse.columns.size() + rows);
  wider.values.reserve(sparse.values.size() + rows);
  for (std::size_t row = 0; row < rows; ++row) {
    wider.columns.insert(wider.columns.end(), sparse.columns.begin() + sparse.starts[row],
                         sparse.columns.begin() + sparse.starts[row + 1]);
    wider.values.insert(wider.values.end(), sparse.values.begin() + sparse.starts[row],
                        sparse.values.begin() + sparse.starts[row + 1]);
    wider.columns.push_back(last_column);
    wider.values.push_back(entry);
  }
  for (std::size_t row = 0; row <= rows; ++row) wider.starts[row] += static_cast<std::int64_t>(row);
  return {std::move(wider)};
}

}  // namespace

std::vector<Index> shuffled_order(Index count, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  SplitMix64 random(seed);
  for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.uniform(i + 1)]);
  return order;
}

RowRange parse_row_range(std::string_view text, Index count) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) throw std::invalid_argument(fmt::format("\"{}\"", text));
  const std::string_view first = text.substr(0, colon);
  const std::string_view second = text.substr(colon + 1);
  const std::optional<Index> begin = first.empty() ? Index{0} : parse_index(first);
  const std::optional<Index> end = second.empty() ? count : parse_index(second);
  if (!begin || !end) throw std::invalid_argument(fmt::format("\"{}\"", text));
  if (*end > count) throw std::invalid_argument(fmt::format("\"{}\" of {} rows", text, count));
  if (*begin >= *end)
    throw std::invalid_argument(fmt::format("\"{}\", which selects none of the {} rows", text, count));
  return {*begin, *end};
}

data::Matrix select_rows(const data::Matrix& data, const std::vector<Index>& rows) {
  return data.read([&rows](const auto& view) { return select_from(view, rows); });
}

Vector select_entries(const Vector& vector, const std::vector<Index>& entries) {
  Vector selected(static_cast<Index>(entries.size()));
  for (Index i = 0; i < selected.size(); ++i) selected[i] = vector[entries[static_cast<std::size_t>(i)]];
  return selected;
}

Vector take_column(RowMajorMatrix& matrix, Index column) {
  Vector taken = matrix.col(column);
  RowMajorMatrix rest(matrix.rows(), matrix.cols() - 1);
  rest.leftCols(column) = matrix.leftCols(column);
  rest.rightCols(rest.cols() - column) = matrix.rightCols(rest.cols() - column);
  matrix = std::move(rest);
  return taken;
}

void pad_columns(data::Matrix& data, Index cols) {
  if (auto* sparse = std::get_if<CsrMatrix>(&data.matrix)) sparse->cols = std::max(sparse->cols, cols);
  if (auto* borrowed = std::get_if<data::BorrowedCsr>(&data.matrix))
    borrowed->view.cols = std::max(borrowed->view.cols, cols);
}

void append_column(data::Matrix& data, double entry) {
  data = data.read([entry](const auto& view) { return with_column(view, entry); });
}

std::string map_labels(Vector& labels) {
  constexpr std::size_t kTold = 5;  // how many values of a bad label set are worth showing
  std::set<double> found;
  for (const double label : labels) {
    found.insert(label);
    if (found.size() > kTold) break;
  }
  constexpr std::pair<double, double> kPairs[] = {{-1.0, 1.0}, {0.0, 1.0}, {1.0, 2.0}};
  for (const auto& pair : kPairs) {
    const bool fits = std::all_of(found.begin(), found.end(),
                                  [&](double label) { return label == pair.first || label == pair.second; });
    if (!fits || (found.size() == 1 && *found.begin() == 2.0)) continue;
    if (pair.first == -1.0) return {};
    for (double& label : labels) label = label == pair.first ? -1.0 : 1.0;
    return fmt::format("labels mapped: {} -> -1, {} -> +1", pair.first, pair.second);
  }
  std::vector<double> shown(found.begin(), found.end());
  if (shown.size() > kTold) shown.pop_back();
  throw std::invalid_argument(fmt::format("{}{}", fmt::join(shown, ", "), found.size() > kTold ? ", ..." : ""));
}

}  // namespace fcbio::io
