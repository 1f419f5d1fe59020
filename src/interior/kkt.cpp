#include "interior/kkt.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::interior {
namespace {

constexpr int kRefinements = 3;
constexpr double kGoodResidual = 1e-11;  // of the right side
// What stands in for a zero of D, as a share of what the rest of the system puts in the same place.
constexpr double kSmallD = 1e-13;

constexpr int kAttempts = 4;
constexpr double kMore = 1e-14, kMoreAgain = 100.0;

struct Prices {
  double columns, rows;
};

Prices prices(const Stack& stack) {
  const auto n = static_cast<double>(stack.variables()), m = static_cast<double>(stack.rows());
  Prices price{n * n * n / 3.0, m * m * m / 3.0};
  std::vector<double> per_column(static_cast<std::size_t>(stack.variables()), 0.0);
  bool any_dense = false;
  for (const Stack::Part& part : stack.parts()) {
    const auto count = static_cast<double>(part.rows->rows());
    if (!part.rows->is_sparse()) {
      any_dense = true;
      if (!part.constant) price.columns += count * n * n;
      continue;
    }
    const CsrMatrix& csr = part.rows->sparse();
    for (std::size_t i = 0; i + 1 < csr.starts.size(); ++i) {
      const auto length = static_cast<double>(csr.starts[i + 1] - csr.starts[i]);
      price.columns += length * length;
    }
    for (const std::int32_t j : csr.columns) per_column[static_cast<std::size_t>(j)] += 1.0;
  }
  if (any_dense) {
    price.rows += m * m * n;
  } else {
    for (const double length : per_column) price.rows += length * length;
  }
  return price;
}

/// Whether every variable has something on the diagonal whatever happens: a side, a curvature, an identity block or a
/// ball.
bool has_diagonal(const Program& program) {
  std::vector<bool> has(static_cast<std::size_t>(program.variables), false);
  for (Index j = 0; j < program.variables; ++j)
    has[static_cast<std::size_t>(j)] =
        program.curvature[j] > 0.0 || std::isfinite(program.lower[j]) || std::isfinite(program.upper[j]);
  for (const Block& block : program.blocks)
    if (block.rows.is_identity()) std::fill_n(has.begin(), block.rows.rows(), true);
  for (const Ball& ball : program.balls) std::fill_n(has.begin() + ball.first, ball.centre.size(), true);
  return std::all_of(has.begin(), has.end(), [](bool one) { return one; });
}

}  // namespace

Kkt::Kkt(const Program& program) : program_(program), stack_(program) {
  const Index n = stack_.variables(), m = stack_.rows();
  t_.resize(m);
  d_.resize(n);
  for (Vector* v : {&p_, &x_, &left_p_, &safe_d_}) v->resize(n);
  for (Vector* v : {&q_, &y_, &left_q_, &safe_t_}) v->resize(m);
  choose();
}

void Kkt::choose() {
  const Index n = stack_.variables(), m = stack_.rows();
  const Prices price = prices(stack_);
  const bool rows_fit = m <= kLargest && program_.hessian.size() == 0 && has_diagonal(program_);
  const bool columns_fit = n <= kLargest;
  if (rows_fit && (!columns_fit || price.rows < 0.7 * price.columns)) {
    by_rows_ = true;
    form_ = form_by_rows(program_, stack_);
  } else if (columns_fit) {
    form_ = form_by_columns(program_, stack_);
  }
}

bool Kkt::change_form() {
  if (!by_rows_ || stack_.variables() > kLargest) return false;
  by_rows_ = false;
  form_ = form_by_columns(program_, stack_);
  return true;
}

bool Kkt::factor(const Vector& d, const Vector& t, Watch* watch) {
  d_ = d;
  t_ = t;
  safe_d_ = d;
  safe_t_ = t;
  if (!(d.minCoeff() > 0.0)) {
    measure();
    for (Index j = 0; j < d.size(); ++j) safe_d_[j] = std::max(d[j], kSmallD * column_sizes_[j]);
  }
  // Where rounding makes it indefinite, a little more on the diagonals; refinement pays for it.
  double more = kMore;
  for (int attempt = 0;; ++attempt, more *= kMoreAgain) {
    if (form_->factor(safe_d_, safe_t_, watch)) return true;
    if (attempt == kAttempts || (watch != nullptr && watch->is_over(0.0))) return false;
    if (attempt == 0) measure();
    if (by_rows_)
      safe_t_ += more * row_sizes_;
    else
      safe_d_ += more * column_sizes_;
  }
}

// column_sizes <- diagonal of D + H + A'T^{-1}A without equations, row_sizes <- that of T + A D^{-1} A', with the former
// in the place of D.
void Kkt::measure() {
  column_sizes_ = d_;
  if (const Index h = program_.hessian.rows(); h > 0) column_sizes_.head(h) += program_.hessian.diagonal();
  const auto each_row = [&](auto visit) {
    for (const Stack::Part& part : stack_.parts())
      for (Index i = 0; i < part.rows->rows(); ++i) visit(part.first + i, *part.rows, i);
  };
  each_row([&](Index at, const Rows& rows, Index i) {
    if (t_[at] > 0.0)
      rows.visit_row(i, [&](Index j, double value) { column_sizes_[j] += value * value / t_[at]; });
  });
  const double typical = column_sizes_.maxCoeff() > 0.0 ? column_sizes_.maxCoeff() : 1.0;
  for (double& size : column_sizes_)
    if (!(size > 0.0)) size = typical;
  row_sizes_ = t_;
  each_row([&](Index at, const Rows& rows, Index i) {
    rows.visit_row(i, [&](Index j, double value) { row_sizes_[at] += value * value / column_sizes_[j]; });
    if (!(row_sizes_[at] > 0.0)) row_sizes_[at] = 1.0;
  });
}

// left <- (p, q) - system * (x, y); the larger of the two relative sizes is returned.
double Kkt::residual(const Vector& p, const Vector& q, const Vector& x, const Vector& y) {
  left_p_ = p - d_.cwiseProduct(x);
  if (const Index h = program_.hessian.rows(); h > 0) left_p_.head(h).noalias() -= program_.hessian * x.head(h);
  Vector slope = Vector::Zero(x.size());
  stack_.add_transpose(y, slope);
  left_p_ -= slope;
  stack_.apply(x, left_q_);
  left_q_ = q - left_q_ + t_.cwiseProduct(y);
  products_ += 2;
  const double p_size = p.norm() + slope.norm(), q_size = q.norm();
  return std::max(left_p_.norm() / (p_size > 0.0 ? p_size : 1.0), left_q_.norm() / (q_size > 0.0 ? q_size : 1.0));
}

void Kkt::solve(Vector& x, Vector& y) {
  p_ = x;
  q_ = y;
  form_->solve(x, y);
  products_ += 2;
  double before = residual(p_, q_, x, y);
  for (int round = 0; round < kRefinements && before > kGoodResidual; ++round) {
    x_ = left_p_;
    y_ = left_q_;
    form_->solve(x_, y_);
    products_ += 2;
    x_ += x;
    y_ += y;
    const double now = residual(p_, q_, x_, y_);
    if (!(now < 0.5 * before)) {
      if (now < before) {
        x = x_;
        y = y_;
      }
      break;
    }
    x = x_;
    y = y_;
    before = now;
  }
}

std::int64_t Kkt::take_products() {
  const std::int64_t taken = products_;
  products_ = 0;
  return taken;
}

}  // namespace fcbio::interior
