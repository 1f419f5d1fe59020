#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/overloaded.hpp"
#include "support/kinds.hpp"

namespace fcbio::adversary {
namespace {

using test::Centred;
using test::RowSum;

// The loss of one row: u is its product with x, b its target.
Exact row_value(const data::LeastSquares&, const Exact& u, const Exact& b) { return (u - b) * (u - b) / 2; }
Exact row_value(const data::Huber& huber, const Exact& u, const Exact& b) {
  const Exact r = u - b, delta = huber.delta;
  return abs(r) <= delta ? Exact(r * r / 2) : Exact(delta * abs(r) - delta * delta / 2);
}
Exact row_value(const data::Absolute&, const Exact& u, const Exact& b) { return abs(u - b); }
Exact row_value(const data::Quantile& quantile, const Exact& u, const Exact& b) {
  const Exact r = u - b, tau = quantile.tau;
  return std::max(Exact(tau * -r), Exact((tau - 1) * -r));
}
Exact row_value(const data::Logistic&, const Exact& u, const Exact& b) { return log_one_plus_exp(-b * u); }
Exact row_value(const data::Hinge&, const Exact& u, const Exact& b) {
  return std::max(Exact(0), Exact(1 - b * u));
}
Exact row_value(const data::SquaredHinge&, const Exact& u, const Exact& b) {
  const Exact margin = 1 - b * u;
  return margin > 0 ? Exact(margin * margin / 2) : Exact(0);
}

/// An absent vector is zero.
Exact entry(const Vector& vector, std::size_t j) {
  return vector.size() == 0 ? Exact(0) : Exact(vector[static_cast<Index>(j)]);
}

ExactVector image_of(const data::Matrix& matrix, const ExactVector& x) {
  ExactVector image;
  for (const ExactVector& row : exact_rows(matrix)) image.push_back(dot(row, x));
  return image;
}

template <class Kind>
ExactVector shifted_image(const Kind& kind, const ExactVector& x) {
  ExactVector image = image_of(kind.data, x);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] += entry(kind.target, i);
  return image;
}

Exact unweighted(const data::Term& term, const ExactVector& x) {
  return std::visit(Overloaded{
                        [&](const data::SquaredNorm& norm) {
                          Exact sum = 0;
                          for (std::size_t j = 0; j < x.size(); ++j) {
                            const Exact off = x[j] - entry(norm.center, j);
                            sum += weight_at(norm.weights, j) * off * off / 2;
                          }
                          return sum;
                        },
                        [&](const data::L1Norm& norm) {
                          Exact sum = 0;
                          for (std::size_t j = 0; j < x.size(); ++j)
                            sum += weight_at(norm.weights, j) * abs(Exact(x[j] - entry(norm.center, j)));
                          return sum;
                        },
                        [&](const data::Linear& linear) {
                          Exact sum = 0;
                          for (std::size_t j = 0; j < x.size(); ++j) sum += entry(linear.coefficients, j) * x[j];
                          return sum;
                        },
                        [&](const data::Quadratic& quadratic) {
                          const ExactVector image = image_of(quadratic.matrix, x);
                          Exact sum = quadratic.constant;
                          for (std::size_t i = 0; i < image.size(); ++i)
                            sum += x[i] * (image[i] / 2 + entry(quadratic.coefficients, i));
                          return sum;
                        },
                        [&](const data::MaxAffine& pieces) {
                          const ExactVector image = shifted_image(pieces, x);
                          return *std::max_element(image.begin(), image.end());
                        },
                        [&](const data::LogSumExp& pieces) { return log_sum_exp(shifted_image(pieces, x)); },
                        [&]<RowSum Kind>(const Kind& kind) {
                          const ExactVector image = image_of(kind.data, x);
                          Exact sum = 0;
                          for (std::size_t i = 0; i < image.size(); ++i)
                            sum += weight_at(kind.sample_weights, i) *
                                   row_value(kind, image[i], entry(kind.target, i));
                          return sum;
                        },
                    },
                    term.kind);
}

/// Members whose distances count one by one, with the size by which the distance is judged.
class Membership {
 public:
  explicit Membership(const ExactVector& x) : x_(x) {}

  bool clearly_outside(const data::Set& set) {
    visit(set, 0, std::nullopt);
    return outside_;
  }

 private:
  static Exact size_of(const data::Set& set) {
    return std::visit(Overloaded{
                          [](const data::Box& box) {
                            Exact squares = 0;
                            for (Index j = 0; j < box.lower.size(); ++j) {
                              const double width = box.upper[j] - box.lower[j];
                              const Exact finite = std::isfinite(width) ? width : 1e300;
                              squares += finite * finite;
                            }
                            return root(squares);
                          },
                          [](const data::Simplex& simplex) { return Exact(simplex.total); },
                          [](const data::CappedSimplex& simplex) { return Exact(simplex.total); },
                          [](const data::Polyhedron& polyhedron) {
                            return size_of({data::Box{polyhedron.lower, polyhedron.upper}});
                          },
                          [](const data::Orthant& orthant) { return Exact(orthant.radius.value_or(1e300)); },
                          [](const data::Halfspace& half) { return Exact(half.radius.value_or(1e300)); },
                          [](const data::Affine& affine) { return Exact(affine.radius.value_or(1e300)); },
                          [](const data::WholeSpace&) { return Exact(1e300); },
                          [](const data::Product&) { return Exact(1e300); },
                          [](const data::Intersection& intersection) {
                            Exact smallest = size_of(intersection.sets.front());
                            for (const data::Set& member : intersection.sets)
                              smallest = std::min(smallest, size_of(member));
                            return smallest;
                          },
                          [](const auto& round) { return Exact(round.radius); },
                      },
                      set.kind);
  }

  void visit(const data::Set& set, std::size_t offset, const std::optional<Exact>& given_size) {
    if (const auto* product = std::get_if<data::Product>(&set.kind)) {
      for (const data::Set& part : product->sets) {
        visit(part, offset, std::nullopt);
        offset += static_cast<std::size_t>(part.dimension);
      }
      return;
    }
    const Exact size = given_size ? *given_size : size_of(set);
    if (const auto* intersection = std::get_if<data::Intersection>(&set.kind)) {
      for (const data::Set& member : intersection->sets) visit(member, offset, size);
      return;
    }
    const auto begin = x_.begin() + static_cast<std::ptrdiff_t>(offset);
    const ExactVector x(begin, begin + set.dimension);
    Exact spacing = norm(x);
    std::visit(
        [&]<class Kind>(const Kind& kind) {
          if constexpr (Centred<Kind>) spacing += norm(exact(kind.center));
        },
        set.kind);
    const Exact allowed = size * 1e-6 + spacing * 1e-14;
    if (distance(set, x) > allowed) outside_ = true;
  }

  static Exact distance(const data::Set& set, const ExactVector& x) {
    Exact worst = 0;
    const auto take = [&](const Exact& candidate) { worst = std::max(worst, candidate); };
    const auto within = [&](double radius) { take(norm(x) - radius); };
    const auto nonnegative = [&] {
      for (const Exact& coordinate : x) take(-coordinate);
    };
    std::visit(Overloaded{
                   [&](const data::Ball& ball) { take(norm(minus(x, exact(ball.center))) - ball.radius); },
                   [&](const data::Box& box) {
                     Exact squares = 0;
                     for (std::size_t j = 0; j < x.size(); ++j) {
                       const double low = box.lower[static_cast<Index>(j)],
                                    high = box.upper[static_cast<Index>(j)];
                       Exact off = 0;
                       if (std::isfinite(low) && x[j] < low) off = low - x[j];
                       if (std::isfinite(high) && x[j] > high) off = x[j] - high;
                       squares += off * off;
                     }
                     take(root(squares));
                   },
                   [&](const data::Simplex& simplex) {
                     nonnegative();
                     Exact sum = -Exact(simplex.total);
                     for (const Exact& coordinate : x) sum += coordinate;
                     take(abs(sum) / root(Exact(x.size())));
                   },
                   [&](const data::Orthant&) { nonnegative(); },
                   [&](const data::CappedSimplex& simplex) {
                     nonnegative();
                     Exact sum = -Exact(simplex.total);
                     for (const Exact& coordinate : x) {
                       sum += coordinate;
                       take(coordinate - simplex.cap);
                     }
                     take(abs(sum) / root(Exact(x.size())));
                   },
                   [&](const data::Polyhedron& polyhedron) {
                     const std::vector<ExactVector> rows = exact_rows(polyhedron.matrix);
                     for (std::size_t i = 0; i < rows.size(); ++i) {
                       const double low = polyhedron.row_lower[static_cast<Index>(i)],
                                    high = polyhedron.row_upper[static_cast<Index>(i)];
                       const Exact length = norm(rows[i]), product = dot(rows[i], x);
                       if (!(length > 0)) continue;
                       if (std::isfinite(low)) take((low - product) / length);
                       if (std::isfinite(high)) take((product - high) / length);
                     }
                     for (std::size_t j = 0; j < x.size(); ++j) {
                       const double low = polyhedron.lower[static_cast<Index>(j)],
                                    high = polyhedron.upper[static_cast<Index>(j)];
                       if (std::isfinite(low)) take(low - x[j]);
                       if (std::isfinite(high)) take(x[j] - high);
                     }
                   },
                   [&](const data::NonnegativeBall& ball) {
                     nonnegative();
                     within(ball.radius);
                   },
                   [&](const data::L1Ball& ball) {
                     Exact sum = -Exact(ball.radius);
                     for (const Exact& coordinate : minus(x, exact(ball.center))) sum += abs(coordinate);
                     take(sum / root(Exact(x.size())));
                   },
                   [&](const data::Halfspace& half) {
                     if (half.radius) within(*half.radius);
                     const ExactVector normal = exact(half.coefficients);
                     take((dot(normal, x) - half.value) / norm(normal));
                   },
                   [&](const data::Affine& affine) {
                     if (affine.radius) within(*affine.radius);
                     for (Index i = 0; i < affine.matrix.rows(); ++i) {
                       const ExactVector row = exact_row(affine.matrix, i);
                       const Exact length = norm(row);
                       if (length > 0) take(abs(Exact(dot(row, x) - affine.values[i])) / length);
                     }
                   },
                   [](const data::WholeSpace&) {},
                   [](const data::Intersection&) {},  // visit() goes to the members
                   [](const data::Product&) {},
               },
               set.kind);
    return worst;
  }

  const ExactVector& x_;
  bool outside_ = false;
};

}  // namespace

Exact weight_at(const Vector& weights, std::size_t i) {
  return weights.size() == 0 ? Exact(1) : Exact(weights[static_cast<Index>(i)]);
}

std::vector<ExactVector> exact_rows(const data::Matrix& matrix) {
  std::vector<ExactVector> rows;
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix.matrix)) {
    for (Index i = 0; i < dense->rows(); ++i) rows.push_back(exact_row(*dense, i));
    return rows;
  }
  const auto& sparse = std::get<CsrMatrix>(matrix.matrix);
  for (std::size_t i = 0; i < static_cast<std::size_t>(sparse.rows); ++i) {
    rows.emplace_back(static_cast<std::size_t>(sparse.cols), Exact(0));
    for (auto k = static_cast<std::size_t>(sparse.starts[i]); k < static_cast<std::size_t>(sparse.starts[i + 1]);
         ++k)
      rows.back()[static_cast<std::size_t>(sparse.columns[k])] += sparse.values[k];
  }
  return rows;
}

Exact value(const data::Term& term, const ExactVector& x) {
  if (term.weight == 0.0) return 0;
  const Exact share = data::is_average(term) ? Exact(1) / Exact(data::rows_of(term)->rows()) : Exact(1);
  return Exact(term.weight) * share * unweighted(term, x);
}

Exact value(const std::vector<data::Term>& terms, const ExactVector& x) {
  Exact sum = 0;
  for (const data::Term& term : terms) sum += value(term, x);
  return sum;
}

bool clearly_outside(const data::Set& set, const ExactVector& x) { return Membership(x).clearly_outside(set); }

}  // namespace fcbio::adversary
