// Small problems with a known optimum and an honest certificate, worked out by hand.
#pragma once

#include <cmath>

#include "claims.hpp"
#include "samples.hpp"

namespace fcbio::verify::known {

struct Known {
  std::string name;
  data::Problem problem;
  Claims claims;
};

inline const std::string kFingerprint = "0123456789abcdef";

inline data::Term squared_norm(Vector centre, double weight = 1) {
  return {data::SquaredNorm{std::move(centre)}, weight};
}

inline data::Term linear(Vector coefficients) { return {data::Linear{std::move(coefficients)}}; }

inline data::Term quadratic(RowMajorMatrix q, Vector coefficients) {
  return {data::Quadratic{{std::move(q)}, std::move(coefficients)}};
}

template <test::RowSum Kind>
data::Term on_data(RowMajorMatrix data, Vector target, double weight = 1) {
  return {Kind{{std::move(data)}, std::move(target)}, weight};
}

inline data::Set box(Vector lower, Vector upper) { return {data::Box{std::move(lower), std::move(upper)}}; }

inline data::Set halfspace(Vector coefficients, double value) {
  return {data::Halfspace{std::move(coefficients), value, 10}};
}

inline data::Set intersection(std::vector<data::Set> sets) { return {data::Intersection{std::move(sets)}}; }

inline Known start_of(const std::string& name, Index n) {
  Known known;
  known.name = name;
  known.problem.dimension = n;
  known.claims.fingerprint = kFingerprint;
  known.claims.status = "certified";
  known.claims.evidence = "proved";
  known.claims.upper_accuracy = known.claims.lower_accuracy = 1e-6;
  known.claims.lower_bound.kind = known.claims.upper_bound.kind = "dual";
  return known;
}

/// x is taken as the reference too.  Claims are rounded to the safe side, as a solver does.
inline void claim(Known& known, std::vector<double> x, double f, double g, double upper_bound,
                  double lower_bound) {
  Claims& claims = known.claims;
  claims.x = claims.reference = std::move(x);
  claims.upper_value = f;
  claims.lower_value = g;
  const auto down = [](double bound) { return bound == 0 ? -1e-15 : bound - 1e-15 * std::abs(bound); };
  claims.upper_lower_bound = down(upper_bound);
  claims.lower_lower_bound = down(lower_bound);
  claims.upper_excess = f - *claims.upper_lower_bound + 1e-15 * (1 + std::abs(f));
  claims.lower_gap = g - *claims.lower_lower_bound + 1e-15 * (1 + std::abs(g));
}

/// min 1/2 |x|^2  s.t.  x minimises 1/2 (x1 + x2 - 2)^2 over |x| <= 2:  x* = (1, 1), f* = 1, g* = 0.
/// With mu d = -1 the Lagrangian bound is 1 - 1/(2 mu).
inline Known minimum_norm() {
  Known known = start_of("minimum norm", 2);
  known.problem.upper = {squared_norm(Vector::Zero(2))};
  known.problem.lower = {on_data<data::LeastSquares>(RowMajorMatrix{{1, 1}}, Vector{{2}})};
  known.problem.domain.kind = data::Ball{2, {}};
  claim(known, {1, 1}, 1, 0, 1 - 1.0 / 2097152 - 1e-14, 0);
  known.claims.multiplier = 1048576;  // 2^20
  known.claims.lower_bound.kind = "known";
  known.claims.upper_bound.upper_duals = {{}};
  known.claims.upper_bound.lower_duals = {{-1.0 / 1048576}};
  known.claims.upper_bound.point = {1, 1};
  return known;
}

/// min 1/2 |x - (1, 1/2, 1)|^2  s.t.  x minimises x1 + x2 + 2 x3 over the simplex: the face x1 + x2 = 1, x3 = 0,
/// x* = (3/4, 1/4, 0), f* = 9/16, g* = 1.
inline Known simplex_with_ties() {
  Known known = start_of("simplex with ties", 3);
  known.problem.upper = {squared_norm(Vector{{1, 0.5, 1}})};
  known.problem.lower = {linear(Vector{{1, 1, 2}})};
  known.problem.domain.kind = data::Simplex{};
  claim(known, {0.75, 0.25, 0}, 0.5625, 1, 0.5625, 1);
  known.claims.multiplier = 1;
  known.claims.lower_bound.lower_duals = {{}};
  known.claims.upper_bound.upper_duals = {{}};
  known.claims.upper_bound.lower_duals = {{}};
  known.claims.upper_bound.point = {0.75, 0.25, 0};
  return known;
}

/// FrankeEtal2018Ex511: min 1/2 ((y1-2)^2 + y2^2 + (y3-2)^2)  s.t.  y minimises y1 + y2 + y3 over y1 >= |y2|, y3
/// >= 0: y* = (1, -1, 0), f* = 3, g* = 0.
inline Known franke_511() {
  Known known = start_of("Franke 5.11", 3);
  known.problem.upper = {squared_norm(Vector{{2, 0, 2}})};
  known.problem.lower = {linear(Vector{{1, 1, 1}})};
  known.problem.domain = intersection({halfspace(Vector{{-1, 1, 0}}, 0), halfspace(Vector{{-1, -1, 0}}, 0),
                                       box(Vector{{-kInfinity, -kInfinity, 0}}, Vector::Constant(3, kInfinity))});
  claim(known, {1, -1, 0}, 3, 0, 3 - 4e-12, 0);
  known.claims.reference = {1 + 0x1p-40, -1, 0};  // in Z with room
  // (1, 1, 1) = -(second normal) + (0, 0, 1), and (1, 1, 0) = -(second normal): nothing is left for the first.
  known.claims.lower_bound.domain = {{}, {{}, {1, 1, 0}, {0, 0, 1}}, {{}, {{1}, {}, {}}, {}}};
  known.claims.upper_bound.domain = {{}, {{}, {1, 1, 0}, {0, 0, 0}}, {{}, {{1}, {}, {}}, {}}};
  known.claims.multiplier = 2;
  known.claims.lower_bound.lower_duals = {{}};
  known.claims.upper_bound.upper_duals = {{}};
  known.claims.upper_bound.lower_duals = {{}};
  known.claims.upper_bound.point = {1, -1, 0};
  return known;
}

/// FrankeEtal2018Ex53: min y1^2 + y2^2  s.t.  y minimises (y1 - 2)^2 over [0, 1]^2:  y* = (1, 0), f* = 1, g* = 1.
inline Known franke_53() {
  Known known = start_of("Franke 5.3", 2);
  known.problem.upper = {quadratic(RowMajorMatrix{{2, 0}, {0, 2}}, Vector::Zero(2))};
  known.problem.lower = {on_data<data::LeastSquares>(RowMajorMatrix{{1, 0}}, Vector{{2}}, 2)};
  known.problem.domain = box(Vector::Zero(2), Vector::Ones(2));
  claim(known, {1, 0}, 1, 1, 1, 1);
  known.claims.multiplier = 1;
  known.claims.lower_bound.lower_duals = {{-1}};
  known.claims.upper_bound.upper_duals = {{1, 0}};
  known.claims.upper_bound.lower_duals = {{-1}};
  return known;
}

/// MitsosBarton2006Ex31: min y  s.t.  y minimises -y over [-1, 1]:  y* = 1, f* = 1, g* = -1.
inline Known mitsos_barton_31() {
  Known known = start_of("Mitsos-Barton 3.1", 1);
  known.problem.upper = {linear(Vector{{1}})};
  known.problem.lower = {linear(Vector{{-1}})};
  known.problem.domain = box(Vector{{-1}}, Vector{{1}});
  claim(known, {1}, 1, -1, 1, -1);
  known.claims.multiplier = 1;
  known.claims.lower_bound.lower_duals = {{}};
  known.claims.upper_bound.upper_duals = {{}};
  known.claims.upper_bound.lower_duals = {{}};
  return known;
}

/// min 1/2 (x - 0.01)^2  s.t.  x minimises log(1 + e^-x) + log(1 + e^x) over [-1, 1]:  x* = 0, f* = 5e-5, g* = 2
/// log 2. With p = 1/2 -+ e/2 and mu e = 0.01 the bound is f* - mu e^2 = f* - 1e-4/mu, up to fourth order in e.
inline Known logistic_line() {
  Known known = start_of("logistic in one dimension", 1);
  known.problem.upper = {squared_norm(Vector{{0.01}})};
  known.problem.lower = {on_data<data::Logistic>(RowMajorMatrix{{1.0}, {1.0}}, Vector{{1, -1}})};
  known.problem.domain = box(Vector{{-1}}, Vector{{1}});
  const double mu = 1024, e = 0.01 / mu;
  claim(known, {0}, 5e-5, 2 * std::log(2.0), 5e-5 - 1e-4 / mu - 1e-12, 2 * std::log(2.0) - 1e-15);
  known.claims.multiplier = mu;
  known.claims.lower_bound.lower_duals = {{-0.5, 0.5}};
  known.claims.upper_bound.upper_duals = {{}};
  known.claims.upper_bound.lower_duals = {{-0.5 + e / 2, 0.5 + e / 2}};
  known.claims.upper_bound.point = {0};
  return known;
}

/// The toy P6: min x1^2/2 - x1/2 + x2/10  s.t.  x minimises -(x1 + x2) over x1 + x2 <= 1, 4 x1 + 6 x2 <= 5, x >=
/// 0: x* = (3/5, 2/5), f* = -0.08, g* = -1.
inline Known toy() {
  Known known = start_of("toy", 2);
  known.problem.upper = {quadratic(RowMajorMatrix{{1, 0}, {0, 0}}, Vector{{-0.5, 0.1}})};
  known.problem.lower = {linear(Vector{{-1, -1}})};
  known.problem.domain = intersection({halfspace(Vector{{1, 1}}, 1), halfspace(Vector{{4, 6}}, 5),
                                       box(Vector::Zero(2), Vector::Constant(2, kInfinity))});
  claim(known, {0.6, 0.4}, -0.08, -1, -0.08 - 1e-12, -1);
  known.claims.reference = {0.6 - 0x1p-40, 0.4};  // in Z with room
  known.claims.lower_bound.domain = {{}, {{-1, -1}, {}, {0, 0}}, {{{1}, {}, {}}, {}, {}}};
  known.claims.upper_bound.domain = {{}, {{0, 0}, {}, {0, 0}}, {}};
  known.claims.multiplier = 0.1;
  known.claims.lower_bound.lower_duals = {{}};
  known.claims.upper_bound.upper_duals = {{0.6, 0.4}};
  known.claims.upper_bound.lower_duals = {{}};
  return known;
}

inline std::vector<Known> all() {
  return {minimum_norm(),     simplex_with_ties(), franke_511(), franke_53(),
          mitsos_barton_31(), logistic_line(),     toy()};
}

}  // namespace fcbio::verify::known
