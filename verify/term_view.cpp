// Classification and size checks of terms; products with their data.
#include "term_view.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace fcbio::verify {
namespace {

std::size_t count(Index size) { return static_cast<std::size_t>(size); }

std::pair<std::size_t, std::size_t> shape(const io::DataMatrix& data) {
  return std::visit(
      [](const auto& matrix) -> std::pair<std::size_t, std::size_t> {
        if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, CsrMatrix>) {
          return {count(matrix.rows), count(matrix.cols)};
        } else {
          return {count(matrix.rows()), count(matrix.cols())};
        }
      },
      data.matrix);
}

[[noreturn]] void refuse(const io::TermData& term, const std::string& expected, const std::string& found) {
  throw std::invalid_argument(
      fmt::format("term '{}': expected {}, found {}; the problem file and its data do not fit together",
                  term.function, expected, found));
}

}  // namespace

TermView::TermView(const io::TermData& term, std::size_t dimension) : term_(&term), dimension_(dimension) {
  const std::string& name = term.function;
  if (name == "linear") {
    form_ = Form::linear;
  } else if (name == "quadratic") {
    form_ = Form::quadratic;
  } else if (name == "max-affine") {
    form_ = Form::largest;
  } else if (name == "log-sum-exp") {
    form_ = Form::smoothed;
  } else {
    form_ = Form::rows;
    row_loss_ = find_row_loss(name == "squared-norm" ? "least-squares" : name == "l1-norm" ? "absolute" : name);
    if (row_loss_ == nullptr) refuse(term, "a function of the problem file's table", "an unknown name");
  }
  const bool identity = name == "squared-norm" || name == "l1-norm";
  on_data_ = form_ != Form::linear && !identity;
  if (on_data_ && !term.data) refuse(term, "a data matrix", "none");
  rows_ = on_data_ ? shape(*term.data).first : identity ? dimension : 0;
  check_sizes();
  weight_ = term.weight;
  if (term.average && form_ == Form::rows && on_data_) weight_ /= static_cast<Real>(rows_);
  if (name == "huber") parameter_ = term.delta;
  if (name == "quantile") parameter_ = term.tau;
}

void TermView::check_sizes() const {
  const auto& term = *term_;
  if (!(term.weight >= 0) || !std::isfinite(term.weight)) {
    refuse(term, "a finite weight >= 0", fmt::format("{}", term.weight));
  }
  const std::size_t vector_size = count(term.vector.size());
  if (vector_size != 0 && vector_size != dimension_) {
    refuse(term, fmt::format("a vector of {} numbers", dimension_), fmt::format("{}", vector_size));
  }
  if (!on_data_) return;
  const auto [rows, columns] = shape(*term.data);
  if (rows == 0) refuse(term, "at least one row of data", "none");
  if (columns > dimension_ || (form_ == Form::quadratic && (rows != dimension_ || columns != dimension_))) {
    refuse(term, fmt::format("data with {} columns", dimension_), fmt::format("a {} x {} matrix", rows, columns));
  }
  const std::size_t targets = count(term.target.size());
  if (form_ != Form::quadratic && targets != 0 && targets != rows) {
    refuse(term, fmt::format("{} targets, one per row", rows), fmt::format("{}", targets));
  }
  if (const auto* sparse = std::get_if<CsrMatrix>(&term.data->matrix)) {
    if (sparse->starts.size() != rows + 1) {
      refuse(term, fmt::format("{} row starts", rows + 1), fmt::format("{}", sparse->starts.size()));
    }
  }
}

std::vector<Number> TermView::image(std::span<const Real> x) const {
  std::vector<Accumulator> sums(rows_);
  each_entry([&](std::size_t i, std::size_t j, Real a) { sums[i].add(a * x[j]); });
  std::vector<Number> result(rows_);
  for (std::size_t i = 0; i < rows_; ++i) result[i] = sums[i].number();
  return result;
}

RealVector TermView::row_norms() const {
  RealVector squares(rows_, 0);
  each_entry([&](std::size_t i, std::size_t, Real a) { squares[i] += a * a; });
  for (Real& square : squares) square = std::sqrt(square);
  return squares;
}

std::vector<TermView> term_views(const std::vector<io::TermData>& terms, std::size_t dimension) {
  std::vector<TermView> views;
  views.reserve(terms.size());
  for (const io::TermData& term : terms) views.emplace_back(term, dimension);
  return views;
}

}  // namespace fcbio::verify
