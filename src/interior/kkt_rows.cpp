// By rows: K = T + A D^{-1} A', dense.
#include <algorithm>

#include "interior/kkt.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"

namespace fcbio::interior {
namespace {

constexpr double kSmallest =
    1e-15;  // share of a diagonal entry that is added to it: rows may depend on each other

Rows densified(const Rows& rows) {
  RowMajorMatrix matrix = RowMajorMatrix::Zero(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) rows.visit_row(i, [&](Index j, double value) { matrix(i, j) = value; });
  return Rows::dense(std::move(matrix));
}

class ByRows final : public KktForm {
 public:
  ByRows(const Program&, const Stack& stack) : stack_(stack) {
    sparse_ = true;
    for (const Stack::Part& part : stack.parts()) sparse_ = sparse_ && part.rows->is_sparse();
    const auto m = static_cast<double>(stack.rows());
    operations_ = m * m * m / 3.0;
    if (sparse_) {
      list_columns();
      for (std::size_t j = 0; j + 1 < starts_.size(); ++j) {
        const auto length = static_cast<double>(starts_[j + 1] - starts_[j]);
        operations_ += length * length;
      }
    } else {
      operations_ += m * m * static_cast<double>(stack.variables());
      for (const Stack::Part& part : stack.parts()) {
        copies_.push_back(part.rows->is_sparse() ? densified(*part.rows) : *part.rows);
        dense_.push_back({nullptr, part.first, false});
      }
      for (std::size_t k = 0; k < dense_.size(); ++k) dense_[k].rows = &copies_[k];
    }
  }

  bool factor(const Vector& d, const Vector& t, Watch* watch) override {
    inverse_ = d.cwiseInverse();
    if (cholesky_.matrix().size() == 0) cholesky_ = Cholesky(stack_.rows());  // not where its price was all that was asked
    RowMajorMatrix& matrix = cholesky_.matrix();
    matrix.setZero();
    if (!(sparse_ ? add_sparse(matrix, watch) : add_dense(matrix, watch))) return false;
    Vector image(stack_.rows()), pulled(stack_.variables());
    for (std::size_t k = 0; k < stack_.balls().size(); ++k) {
      pulled = inverse_.cwiseProduct(stack_.balls()[k]);
      stack_.apply(pulled, image);
      const Index at = stack_.first_ball() + static_cast<Index>(k);
      matrix.row(at).head(at + 1) = image.head(at + 1).transpose();
    }
    matrix.diagonal() *= 1.0 + kSmallest;
    matrix.diagonal() += t;
    return cholesky_.factor(stack_.rows(), watch);
  }

  // y = K^{-1} (A D^{-1} p - q),  x = D^{-1} (p - A'y)
  void solve(Vector& x, Vector& y) override {
    image_.resize(y.size());
    stack_.apply(inverse_.cwiseProduct(x), image_);
    y = image_ - y;
    cholesky_.solve(y);
    pull_.setZero(x.size());
    stack_.add_transpose(y, pull_);
    x = inverse_.cwiseProduct(x - pull_);
  }

  double operations() const override { return operations_; }

 private:
  void list_columns() {
    const auto n = static_cast<std::size_t>(stack_.variables());
    starts_.assign(n + 1, 0);
    const auto each = [&](auto visit) {
      for (const Stack::Part& part : stack_.parts())
        for (Index i = 0; i < part.rows->rows(); ++i)
          part.rows->visit_row(i, [&](Index j, double value) { visit(part.first + i, j, value); });
    };
    each([&](Index, Index j, double) { ++starts_[static_cast<std::size_t>(j) + 1]; });
    for (std::size_t j = 0; j < n; ++j) starts_[j + 1] += starts_[j];
    entries_.resize(starts_[n]);
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    each([&](Index i, Index j, double value) { entries_[next[static_cast<std::size_t>(j)]++] = {i, value}; });
  }

  bool add_sparse(RowMajorMatrix& matrix, Watch* watch) {
    double done = 0.0;
    for (std::size_t j = 0; j + 1 < starts_.size(); ++j) {
      for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
        double* row = matrix.data() + entries_[k].row * matrix.cols();
        const double factor = entries_[k].value * inverse_[static_cast<Index>(j)];
        for (std::size_t l = starts_[j]; l <= k; ++l) row[entries_[l].row] += factor * entries_[l].value;
      }
      const auto length = static_cast<double>(starts_[j + 1] - starts_[j]);
      done += length * length;
      if (watch != nullptr && done > 1e5) {
        if (watch->is_over(done)) return false;
        done = 0.0;
      }
    }
    return true;
  }

  /// Lower triangle of matrix <- matrix + A D^{-1} A', block by block.
  bool add_dense(RowMajorMatrix& matrix, Watch* watch) {
    for (const Stack::Part& left : dense_) {
      for (const Stack::Part& right : dense_) {
        if (right.first > left.first) continue;
        const Index cols = std::min(left.rows->cols(), right.rows->cols());
        const auto block = [cols](const Rows& rows) {
          return RowBlock{rows.dense().data(), rows.rows(), cols, rows.cols()};
        };
        double* out = matrix.data() + left.first * matrix.cols() + right.first;
        if (!add_weighted_row_products(block(*left.rows), block(*right.rows), inverse_.data(),
                                       left.first == right.first, out, matrix.cols(), watch))
          return false;
      }
    }
    return true;
  }

  struct Entry {
    Index row;
    double value;
  };
  const Stack& stack_;
  Cholesky cholesky_;
  bool sparse_ = false;
  std::vector<std::size_t> starts_;  // of the columns in `entries_`
  std::vector<Entry> entries_;
  std::vector<Rows> copies_;  // all dense, where some are
  std::vector<Stack::Part> dense_;
  Vector inverse_, image_, pull_;
  double operations_ = 0.0;
};

}  // namespace

std::unique_ptr<KktForm> form_by_rows(const Program& program, const Stack& stack) {
  return std::make_unique<ByRows>(program, stack);
}

}  // namespace fcbio::interior
