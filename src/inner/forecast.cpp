#include "inner/forecast.hpp"

#include <cmath>

namespace fcbio {

void Forecast::begin(double spent) {
  count_ = 0;
  apart_ = 0.0;
  begun_ = now_ = spent;
  gap_ = kInfinity;
}

void Forecast::note(double spent, double gap, double wanted) {
  now_ = spent;
  wanted_ = wanted;
  if (!(gap < gap_)) return;
  gap_ = gap;
  if (!(gap > 0.0) || (count_ > 0 && spent < spent_[count_ - 1] + apart_)) return;
  if (count_ == kMost) {  // every other one goes
    for (std::size_t k = 0; k < kMost / 2; ++k) {
      spent_[k] = spent_[2 * k];
      gaps_[k] = gaps_[2 * k];
    }
    count_ = kMost / 2;
    apart_ = 2.0 * (spent - begun_) / static_cast<double>(kMost);
  }
  spent_[count_] = spent;
  gaps_[count_++] = gap;
}

double Forecast::remaining() const {
  if (gap_ <= wanted_) return 0.0;
  if (count_ < 2 || !(wanted_ > 0.0)) return kInfinity;
  const double half = 0.5 * (begun_ + now_);
  std::size_t then = 0;
  while (then + 2 < count_ && spent_[then + 1] <= half) ++then;
  const double rate = std::log(gaps_[then] / gap_) / (now_ - spent_[then]);
  return rate > 0.0 ? std::log(gap_ / wanted_) / rate : kInfinity;
}

}  // namespace fcbio
