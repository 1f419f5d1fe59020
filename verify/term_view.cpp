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

void TermView::take_rows(const data::Matrix& data, const Vector& target, bool average, const Vector& weights,
                         std::string_view loss, Real parameter) {
  form_ = Form::rows;
  row_loss_ = find_row_loss(loss);
  matrix_ = &data;
  target_ = &target;
  average_ = average;
  parameter_ = parameter;
  take_weights(weights);
}

void TermView::take_norm(const Vector& center, const Vector& weights, std::string_view loss) {
  form_ = Form::rows;
  row_loss_ = find_row_loss(loss);
  vector_ = &center;
  take_weights(weights);
}

void TermView::take_weights(const Vector& weights) {
  if (!data::is_absent(weights, 1.0)) row_weights_ = &weights;
}

void TermView::take(const data::Huber& kind) {
  const auto& [data, target, average, delta, weights] = kind;
  take_rows(data, target, average, weights, "huber", delta);
}

void TermView::take(const data::Quantile& kind) {
  const auto& [data, target, average, tau, weights] = kind;
  take_rows(data, target, average, weights, "quantile", tau);
}

void TermView::take(const data::SquaredNorm& kind) {
  const auto& [center, weights] = kind;
  take_norm(center, weights, "least-squares");
  squared_norm_ = true;
}

void TermView::take(const data::L1Norm& kind) {
  const auto& [center, weights] = kind;
  take_norm(center, weights, "absolute");
}

void TermView::take(const data::Linear& kind) {
  const auto& [coefficients] = kind;
  form_ = Form::linear;
  vector_ = &coefficients;
}

void TermView::take(const data::Quadratic& kind) {
  const auto& [matrix, coefficients, constant] = kind;
  form_ = Form::quadratic;
  matrix_ = &matrix;
  vector_ = &coefficients;
  constant_ = constant;
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
  if (is_weighted()) {
    if (count(row_weights_->size()) != rows_) {
      refuse(term, fmt::format("{} weights", rows_), fmt::format("{}", row_weights_->size()));
    }
    if (!row_weights_->allFinite() || row_weights_->minCoeff() < 0) {
      refuse(term, "finite weights >= 0", "others");
    }
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
