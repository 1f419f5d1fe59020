// Each sum has two vectors of running sums (linalg/lanes.hpp), so that additions overlap.
#include "linalg/sweeps.hpp"

#include <cassert>
#include <cstdint>

#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

constexpr Index kBlock = 2 * kLanes;
typedef std::int64_t Flags __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

/// The vectors of a step; next is written or read.
struct Operands {
  const double *y, *p, *q, *x, *c;
  Index size;
};

FCBIO_PART_OF_KERNEL void sum_difference(const double* p_in, const double* q_in, Index size, double s,
                                         DifferenceSums& sums) {
  Lanes squared[2] = {}, along[2] = {};
  Index i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      Lanes p, q;
      load(p, p_in + i + k * kLanes);
      load(q, q_in + i + k * kLanes);
      const Lanes difference = p - s * q;
      squared[k] += difference * difference;
      along[k] += difference * q;
    }
  }
  sums = {total(squared), total(along)};
  for (; i < size; ++i) {
    const double difference = p_in[i] - s * q_in[i];
    sums.squared += difference * difference;
    sums.along += difference * q_in[i];
  }
}

/// 0 times a finite number is 0, anything else makes the sum NaN.
FCBIO_PART_OF_KERNEL void sum_zeros(const double* p_in, Index size, double& sum) {
  Lanes sums[2] = {};
  Index i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    __builtin_prefetch(p_in + i + kAhead);
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      Lanes p;
      load(p, p_in + i + k * kLanes);
      sums[k] += 0.0 * p;
    }
  }
  sum = total(sums);
  for (; i < size; ++i) sum += 0.0 * p_in[i];
}

FCBIO_PART_OF_KERNEL void add_weighted(double a, const double* p_in, double b, const double* q_in, Index size,
                                       double* out) {
  Index i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    __builtin_prefetch(p_in + i + kAhead);
    __builtin_prefetch(q_in + i + kAhead);
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      Lanes p, q;
      load(p, p_in + i + k * kLanes);
      load(q, q_in + i + k * kLanes);
      store(out + i + k * kLanes, a * p + b * q);
    }
  }
  for (; i < size; ++i) out[i] = a * p_in[i] + b * q_in[i];
}

/// kWrite: next <- y - a p - b q; otherwise it is compared with that.
template <bool kWrite, class Next>
FCBIO_PART_OF_KERNEL void sum_step(const Operands& in, Descent by, double s, Next* next_out, StepSums& sums) {
  Lanes squared[2] = {}, start[2] = {}, along_p[2] = {}, along_q[2] = {}, difference[2] = {}, carried[2] = {},
        distance[2] = {};
  Flags other = {};
  Index i = 0;
  for (; i + kBlock <= in.size; i += kBlock) {
    for (const double* vector : {in.y, in.p, in.q, in.x, in.c}) __builtin_prefetch(vector + i + kAhead);
    if constexpr (!kWrite) __builtin_prefetch(next_out + i + kAhead);
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      const Index j = i + k * kLanes;
      Lanes y, p, q, x, c, next;
      load(y, in.y + j);
      load(p, in.p + j);
      load(q, in.q + j);
      load(x, in.x + j);
      load(c, in.c + j);
      const Lanes down = (y - by.a * p) - by.b * q;
      if constexpr (kWrite) {
        next = down;
        store(next_out + j, next);
      } else {
        load(next, next_out + j);
        other |= next != down;
      }
      const Lanes moved = next - y;
      const Lanes offset = next - c;
      squared[k] += moved * moved;
      start[k] += y * y;
      along_p[k] += p * moved;
      along_q[k] += q * moved;
      difference[k] += (p - s * q) * moved;
      carried[k] += moved * (next - x);
      distance[k] += offset * offset;
    }
  }
  sums = {.squared = total(squared),
          .start_squared = total(start),
          .along_p = total(along_p),
          .along_q = total(along_q),
          .along_difference = total(difference),
          .carried = total(carried),
          .from_centre = total(distance),
          .is_descent = (other[0] | other[1] | other[2] | other[3]) == 0};
  for (; i < in.size; ++i) {
    const double y = in.y[i], p = in.p[i], q = in.q[i];
    const double down = (y - by.a * p) - by.b * q;
    if constexpr (kWrite) next_out[i] = down;
    const double next = next_out[i];
    const double moved = next - y;
    sums.squared += moved * moved;
    sums.start_squared += y * y;
    sums.along_p += p * moved;
    sums.along_q += q * moved;
    sums.along_difference += (p - s * q) * moved;
    sums.carried += moved * (next - in.x[i]);
    sums.from_centre += (next - in.c[i]) * (next - in.c[i]);
    sums.is_descent = sums.is_descent && next == down;
  }
}

#define FCBIO_SWEEPS(name, target)                                                                                \
  struct name {                                                                                                   \
    target static void zeros(const double* p, Index size, double& sum) { sum_zeros(p, size, sum); }               \
    target static void blend(double a, const double* p, double b, const double* q, Index size, double* out) {     \
      add_weighted(a, p, b, q, size, out);                                                                        \
    }                                                                                                             \
    target static void difference(const double* p, const double* q, Index size, double s, DifferenceSums& sums) { \
      sum_difference(p, q, size, s, sums);                                                                        \
    }                                                                                                             \
    target static void descend(const Operands& in, Descent by, double s, double* next, StepSums& sums) {          \
      sum_step<true>(in, by, s, next, sums);                                                                      \
    }                                                                                                             \
    target static void step(const Operands& in, Descent by, double s, const double* next, StepSums& sums) {       \
      sum_step<false>(in, by, s, next, sums);                                                                     \
    }                                                                                                             \
  };

FCBIO_SWEEPS(Plain, )
FCBIO_SWEEPS(Avx2, FCBIO_FOR_AVX2)

Operands operands(const StepVectors& at, Index size) {
  assert(at.y.size() == size && at.p.size() == size && at.q.size() == size && at.x.size() == size &&
         at.c.size() == size);
  return {at.y.data(), at.p.data(), at.q.data(), at.x.data(), at.c.data(), size};
}

}  // namespace

void blend(double a, VectorIn p, double b, VectorIn q, VectorOut out) {
  assert(p.size() == out.size() && q.size() == out.size());
  (use_avx2 ? Avx2::blend : Plain::blend)(a, p.data(), b, q.data(), out.size(), out.data());
}

bool all_finite(VectorIn p) {
  double sum = 0.0;
  (use_avx2 ? Avx2::zeros : Plain::zeros)(p.data(), p.size(), sum);
  return sum == 0.0;
}

DifferenceSums difference_sums(VectorIn p, double s, VectorIn q) {
  assert(p.size() == q.size());
  DifferenceSums sums;
  (use_avx2 ? Avx2::difference : Plain::difference)(p.data(), q.data(), p.size(), s, sums);
  return sums;
}

StepSums descend(const StepVectors& at, Descent by, double s, VectorOut next) {
  StepSums sums;
  (use_avx2 ? Avx2::descend : Plain::descend)(operands(at, next.size()), by, s, next.data(), sums);
  return sums;
}

StepSums step_sums(const StepVectors& at, Descent by, double s, VectorIn next) {
  StepSums sums;
  (use_avx2 ? Avx2::step : Plain::step)(operands(at, next.size()), by, s, next.data(), sums);
  return sums;
}

}  // namespace fcbio
