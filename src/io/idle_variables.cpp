#include "io/idle_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace fcbio::io {
namespace {

constexpr Index kWorthwhile = 8;  // one in so many

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

CsrMatrix* sparse_data(TermData& term) {
  // A vector has a number for every variable; Q of a quadratic is not a map.
  if (!term.data || term.vector.size() > 0 || term.function == "quadratic") return nullptr;
  return std::get_if<CsrMatrix>(&term.data->matrix);
}

bool takes_projection(const SetData& set) {
  constexpr std::array<std::string_view, 5> kinds{"ball", "l1-ball", "nonnegative-ball", "box", "whole-space"};
  return std::find(kinds.begin(), kinds.end(), set.kind) != kinds.end();
}

/// What would be refused when the problem is built must not be taken out before.
bool fits(const ProblemData& data) {
  const SetData& set = data.domain;
  const auto fitting = [&](const Vector& vector) { return vector.size() == 0 || vector.size() == data.dimension; };
  return set.dimension == data.dimension && fitting(set.center) && set.center.allFinite() && fitting(set.lower) &&
         set.lower.size() == set.upper.size() && (set.lower.array() <= set.upper.array()).all() &&
         (!data.start || (data.start->size() == data.dimension && data.start->allFinite()));
}

/// A value for each variable, such that the rest of Z does not depend on it.
Vector resting_point(const ProblemData& data) {
  const SetData& set = data.domain;
  if (set.center.size() > 0) return set.center;
  const Vector start = data.start.value_or(Vector::Zero(data.dimension));
  if (set.kind == "box") return start.cwiseMax(set.lower).cwiseMin(set.upper);
  if (set.kind == "nonnegative-ball") return Vector::Zero(data.dimension);
  return start;
}

void keep(const std::vector<Index>& used, Vector& vector) {
  if (vector.size() > 0) vector = Vector(vector(used));
}

}  // namespace

IdleVariables take_out_idle_variables(ProblemData& data) {
  if (!takes_projection(data.domain) || !fits(data) || data.accuracy.absolute) return {};
  std::vector<CsrMatrix*> matrices;
  for (std::vector<TermData>* terms : {&data.upper, &data.lower})
    for (TermData& term : *terms) matrices.push_back(sparse_data(term));
  std::vector<std::int32_t> place(at(data.dimension), 0);
  for (const CsrMatrix* matrix : matrices) {
    if (matrix == nullptr || matrix->cols != data.dimension) return {};
    for (const std::int32_t column : matrix->columns) {
      if (column < 0 || column >= data.dimension) return {};  // refused when the problem is built
      place[at(column)] = 1;
    }
  }

  IdleVariables idle;
  for (Index j = 0; j < data.dimension; ++j) {
    if (place[at(j)] == 0) continue;
    place[at(j)] = static_cast<std::int32_t>(idle.used_.size());
    idle.used_.push_back(j);
  }
  const auto used = static_cast<Index>(idle.used_.size());
  if (used == 0 || kWorthwhile * (data.dimension - used) < data.dimension) return {};

  idle.whole_ = resting_point(data);
  data.dimension = data.domain.dimension = used;
  for (Vector* vector : {&data.domain.center, &data.domain.lower, &data.domain.upper}) keep(idle.used_, *vector);
  if (data.start) keep(idle.used_, *data.start);
  for (CsrMatrix* matrix : matrices) {
    matrix->cols = used;
    for (std::int32_t& column : matrix->columns) column = place[at(column)];
  }
  return idle;
}

std::string IdleVariables::note() const {
  if (count() == 0) return {};
  return fmt::format("{} of {} variables appear in no data and are left out of the computation", count(),
                     whole_.size());
}

void IdleVariables::put_back(Result& result) const {
  if (count() == 0) return;
  put_back(result.x);
  put_back(result.witness.reference);
  put_back(result.witness.lower_bound.point);
  put_back(result.witness.upper_bound.point);
}

void IdleVariables::put_back(Vector& point) const {
  if (point.size() == 0) return;
  Vector whole = whole_;
  whole(used_) = point;
  point = std::move(whole);
}

}  // namespace fcbio::io
