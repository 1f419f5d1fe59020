// The watch of a scratch, for callees that know nothing of scratches.
#pragma once

#include "fcbio/scratch.hpp"

namespace fcbio::sets {

class ScratchWatch final : public Watch {
 public:
  explicit ScratchWatch(Scratch& scratch) : scratch_(scratch) {}
  bool is_over(double operations, std::int64_t projections) override {
    return scratch_.is_over(operations, projections);
  }

 private:
  Scratch& scratch_;
};

}  // namespace fcbio::sets
