#include "values.hpp"

#include <stdexcept>

namespace fcbio::adversary {
namespace {

Exact row_value(const io::TermData& term, const Exact& u, const Exact& b) {
  const Exact r = u - b;
  const Exact margin = 1 - b * u;
  if (term.function == "least-squares") return r * r / 2;
  if (term.function == "huber") {
    const Exact delta = term.delta;
    return abs(r) <= delta ? Exact(r * r / 2) : Exact(delta * abs(r) - delta * delta / 2);
  }
  if (term.function == "absolute") return abs(r);
  if (term.function == "quantile") return std::max(Exact(term.tau * -r), Exact((Exact(term.tau) - 1) * -r));
  if (term.function == "logistic") return log_one_plus_exp(-b * u);
  if (term.function == "hinge") return std::max(Exact(0), margin);
  if (term.function == "squared-hinge") return margin > 0 ? Exact(margin * margin / 2) : Exact(0);
  throw std::logic_error("not a sum over rows: " + term.function);
}

Exact unweighted(const io::TermData& term, const ExactVector& x) {
  const auto entry = [](const Vector& vector, std::size_t j) {
    return vector.size() == 0 ? Exact(0) : Exact(vector[static_cast<Index>(j)]);
  };
  Exact sum = 0;
  if (term.function == "squared-norm" || term.function == "l1-norm" || term.function == "linear") {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Exact c = entry(term.vector, j);
      if (term.function == "linear") sum += c * x[j];
      if (term.function == "l1-norm") sum += abs(Exact(x[j] - c));
      if (term.function == "squared-norm") sum += (x[j] - c) * (x[j] - c) / 2;
    }
    return sum;
  }
  const std::vector<ExactVector> rows = rows_of(*term.data);
  if (term.function == "quadratic") {
    sum = term.constant;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += x[i] * (dot(rows[i], x) / 2 + entry(term.vector, i));
    return sum;
  }
  ExactVector image;
  for (const ExactVector& row : rows) image.push_back(dot(row, x));
  if (term.function == "max-affine" || term.function == "log-sum-exp") {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] += entry(term.target, i);
    return term.function == "log-sum-exp" ? log_sum_exp(image) : *std::max_element(image.begin(), image.end());
  }
  for (std::size_t i = 0; i < image.size(); ++i) sum += row_value(term, image[i], entry(term.target, i));
  return sum;
}

Exact excess_over(const ExactVector& x, const ExactVector& center, const Exact& radius) {
  return norm(minus(x, center)) - radius;
}

/// Members whose distances count one by one, with the size by which the distance is judged.
class Membership {
 public:
  explicit Membership(const ExactVector& x) : x_(x) {}

  bool clearly_outside(const io::SetData& set) {
    visit(set, 0, std::nullopt);
    return outside_;
  }

 private:
  static Exact size_of(const io::SetData& set) {
    if (set.kind == "box") {
      Exact squares = 0;
      for (Index j = 0; j < set.lower.size(); ++j) {
        const double width = set.upper[j] - set.lower[j];
        squares += Exact(std::isfinite(width) ? width : 1e300) * Exact(std::isfinite(width) ? width : 1e300);
      }
      return root(squares);
    }
    if (set.kind == "simplex") return set.total;
    if (set.kind == "whole-space") return Exact(1e300);
    if (set.kind == "intersection") {
      Exact smallest = size_of(set.sets.front());
      for (const io::SetData& member : set.sets) smallest = std::min(smallest, size_of(member));
      return smallest;
    }
    if (set.kind == "product") return Exact(1e300);
    return *set.radius;
  }

  void visit(const io::SetData& set, std::size_t offset, const std::optional<Exact>& given_size) {
    if (set.kind == "product") {
      for (const io::SetData& part : set.sets) {
        visit(part, offset, std::nullopt);
        offset += static_cast<std::size_t>(part.dimension);
      }
      return;
    }
    const Exact size = given_size ? *given_size : size_of(set);
    if (set.kind == "intersection") {
      for (const io::SetData& member : set.sets) visit(member, offset, size);
      return;
    }
    const auto begin = x_.begin() + static_cast<std::ptrdiff_t>(offset);
    const ExactVector x(begin, begin + set.dimension);
    Exact spacing = norm(x);
    if (set.center.size() > 0) spacing += norm(exact(set.center));
    const Exact allowed = size * 1e-6 + spacing * 1e-14;
    if (distance(set, x) > allowed) outside_ = true;
  }

  static Exact distance(const io::SetData& set, const ExactVector& x) {
    const ExactVector zero(x.size(), Exact(0));
    Exact worst = 0;
    const auto take = [&](const Exact& candidate) { worst = std::max(worst, candidate); };
    if (set.kind == "ball") take(excess_over(x, exact(set.center), *set.radius));
    if (set.kind == "box") {
      Exact squares = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double low = set.lower[static_cast<Index>(j)], high = set.upper[static_cast<Index>(j)];
        Exact off = 0;
        if (std::isfinite(low) && x[j] < low) off = low - x[j];
        if (std::isfinite(high) && x[j] > high) off = x[j] - high;
        squares += off * off;
      }
      take(root(squares));
    }
    if (set.kind == "simplex" || set.kind == "nonnegative-ball") {
      for (const Exact& entry : x) take(-entry);
    }
    if (set.kind == "simplex") {
      Exact sum = -Exact(set.total);
      for (const Exact& entry : x) sum += entry;
      take(abs(sum) / root(Exact(x.size())));
    }
    if (set.kind == "nonnegative-ball") take(excess_over(x, zero, *set.radius));
    if (set.kind == "l1-ball") {
      Exact sum = -Exact(*set.radius);
      for (const Exact& entry : minus(x, exact(set.center))) sum += abs(entry);
      take(sum / root(Exact(x.size())));
    }
    if (set.kind == "halfspace" || set.kind == "affine") take(excess_over(x, zero, *set.radius));
    if (set.kind == "halfspace") {
      const ExactVector normal = exact(set.coefficients);
      take((dot(normal, x) - set.value) / norm(normal));
    }
    if (set.kind == "affine") {
      for (Index i = 0; i < set.matrix.rows(); ++i) {
        const ExactVector row = exact_row(set.matrix, i);
        const Exact length = norm(row);
        if (length > 0) take(abs(Exact(dot(row, x) - set.values[i])) / length);
      }
    }
    return worst;
  }

  const ExactVector& x_;
  bool outside_ = false;
};

}  // namespace

std::vector<ExactVector> rows_of(const io::DataMatrix& data) {
  std::vector<ExactVector> rows;
  if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) {
    for (Index i = 0; i < dense->rows(); ++i) rows.push_back(exact_row(*dense, i));
    return rows;
  }
  const auto& sparse = std::get<CsrMatrix>(data.matrix);
  for (std::size_t i = 0; i < static_cast<std::size_t>(sparse.rows); ++i) {
    rows.emplace_back(static_cast<std::size_t>(sparse.cols), Exact(0));
    for (auto k = static_cast<std::size_t>(sparse.starts[i]); k < static_cast<std::size_t>(sparse.starts[i + 1]);
         ++k)
      rows.back()[static_cast<std::size_t>(sparse.columns[k])] += sparse.values[k];
  }
  return rows;
}

Exact value(const io::TermData& term, const ExactVector& x) {
  if (term.weight == 0.0) return 0;
  const Exact share = term.average && term.data ? Exact(1) / Exact(term.data->rows()) : Exact(1);
  return Exact(term.weight) * share * unweighted(term, x);
}

Exact value(const std::vector<io::TermData>& terms, const ExactVector& x) {
  Exact sum = 0;
  for (const io::TermData& term : terms) sum += value(term, x);
  return sum;
}

bool clearly_outside(const io::SetData& set, const ExactVector& x) { return Membership(x).clearly_outside(set); }

}  // namespace fcbio::adversary
