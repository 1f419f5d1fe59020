// A term of the problem file seen as  weight * phi(M x)  or as one of the few that are not of this form.
//
//   form        functions                                   phi
//   rows        the seven of row_losses.cpp, on data        sum_i loss((Mx)_i; target_i)
//   rows        squared-norm, l1-norm, with M = identity    least-squares and absolute against the centre
//   largest     max-affine                                  max_i (Mx)_i + b_i
//   smoothed    log-sum-exp                                 log sum_i exp((Mx)_i + b_i)
//   linear      linear                                      c'x
//   quadratic   quadratic                                   1/2 x'Qx + c'x + constant
#pragma once

#include <optional>
#include <type_traits>

#include "io/problem_data.hpp"
#include "row_losses.hpp"

namespace fcbio::verify {

enum class Form { rows, largest, smoothed, linear, quadratic };

class TermView {
 public:
  /// Refuses (std::invalid_argument) an unknown function and data whose sizes do not fit together.
  TermView(const io::TermData& term, std::size_t dimension);

  const io::TermData& term() const { return *term_; }
  Form form() const { return form_; }
  const RowLoss& row_loss() const { return *row_loss_; }
  std::size_t dimension() const { return dimension_; }
  /// Whether M is the identity.
  bool is_identity() const { return form_ == Form::rows && !on_data_; }
  /// Of M; 0 for a linear term, n for a quadratic one.
  std::size_t rows() const { return rows_; }
  /// `average` folded in.
  Real weight() const { return weight_; }
  Real parameter() const { return parameter_; }
  /// b_i, or the centre's coordinate.
  Real target(std::size_t i) const { return entry(on_data_ ? term_->target : term_->vector, i); }
  /// c_j of a linear or quadratic term, or the centre's coordinate.
  Real coefficient(std::size_t j) const { return entry(term_->vector, j); }

  /// visit(row, column, number) for the stored numbers of M (or Q), row by row.
  template <class Visit>
  void each_entry(Visit visit) const {
    if (!on_data_) {
      for (std::size_t j = 0; j < rows_; ++j) visit(j, j, Real{1});
      return;
    }
    std::visit(
        [&](const auto& matrix) {
          if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, CsrMatrix>) {
            for (std::size_t i = 0; i < rows_; ++i) {
              for (auto k = static_cast<std::size_t>(matrix.starts[i]);
                   k < static_cast<std::size_t>(matrix.starts[i + 1]); ++k) {
                visit(i, static_cast<std::size_t>(matrix.columns[k]), Real{matrix.values[k]});
              }
            }
          } else {
            for (Index i = 0; i < matrix.rows(); ++i) {
              for (Index j = 0; j < matrix.cols(); ++j) {
                visit(static_cast<std::size_t>(i), static_cast<std::size_t>(j), Real{matrix(i, j)});
              }
            }
          }
        },
        term_->data->matrix);
  }

  /// Of a quadratic term: the least eigenvalue of Q is proved to be at least minus this (convexity.hpp); found at
  /// the first call.
  Real concavity() const;

  /// M x, each with the magnitudes added up.
  std::vector<Number> image(std::span<const Real> x) const;
  /// Euclidean norms of the rows of M.
  RealVector row_norms() const;

 private:
  /// An absent vector is zero.
  static Real entry(const Vector& vector, std::size_t i) {
    return vector.size() == 0 ? Real{0} : Real{vector[static_cast<Index>(i)]};
  }
  void check_sizes() const;

  const io::TermData* term_;
  Form form_ = Form::linear;
  const RowLoss* row_loss_ = nullptr;
  std::size_t dimension_;
  std::size_t rows_ = 0;
  bool on_data_ = false;
  Real weight_ = 0;
  Real parameter_ = 0;
  mutable std::optional<Real> concavity_;
};

/// Views of all terms of one level.
std::vector<TermView> term_views(const std::vector<io::TermData>& terms, std::size_t dimension);

}  // namespace fcbio::verify
