// A linear lower level with ties: its minimisers are a face of the set, and the upper level asks for the point of
// that face nearest to a centre.  Both the face and the projection on it have closed forms.
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/builders.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

double half_squared_distance(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (Index j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return 0.5 * sum;
}

void check_ties(std::int64_t ties, std::int64_t dimension) {
  if (ties > dimension)
    throw InvalidArgument(
        fmt::format("option 'ties': expected at most dimension = {}, found {}; lower ties or raise dimension",
                    dimension, ties));
}

Instance face_instance(data::Set domain, const Vector& center, const Vector& coefficients, Vector x) {
  Instance instance;
  instance.upper_optimum = half_squared_distance(x, center);
  instance.lower_optimum = dot(coefficients, x);
  instance.data =
      assemble(std::move(domain), squared_norm_term_data(center), linear_term_data(coefficients), kUsualAccuracy);
  instance.solution = std::move(x);
  return instance;
}

// Coefficients are 1 on the tied coordinates and between 1.5 and 3 elsewhere, so the face is the simplex on the
// tied coordinates.
Instance simplex_face(const Parameters& options, Random& random) {
  const Index n = options.dimension;
  check_ties(options.ties, options.dimension);
  const std::vector<Index> order = random.permutation(n);
  const auto ties = static_cast<std::size_t>(options.ties);
  Vector coefficients(n);
  for (Index j = 0; j < n; ++j) coefficients[j] = random.uniform(1.5, 3.0);
  for (std::size_t k = 0; k < ties; ++k) coefficients[order[k]] = 1.0;
  const Vector center = options.spread * random.normal_vector(n);

  Vector tied_center(options.ties);
  for (std::size_t k = 0; k < ties; ++k) tied_center[static_cast<Index>(k)] = center[order[k]];
  const Vector tied = nearest_on_simplex(tied_center, options.total);
  Vector x = Vector::Zero(n);
  for (std::size_t k = 0; k < ties; ++k) x[order[k]] = tied[static_cast<Index>(k)];

  return face_instance({data::Simplex{options.total}, n}, center, coefficients, std::move(x));
}

// Coefficients are 0 on the tied coordinates and between 0.5 and 2 in size elsewhere: those coordinates sit at the
// end that their sign asks for, the tied ones are the centre clipped to the box.
Instance box_face(const Parameters& options, Random& random) {
  const Index n = options.dimension;
  check_ties(options.ties, options.dimension);
  const std::vector<Index> order = random.permutation(n);
  Vector lower(n), upper(n), coefficients(n);
  for (Index j = 0; j < n; ++j) {
    lower[j] = random.uniform(-2.0, 0.0);
    upper[j] = lower[j] + random.uniform(0.5, 2.0);
    const double size = random.uniform(0.5, 2.0);
    coefficients[j] = random.uniform() < 0.5 ? -size : size;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(options.ties); ++k) coefficients[order[k]] = 0.0;
  const Vector center = options.spread * random.normal_vector(n);

  Vector x(n);
  for (Index j = 0; j < n; ++j) {
    if (coefficients[j] == 0.0)
      x[j] = std::clamp(center[j], lower[j], upper[j]);
    else
      x[j] = coefficients[j] > 0.0 ? lower[j] : upper[j];
  }
  return face_instance(box_set(lower, upper), center, coefficients, std::move(x));
}

}  // namespace

std::vector<Entry> face_entries() {
  constexpr double kMost = 1e6;
  return {
      seeded_entry(
          {"simplex-face", "linear g with ties on a simplex; f = 1/2 |x - c|^2 picks a point of the optimal face",
           "x* = the projection of c on the simplex of the tied coordinates (closed form)", "", "30"},
          Parameters{.dimension = 30, .ties = 8, .total = 1.0, .spread = 0.3},
          ParameterTable({
              {"dimension", &Parameters::dimension, {1, kMost}, {}, "number of variables"},
              {"ties", &Parameters::ties, {1, kMost}, {}, "how many coefficients of g share the smallest value"},
              {"total", &Parameters::total, {0, kInfinity, true}, {}, "sum of the coordinates"},
              {"spread",
               &Parameters::spread,
               {0, kInfinity},
               {},
               "standard deviation of the centre's coordinates"},
          }),
          simplex_face),
      seeded_entry(
          {"box-face",
           "linear g with zero coefficients on a box; f = 1/2 |x - c|^2 picks a point of the optimal face",
           "x* = c clipped to the box where the coefficient of g is 0, the cheaper end elsewhere (closed form)",
           "", "30"},
          Parameters{.dimension = 30, .ties = 8, .spread = 2.0},
          ParameterTable({
              {"dimension", &Parameters::dimension, {1, kMost}, {}, "number of variables"},
              {"ties", &Parameters::ties, {0, kMost}, {}, "how many coefficients of g are 0"},
              {"spread",
               &Parameters::spread,
               {0, kInfinity},
               {},
               "standard deviation of the centre's coordinates"},
          }),
          box_face),
  };
}

}  // namespace fcbio::catalogue
