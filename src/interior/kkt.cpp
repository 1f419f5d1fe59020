#include "interior/kkt.hpp"

#include <algorithm>
#include <cmath>

#include "interior/kkt_sparse.hpp"

namespace fcbio::interior {
namespace {

constexpr int kRefinements = 3;
constexpr double kGoodResidual = 1e-11;  // of the right side
// What stands in for a zero of D, as a share of what the rest of the system puts in the same place.
constexpr double kSmallD = 1e-13;

constexpr int kAttempts = 4;
constexpr double kMore = 1e-14, kMoreAgain = 100.0;

// By rows digits are lost where D is small: it must be cheaper by this factor.
constexpr double kRowsPay = 0.7;
// Supernodes are small, and their rows are gathered and scattered: an operation of a sparse factor is taken to cost as
// much as four of a dense one.
constexpr double kSparseSlower = 4.0;
constexpr double kSmallForSparse = 1e6;  // operations of a dense factor below which patterns are not looked at

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

bool any_sparse(const Stack& stack) {
  return std::any_of(stack.parts().begin(), stack.parts().end(),
                     [](const Stack::Part& part) { return part.rows->is_sparse(); });
}

}  // namespace

Kkt::Kkt(const Program& program) : program_(program), stack_(program) {
  const Index n = stack_.variables(), m = stack_.rows();
  t_.resize(m);
  d_.resize(n);
  for (Vector* v : {&p_, &x_, &left_p_, &safe_d_}) v->resize(n);
  for (Vector* v : {&q_, &y_, &left_q_, &safe_t_}) v->resize(m);
  choose(true);
}

// Dense factors are the first choice where they fit; a sparse one must be cheaper by more than what its kernels are
// slower.  Of two sparse ones that with the cheaper products is looked at first, and the other only if its products
// alone do not cost more already.
void Kkt::choose(bool may_be_by_rows) {
  const Index n = stack_.variables(), m = stack_.rows();
  const Prices price = prices(stack_);
  double best = kInfinity;
  enum class Kind { none, dense_columns, dense_rows, sparse } kind = Kind::none;
  if (n <= kLargest) {
    best = price.columns;
    kind = Kind::dense_columns;
  }
  const std::vector<bool> has = has_diagonal(program_);
  if (may_be_by_rows && m <= kLargest && program_.hessian.size() == 0 &&
      std::find(has.begin(), has.end(), false) == has.end() && price.rows < kRowsPay * best) {
    best = price.rows / kRowsPay;
    kind = Kind::dense_rows;
  }
  std::unique_ptr<SparsePlan> plan;
  if (program_.hessian.size() == 0 && best > kSmallForSparse && any_sparse(stack_)) {
    std::vector<std::unique_ptr<SparsePlan>> plans;
    plans.push_back(std::make_unique<SparsePlan>(program_, stack_, false));
    if (may_be_by_rows) plans.push_back(std::make_unique<SparsePlan>(program_, stack_, true));
    std::stable_sort(plans.begin(), plans.end(),
                     [](const auto& a, const auto& b) { return a->operations < b->operations; });
    for (std::unique_ptr<SparsePlan>& one : plans) {
      const double factor = kSparseSlower / (one->by_rows ? kRowsPay : 1.0);
      if (!one->analyse(best / factor) || !(factor * one->operations < best)) continue;
      best = factor * one->operations;
      kind = Kind::sparse;
      plan = std::move(one);
    }
  }
  by_rows_ = kind == Kind::dense_rows || (plan && plan->by_rows);
  sparse_ = kind == Kind::sparse;
  if (kind == Kind::sparse)
    form_ = sparse_form(program_, stack_, *plan);
  else if (kind == Kind::dense_rows)
    form_ = form_by_rows(program_, stack_);
  else if (kind == Kind::dense_columns)
    form_ = form_by_columns(program_, stack_);
}

bool Kkt::change_form() {
  if (!by_rows_) return false;
  std::unique_ptr<KktForm> before = std::move(form_);
  choose(false);
  if (fits()) return true;
  form_ = std::move(before);
  by_rows_ = true;
  return false;
}

void Kkt::archive(Archive& archive) {
  bool by_rows = by_rows_;
  archive(by_rows, products_);
  if (by_rows_ && !by_rows) change_form();
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
