// The linear system of one interior-point step,
//
//     (D + H) x + A'y = p,      A x - T y = q,       D, T >= 0 diagonal,  H the Hessian of the program,
//
// in one of two forms.  By columns: (D + H + A'T^{-1}A) x = p + A'T^{-1}q, as large as there are variables.  By rows:
// (T + A D^{-1} A') y = A D^{-1} p - q, as large as there are rows; it needs D > 0 and no H.  Each by a dense factor, or
// by a sparse one (kkt_sparse.hpp) where the operations, counted on the pattern, are fewer.
//
// Rows with T = 0 are equations.  Variables without any D get a small one; what that changes is put right by refinement,
// which uses the true numbers.
#pragma once

#include <memory>

#include "fcbio/watch.hpp"
#include "interior/stack.hpp"
#include "linalg/archive.hpp"

namespace fcbio::interior {

/// One form: a factorisation of the system with D and T that are safe to divide by.
class KktForm {
 public:
  virtual ~KktForm() = default;
  /// False: not positive definite to rounding, or stopped by the watch.
  virtual bool factor(const Vector& d, const Vector& t, Watch* watch) = 0;
  /// x <- p, y <- q on entry; the solution on exit.
  virtual void solve(Vector& x, Vector& y) = 0;
  virtual double operations() const = 0;  ///< of a factorisation, additions and multiplications
};

std::unique_ptr<KktForm> form_by_columns(const Program& program, const Stack& stack);
std::unique_ptr<KktForm> form_by_rows(const Program& program, const Stack& stack);

class Kkt {
 public:
  explicit Kkt(const Program& program);

  Stack& stack() { return stack_; }
  const Stack& stack() const { return stack_; }
  bool factor(const Vector& d, const Vector& t, Watch* watch);
  /// As KktForm::solve, refined; products with the stack are counted.
  void solve(Vector& x, Vector& y);
  double operations() const { return form_->operations(); }
  bool is_by_rows() const { return by_rows_; }
  bool is_sparse() const { return sparse_; }
  /// Products with all rows since the last call, each with the rows or their transpose.
  std::int64_t take_products();
  /// By rows digits were lost: go on by columns.  False: that is what is done already, or no such factor fits.
  bool change_form();
  /// Largest side of a dense factor that is worth its time and memory; a sparse factor may be larger.
  static constexpr Index kLargest = 6000;
  /// Whether any form fits; else the side that is too large.
  bool fits() const { return form_ != nullptr; }

  /// Which form; what it factored is made again at every step.
  void archive(Archive& archive);

 private:
  void choose(bool may_be_by_rows);
  void measure();
  double residual(const Vector& p, const Vector& q, const Vector& x, const Vector& y);

  const Program& program_;
  Stack stack_;
  std::unique_ptr<KktForm> form_;
  bool by_rows_ = false, sparse_ = false;
  Vector d_, t_;  // true ones
  Vector p_, q_, x_, y_, left_p_, left_q_;
  Vector safe_d_, safe_t_, column_sizes_, row_sizes_;
  std::int64_t products_ = 0;
};

}  // namespace fcbio::interior
