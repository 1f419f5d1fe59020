#include "functions/cases.hpp"

#include <cmath>

#include "fcbio/eigen_sparse.hpp"
#include "fcbio/weighted.hpp"

namespace fcbio::test {
namespace {

using Scalar = std::function<Real(Real, Real)>;
using Kink = std::function<bool(double, double)>;

RealVector real(const Vector& v) { return v.cast<Real>(); }
Vector numbers(Random& random, Index n, double range) {
  return range > 0.0 ? wild(random, n, range) : gaussian(random, n);
}

/// sum w_i h(u_i, b_i), with duals w d and the conjugate sum w_i h*(r_i / w_i); no weights are ones.
LossCase separable(LossPtr loss, Vector b, Scalar h, Scalar conjugate, Kink kink, bool has_hessian,
                   Vector w = {}) {
  LossCase result;
  result.name = std::string(loss->name());
  result.loss = std::move(loss);
  if (w.size() == 0) w = Vector::Ones(b.size());
  result.value = [=](const RealVector& u) {
    Real total = 0;
    for (Index i = 0; i < u.size(); ++i) total += w[i] * h(u[i], b[i]);
    return total;
  };
  result.conjugate = [=](const RealVector& r) {
    Real total = 0;
    for (Index i = 0; i < r.size(); ++i)
      if (w[i] > 0.0) total += w[i] * conjugate(r[i] / w[i], b[i]);
    return total;
  };
  result.near_kink = [=](double u, Index i) { return kink(u, b[i]); };
  result.has_hessian = has_hessian;
  return result;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-3; }
bool never(double, double) { return false; }

}  // namespace

Vector gaussian(Random& random, Index n, double scale) {
  std::normal_distribution<double> normal;
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = scale * normal(random);
  return v;
}

Vector wild(Random& random, Index n, double range) {
  std::uniform_real_distribution<double> exponent(-range, range);
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = std::pow(10.0, exponent(random)) * (random() % 2 == 0 ? 1.0 : -1.0);
  return v;
}

Vector signs(Random& random, Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = random() % 2 == 0 ? 1.0 : -1.0;
  return v;
}

std::vector<LossCase> loss_cases(Index m, std::uint64_t seed, double range) {
  Random random(seed);
  const Vector b = numbers(random, m, range);
  const Vector labels = signs(random, m);
  const double delta = 0.7;
  const double tau = 0.3;
  const auto times = [](Real r, Real t) { return r * t; };
  const auto halfsquare = [](Real r, Real t) { return r * r / 2 + r * t; };

  std::vector<LossCase> cases;
  Vector weights = numbers(random, m, range).cwiseAbs();
  weights[0] = 0.0;
  if (m == 1) weights[0] = 0.3;
  const auto add = [&](const LossPtr& loss, const Vector& targets, const Scalar& h, const Scalar& conjugate,
                       const Kink& kink, bool has_hessian) {
    cases.push_back(separable(loss, targets, h, conjugate, kink, has_hessian));
    cases.push_back(separable(weighted_loss(loss, weights), targets, h, conjugate, kink, has_hessian, weights));
  };
  add(
      least_squares_loss(b), b, [](Real u, Real t) { return (u - t) * (u - t) / 2; }, halfsquare, never, true);
  add(
      logistic_loss(labels), labels,
      [](Real u, Real t) { return -t * u > 11000 ? -t * u : std::log1p(std::exp(-t * u)); },
      [](Real r, Real t) {
        const Real p = -t * r;
        return (p > 0 ? p * std::log(p) : 0) + (p < 1 ? (1 - p) * std::log1p(-p) : 0);
      },
      never, true);
  add(
      huber_loss(b, delta), b,
      [=](Real u, Real t) {
        const Real r = std::abs(u - t);
        return r <= delta ? r * r / 2 : delta * r - Real(delta) * delta / 2;
      },
      halfsquare, [=](double u, double t) { return near(std::abs(u - t), delta); }, true);
  add(
      squared_hinge_loss(labels), labels,
      [](Real u, Real t) {
        const Real s = std::max(Real(0), 1 - t * u);
        return s * s / 2;
      },
      [](Real r, Real t) { return r * r / 2 + t * r; }, [](double u, double t) { return near(t * u, 1.0); }, true);
  add(
      hinge_loss(labels), labels, [](Real u, Real t) { return std::max(Real(0), 1 - t * u); }, times,
      [](double u, double t) { return near(t * u, 1.0); }, false);
  add(
      absolute_loss(b), b, [](Real u, Real t) { return std::abs(u - t); }, times, near, false);
  add(
      quantile_loss(b, tau), b,
      [=](Real u, Real t) { return std::max(Real(tau) * (t - u), (Real(tau) - 1) * (t - u)); }, times, near,
      false);

  const RealVector offsets = real(b);
  LossCase largest;
  largest.name = "max-affine";
  largest.loss = max_affine_loss(b);
  largest.value = [=](const RealVector& u) { return (u + offsets).maxCoeff(); };
  largest.conjugate = [=](const RealVector& r) { return -r.dot(offsets); };
  largest.near_kink = [](double, Index) { return false; };  // almost never, at random points
  largest.on_simplex = true;
  cases.push_back(largest);

  LossCase soft = largest;
  soft.name = "log-sum-exp";
  soft.loss = log_sum_exp_loss(b);
  soft.value = [=](const RealVector& u) {
    const RealVector v = u + offsets;
    const Real top = v.maxCoeff();
    return top + std::log((v.array() - top).exp().sum());
  };
  soft.conjugate = [=](const RealVector& r) {
    Real total = -r.dot(offsets);
    for (Index i = 0; i < r.size(); ++i) total += r[i] > 0 ? r[i] * std::log(r[i]) : Real(0);
    return total;
  };
  soft.has_hessian = true;
  cases.push_back(soft);
  return cases;
}

CsrMatrix csr_of(const RowMajorMatrix& matrix) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = matrix.sparseView();
  return to_csr(sparse);
}

RowMajorMatrix random_semidefinite(Random& random, Index n, Index k, double range) {
  RowMajorMatrix b(k, n);
  for (Index i = 0; i < k; ++i) b.row(i) = numbers(random, n, range).transpose();
  RowMajorMatrix q = b.transpose() * b;
  return 0.5 * (q + q.transpose().eval());
}

std::vector<TermCase> term_cases(Index m, Index n, std::uint64_t seed, double range) {
  Random random(seed);
  std::vector<TermCase> cases;

  const auto add_losses = [&](const std::string& kind, const RowMajorMatrix& matrix, const LinearMapPtr& map) {
    const RealMatrix exact = matrix.cast<Real>();
    for (const LossCase& loss : loss_cases(matrix.rows(), seed + 1, range)) {
      TermCase term;
      term.name = loss.name + " of " + kind;
      term.term = loss_term(map, loss.loss);
      term.value = [=](const RealVector& x) { return loss.value(exact * x); };
      term.minorant = [=](const Vector& d) {
        RealVector r = real(d);
        if (loss.on_simplex) r /= r.sum();
        return Minorant{-loss.conjugate(r), exact.transpose() * r};
      };
      term.smooth = loss.loss->smoothness().has_value();
      term.has_hessian = loss.has_hessian;
      cases.push_back(term);
    }
  };
  RowMajorMatrix dense(m, n);
  for (Index i = 0; i < m; ++i) dense.row(i) = numbers(random, n, range).transpose();
  RowMajorMatrix sparse = dense;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) sparse(i, j) = random() % 3 == 0 ? sparse(i, j) : 0.0;
  }
  add_losses("dense", dense, dense_map(dense));
  add_losses("sparse", sparse, sparse_map(csr_of(sparse)));
  add_losses("identity", RowMajorMatrix::Identity(n, n), identity_map(n));

  const Vector c = numbers(random, n, range);
  const RealVector centre = real(c);
  cases.push_back({"squared-norm", squared_norm_term(c),
                   [=](const RealVector& x) { return (x - centre).squaredNorm() / 2; },
                   [=](const Vector&) {
                     return Minorant{centre.squaredNorm() / 2, -centre};
                   },
                   true, true});
  cases.push_back({"linear", linear_term(c), [=](const RealVector& x) { return centre.dot(x); },
                   [=](const Vector&) {
                     return Minorant{0, centre};
                   },
                   true, true});
  cases.push_back({"l1-norm", l1_norm_term(c), [=](const RealVector& x) { return (x - centre).cwiseAbs().sum(); },
                   [=](const Vector& d) {
                     return Minorant{-real(d).dot(centre), real(d)};
                   },
                   false, false});

  Vector w = numbers(random, n, range).cwiseAbs();
  w[0] = n > 1 ? 0.0 : 0.3;
  const RealVector weights = real(w);
  cases.push_back({"weighted l1-norm", weighted_l1_norm(c, w).parts().front().term,
                   [=](const RealVector& x) { return weights.dot((x - centre).cwiseAbs()); },
                   [=](const Vector& d) {
                     return Minorant{-real(d).dot(centre), real(d)};
                   },
                   false, false});
  cases.push_back({"weighted squared-norm", weighted_squared_norm(c, w).parts().front().term,
                   [=](const RealVector& x) { return weights.dot((x - centre).cwiseAbs2()) / 2; },
                   [=](const Vector& d) {
                     Minorant minorant{0, real(d)};
                     for (Index j = 0; j < n; ++j)
                       if (w[j] > 0.0) minorant.constant -= d[j] * (Real(d[j]) / w[j] / 2 + centre[j]);
                     return minorant;
                   },
                   true, true});

  const RowMajorMatrix q = random_semidefinite(random, n, n / 2 + 1, range);
  const RealMatrix exact_q = q.cast<Real>();
  const double constant = -1.25;
  const auto quadratic_case = [&](const std::string& name, TermPtr term) {
    cases.push_back({name, std::move(term),
                     [=](const RealVector& x) { return x.dot(exact_q * x) / 2 + centre.dot(x) + constant; },
                     [=](const Vector& d) {
                       const RealVector y = real(d.head(d.size() / 2));
                       const RealVector slope = exact_q * y;
                       return Minorant{constant - y.dot(slope) / 2, slope + centre};
                     },
                     true, true});
  };
  quadratic_case("quadratic dense", quadratic_term(q, c, constant));
  quadratic_case("quadratic sparse", quadratic_term(csr_of(q), c, constant));
  return cases;
}

Evaluation::Evaluation(const Term& term, Vector point)
    : x(std::move(point)), u(Vector::Zero(term.image_size())), d(Vector::Zero(term.dual_size())) {
  if (u.size() > 0) term.image(x, u);
  term.linear_dual(x, u, d);
}

Vector Evaluation::gradient(const Term& term) {
  Vector g = Vector::Zero(term.dimension());
  term.add_gradient(1.0, x, u, d, g);
  return g;
}

}  // namespace fcbio::test
