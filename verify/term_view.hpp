// A term of the problem file seen as  weight * phi(M x)  or as one of the few that are not of this form.
//
//   form        functions                                   phi
//   rows        the seven of row_losses.cpp, on data        sum_i loss((Mx)_i; target_i)
//   rows        squared-norm, l1-norm, with M = identity    least-squares and absolute against the centre
//               (the summands of rows multiplied with their weights, where there are some)
//   largest     max-affine                                  max_i (Mx)_i + b_i
//   smoothed    log-sum-exp                                 log sum_i exp((Mx)_i + b_i)
//   linear      linear                                      c'x
//   quadratic   quadratic                                   1/2 x'Qx + c'x + constant
#pragma once

#include <optional>
#include <type_traits>

#include "data/functions.hpp"
#include "row_losses.hpp"

namespace fcbio::verify {

enum class Form { rows, largest, smoothed, linear, quadratic };

class TermView {
 public:
  /// Refuses (std::invalid_argument) data whose sizes do not fit together.
  TermView(const data::Term& term, std::size_t dimension);

  const data::Term& term() const { return *term_; }
  std::string_view name() const { return data::name_of(*term_); }
  Form form() const { return form_; }
  const RowLoss& row_loss() const { return *row_loss_; }
  std::size_t dimension() const { return dimension_; }
  /// Whether M is the identity.
  bool is_identity() const { return form_ == Form::rows && matrix_ == nullptr; }
  /// Whether the term is 1/2 |x - c|^2, which needs no dual; with weights it needs one.
  bool is_squared_norm() const { return squared_norm_ && !is_weighted(); }
  /// Whether summands have weights of their own.
  bool is_weighted() const { return row_weights_ != nullptr; }
  /// Of one summand, `rows`.
  Real row_weight(std::size_t i) const {
    return row_weights_ == nullptr ? Real{1} : Real{(*row_weights_)[static_cast<Index>(i)]};
  }
  /// Of M; 0 for a linear term, n for a quadratic one.
  std::size_t rows() const { return rows_; }
  /// `average` folded in.
  Real weight() const { return weight_; }
  Real parameter() const { return parameter_; }
  /// Of a quadratic term.
  Real constant() const { return constant_; }
  /// b_i, or the centre's coordinate.
  Real target(std::size_t i) const { return entry(target_ != nullptr ? target_ : vector_, i); }
  /// c_j of a linear or quadratic term, or the centre's coordinate.
  Real coefficient(std::size_t j) const { return entry(vector_, j); }

  /// visit(row, column, number) for the stored numbers of M (or Q), row by row.
  template <class Visit>
  void each_entry(Visit visit) const {
    if (matrix_ == nullptr) {
      for (std::size_t j = 0; j < rows_; ++j) visit(j, j, Real{1});
      return;
    }
    matrix_->read([&]<class View>(const View& matrix) {
      if constexpr (std::is_same_v<View, CsrView>) {
        for (std::size_t i = 0; i < rows_; ++i) {
          for (auto k = static_cast<std::size_t>(matrix.starts[i]);
               k < static_cast<std::size_t>(matrix.starts[i + 1]); ++k) {
            visit(i, static_cast<std::size_t>(matrix.columns[k]), Real{matrix.values[k]});
          }
        }
      } else {
        for (Index i = 0; i < matrix.rows; ++i) {
          for (Index j = 0; j < matrix.cols; ++j) {
            visit(static_cast<std::size_t>(i), static_cast<std::size_t>(j), Real{matrix(i, j)});
          }
        }
      }
    });
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
  static Real entry(const Vector* vector, std::size_t i) {
    return vector == nullptr || vector->size() == 0 ? Real{0} : Real{(*vector)[static_cast<Index>(i)]};
  }
  void check_sizes() const;

  // One overload per kind of function, and one name for each of its fields: a kind or a field without one does not
  // compile.
  void take(const data::LeastSquares& kind) { take_row_sum(kind, "least-squares"); }
  void take(const data::Logistic& kind) { take_row_sum(kind, "logistic"); }
  void take(const data::Huber& kind);
  void take(const data::Absolute& kind) { take_row_sum(kind, "absolute"); }
  void take(const data::Quantile& kind);
  void take(const data::Hinge& kind) { take_row_sum(kind, "hinge"); }
  void take(const data::SquaredHinge& kind) { take_row_sum(kind, "squared-hinge"); }
  void take(const data::SquaredNorm& kind);
  void take(const data::L1Norm& kind);
  void take(const data::Linear& kind);
  void take(const data::Quadratic& kind);
  void take(const data::MaxAffine& kind) { take_offsets(kind, Form::largest); }
  void take(const data::LogSumExp& kind) { take_offsets(kind, Form::smoothed); }
  template <class Kind>
  void take_row_sum(const Kind& kind, std::string_view loss) {
    const auto& [data, target, average, weights] = kind;
    take_rows(data, target, average, weights, loss);
  }
  void take_rows(const data::Matrix& data, const Vector& target, bool average, const Vector& weights,
                 std::string_view loss, Real parameter = 0);
  void take_norm(const Vector& center, const Vector& weights, std::string_view loss);
  /// Ones are none.
  void take_weights(const Vector& weights);
  template <class Kind>
  void take_offsets(const Kind& kind, Form form) {
    const auto& [data, target] = kind;
    form_ = form;
    matrix_ = &data;
    target_ = &target;
  }

  const data::Term* term_;
  Form form_ = Form::linear;
  const RowLoss* row_loss_ = nullptr;
  std::size_t dimension_;
  std::size_t rows_ = 0;
  const data::Matrix* matrix_ = nullptr;  // M or Q; null: the identity, or none
  const Vector* target_ = nullptr;        // one per row
  const Vector* vector_ = nullptr;        // one per variable
  const Vector* row_weights_ = nullptr;   // of the summands; null: ones
  bool average_ = false;
  bool squared_norm_ = false;
  Real weight_ = 0;
  Real parameter_ = 0;
  Real constant_ = 0;
  mutable std::optional<Real> concavity_;
};

/// Views of all terms of one level.
std::vector<TermView> term_views(const std::vector<data::Term>& terms, std::size_t dimension);

}  // namespace fcbio::verify
