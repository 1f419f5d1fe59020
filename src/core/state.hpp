// The state of what the public headers define, field by field (linalg/archive.hpp).
#pragma once

#include "fcbio/point.hpp"
#include "fcbio/result.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

inline void archive_fields(Archive& archive, Point& point) { archive(point.x, point.images); }

inline void archive_fields(Archive& archive, HolderBound& bound) {
  archive(bound.alpha, bound.beta, bound.gradient_bound);
}
inline void archive_fields(Archive& archive, Accuracy& accuracy) {
  archive(accuracy.upper, accuracy.lower, accuracy.tight, accuracy.absolute, accuracy.holder,
          accuracy.upper_relative, accuracy.lower_relative);
}
inline void archive_fields(Archive& archive, Certificate& certificate) {
  archive(certificate.evidence, certificate.upper_excess, certificate.lower_gap, certificate.upper_lower_bound,
          certificate.shortfall, certificate.lower_lower_bound, certificate.tight_level, certificate.tight_excess,
          certificate.upper_deficit, certificate.holder, certificate.holder_source, certificate.premises);
}
inline void archive_fields(Archive& archive, ConvexityViolation& violation) {
  archive(violation.function, violation.level, violation.first, violation.second, violation.amount,
          violation.distance);
}
inline void archive_fields(Archive& archive, SetWitness& witness) {
  archive(witness.multipliers, witness.shares, witness.parts);
}
inline void archive_fields(Archive& archive, BoundWitness& witness) {
  archive(witness.kind, witness.upper_duals, witness.lower_duals, witness.point, witness.domain);
}
inline void archive_fields(Archive& archive, RegionWitness& witness) {
  archive(witness.by, witness.radius, witness.beta, witness.point);
}
inline void archive_fields(Archive& archive, Witness& witness) {
  archive(witness.multiplier, witness.lower_bound, witness.upper_bound, witness.reference, witness.region);
}
inline void archive_fields(Archive& archive, Work& work) {
  archive(work.iterations, work.upper_passes, work.lower_passes, work.projections, work.certified_after);
}
inline void archive_fields(Archive& archive, Result& result) {
  archive(result.method, result.engine, result.status, result.message, result.x, result.upper_value,
          result.lower_value, result.certificate, result.witness, result.violation, result.accuracy, result.work,
          result.solve_seconds, result.certified_seconds, result.options);
}

}  // namespace fcbio
