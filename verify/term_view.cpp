// Classification and size checks of terms; products with their data.
#include "term_view.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace fcbio::verify {
namespace {

std::size_t count(Index size) { return static_cast<std::size_t>(size); }

std::pair<std::size_t, std::size_t> shape(const data::Matrix& data) {
  return {count(data.rows()), count(data.cols())};
}

[[noreturn]] void refuse(const data::Term& term, const std::string& expected, const std::string& found) {
  throw std::invalid_argument(
      fmt::format("term '{}': expected {}, found {}; the problem file and its data do not fit together",
                  data::name_of(term), expected, found));
}

}  // namespace

TermView::TermView(const data::Term& term, std::size_t dimension) : term_(&term), dimension_(dimension) {
  std::visit([this](const auto& kind) { take(kind); }, term.kind);
  rows_ = matrix_ != nullptr ? shape(*matrix_).first : form_ == Form::rows ? dimension : 0;
  check_sizes();
  weight_ = term.weight;
  if (average_) weight_ /= static_cast<Real>(rows_);
}

void TermView::take(const data::SquaredNorm& kind) {
  form_ = Form::rows;
  row_loss_ = find_row_loss("least-squares");
  vector_ = &kind.center;
  squared_norm_ = true;
}

void TermView::take(const data::L1Norm& kind) {
  form_ = Form::rows;
  row_loss_ = find_row_loss("absolute");
  vector_ = &kind.center;
}

void TermView::take(const data::Linear& kind) {
  form_ = Form::linear;
  vector_ = &kind.coefficients;
}

void TermView::take(const data::Quadratic& kind) {
  form_ = Form::quadratic;
  matrix_ = &kind.matrix;
  vector_ = &kind.coefficients;
  constant_ = kind.constant;
}

void TermView::check_sizes() const {
  const auto& term = *term_;
  if (!(term.weight >= 0) || !std::isfinite(term.weight)) {
    refuse(term, "a finite weight >= 0", fmt::format("{}", term.weight));
  }
  const std::size_t vector_size = vector_ != nullptr ? count(vector_->size()) : 0;
  if (vector_size != 0 && vector_size != dimension_) {
    refuse(term, fmt::format("a vector of {} numbers", dimension_), fmt::format("{}", vector_size));
  }
  if (matrix_ == nullptr) return;
  const auto [rows, columns] = shape(*matrix_);
  if (rows == 0) refuse(term, "at least one row of data", "none");
  if (columns > dimension_ || (form_ == Form::quadratic && (rows != dimension_ || columns != dimension_))) {
    refuse(term, fmt::format("data with {} columns", dimension_), fmt::format("a {} x {} matrix", rows, columns));
  }
  const std::size_t targets = target_ != nullptr ? count(target_->size()) : 0;
  if (targets != 0 && targets != rows) {
    refuse(term, fmt::format("{} targets, one per row", rows), fmt::format("{}", targets));
  }
  matrix_->read([&, expected = rows + 1]<class View>(const View& view) {
    if constexpr (std::is_same_v<View, CsrView>) {
      if (view.starts.size() != expected) {
        refuse(term, fmt::format("{} row starts", expected), fmt::format("{}", view.starts.size()));
      }
    }
  });
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

std::vector<TermView> term_views(const std::vector<data::Term>& terms, std::size_t dimension) {
  std::vector<TermView> views;
  views.reserve(terms.size());
  for (const data::Term& term : terms) views.emplace_back(term, dimension);
  return views;
}

}  // namespace fcbio::verify
