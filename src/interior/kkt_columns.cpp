// By columns: H = D + Hessian + A'T^{-1}A, dense.  Squares have the same T in all rows and steps, so their A'A is made
// once and kept.  Equations (T = 0), E x = q, stay outside of H: with H = L L' and W = E L^{-T} their y solve
// W W' y = E H^{-1} p - q.
#include "interior/kkt.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"

namespace fcbio::interior {
namespace {

constexpr double kDependent = 1e-14;

class ByColumns final : public KktForm {
 public:
  ByColumns(const Program& program, const Stack& stack)
      : program_(program),
        stack_(stack),
        inverse_t_(stack.rows()),
        image_(stack.rows()) {
    const auto n = static_cast<double>(stack.variables());
    operations_ = n * n * n / 3.0;
    for (const Stack::Part& part : stack_.parts())
      if (!part.constant) operations_ += product_operations(*part.rows);
  }

  bool factor(const Vector& d, const Vector& t, Watch* watch) override {
    t_ = t;
    equations_.clear();
    for (Index i = 0; i < t.size(); ++i) {
      inverse_t_[i] = t[i] > 0.0 ? 1.0 / t[i] : 0.0;
      if (!(t[i] > 0.0)) equations_.push_back(i);
    }
    if (cholesky_.matrix().size() == 0) cholesky_ = Cholesky(stack_.variables());  // not where its price was all that was asked
    RowMajorMatrix& matrix = cholesky_.matrix();
    matrix.setZero();
    if (const Index h = program_.hessian.rows(); h > 0) matrix.topLeftCorner(h, h) = program_.hessian;
    matrix.diagonal() += d;
    for (const Stack::Part& part : stack_.parts()) {
      const Index rows = part.rows->rows();
      if (part.constant) {
        const RowMajorMatrix* gram = gram_of(part, watch);
        if (gram == nullptr) return false;
        matrix.topLeftCorner(gram->rows(), gram->rows()) += *gram / t[part.first];
      } else if (!add_product(*part.rows, inverse_t_.segment(part.first, rows), matrix, watch)) {
        return false;
      }
    }
    for (std::size_t k = 0; k < stack_.balls().size(); ++k) {
      const Vector& row = stack_.balls()[k];
      const double factor = 1.0 / t[stack_.first_ball() + static_cast<Index>(k)];
      for (Index i = 0; i < row.size(); ++i)
        for (Index j = 0; j <= i; ++j) matrix(i, j) += factor * row[i] * row[j];
    }
    return cholesky_.factor(stack_.variables(), watch) && factor_equations(watch);
  }

  void solve(Vector& x, Vector& y) override {
    image_ = y.cwiseProduct(inverse_t_);
    stack_.add_transpose(image_, x);
    cholesky_.solve(x);
    if (!equations_.empty()) {
      const auto count = static_cast<Index>(equations_.size());
      stack_.apply(x, image_);
      Vector right(count);
      for (Index k = 0; k < count; ++k) right[k] = image_[equation(k)] - y[equation(k)];
      schur_.solve(right);
      pull_.setZero(x.size());
      image_.setZero();
      for (Index k = 0; k < count; ++k) image_[equation(k)] = right[k];
      stack_.add_transpose(image_, pull_);
      cholesky_.solve(pull_);
      x -= pull_;
      equation_duals_ = right;
    }
    stack_.apply(x, image_);
    y = (image_ - y).cwiseProduct(inverse_t_);
    for (Index k = 0; k < static_cast<Index>(equations_.size()); ++k) y[equation(k)] = equation_duals_[k];
  }

  double operations() const override { return operations_; }

 private:
  double product_operations(const Rows& rows) const {
    if (!rows.is_sparse()) {
      const auto n = static_cast<double>(rows.cols());
      return static_cast<double>(rows.rows()) * n * n;
    }
    double sum = 0.0;
    const auto& starts = rows.sparse().starts;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      const auto length = static_cast<double>(starts[i + 1] - starts[i]);
      sum += length * length;
    }
    return sum;
  }

  /// Lower triangle of matrix <- matrix + A' diag(weights) A.
  bool add_product(const Rows& rows, const Vector& weights, RowMajorMatrix& matrix, Watch* watch) {
    if (!rows.is_sparse()) {
      const RowMajorMatrix& a = rows.dense();
      return add_weighted_gram({a.data(), a.rows(), a.cols(), a.cols()}, weights.data(), matrix.data(),
                               matrix.cols(), watch);
    }
    double done = 0.0;
    const CsrMatrix& a = rows.sparse();
    for (Index i = 0; i < a.rows; ++i) {
      const auto begin = static_cast<std::size_t>(a.starts[static_cast<std::size_t>(i)]);
      const auto end = static_cast<std::size_t>(a.starts[static_cast<std::size_t>(i) + 1]);
      for (std::size_t k = begin; k < end; ++k) {
        double* row = matrix.data() + static_cast<Index>(a.columns[k]) * matrix.cols();
        const double factor = weights[i] * a.values[k];
        for (std::size_t l = begin; l <= k; ++l) row[a.columns[l]] += factor * a.values[l];
      }
      done += static_cast<double>((end - begin) * (end - begin));
      if (watch != nullptr && done > 1e5) {
        if (watch->is_over(done)) return false;
        done = 0.0;
      }
    }
    return true;
  }

  Index equation(Index k) const { return equations_[static_cast<std::size_t>(k)]; }

  bool factor_equations(Watch* watch) {
    if (equations_.empty()) return true;
    const auto count = static_cast<Index>(equations_.size());
    const Index n = stack_.variables();
    pulled_.setZero(count, n);
    Vector line(n);
    Index k = 0;
    for (const Stack::Part& part : stack_.parts())
      for (; k < count && equation(k) < part.first + part.rows->rows(); ++k) {
        line.setZero();
        part.rows->visit_row(equation(k) - part.first, [&](Index j, double value) { line[j] = value; });
        cholesky_.solve_lower(line);
        pulled_.row(k) = line.transpose();
        if (watch != nullptr && watch->is_over(static_cast<double>(n * n))) return false;
      }
    if (schur_.matrix().rows() < count) schur_ = Cholesky(count);
    const RowBlock block{pulled_.data(), count, n, n};
    // Equations may depend on each other: a little on the diagonal, more where that is not enough.
    for (double more = kDependent; more < 1e-3; more *= 100.0) {
      RowMajorMatrix& matrix = schur_.matrix();
      matrix.setZero();
      if (!add_row_products(block, block, 1.0, true, matrix.data(), matrix.cols(), watch)) return false;
      matrix.diagonal().head(count) *= 1.0 + more;
      if (schur_.factor(count, watch)) return true;
      if (watch != nullptr && watch->is_over(0.0)) return false;
    }
    return false;
  }

  const RowMajorMatrix* gram_of(const Stack::Part& part, Watch* watch) {
    std::shared_ptr<const RowMajorMatrix>& kept = part.rows->gram();
    if (kept) return kept.get();
    const Index n = part.rows->cols();
    RowMajorMatrix gram = RowMajorMatrix::Zero(n, n);
    if (!add_product(*part.rows, Vector::Ones(part.rows->rows()), gram, watch)) return nullptr;
    kept = std::make_shared<const RowMajorMatrix>(std::move(gram));
    return kept.get();
  }

  const Program& program_;
  const Stack& stack_;
  Cholesky cholesky_;
  Cholesky schur_;
  RowMajorMatrix pulled_;  // W
  std::vector<Index> equations_;
  Vector t_, inverse_t_, image_, pull_, equation_duals_;
  double operations_ = 0.0;
};

}  // namespace

std::unique_ptr<KktForm> form_by_columns(const Program& program, const Stack& stack) {
  return std::make_unique<ByColumns>(program, stack);
}

}  // namespace fcbio::interior
