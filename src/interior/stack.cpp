#include "interior/stack.hpp"

#include <cmath>

namespace fcbio::interior {
namespace {

bool is_square(const Block& block) {
  return block.kind == BlockKind::loss && block.low.maxCoeff() == -kInfinity && block.high.minCoeff() == kInfinity;
}

}  // namespace

Stack::Stack(const Program& program) : variables_(program.variables) {
  for (const Block& block : program.blocks) {
    if (block.rows.is_identity()) continue;
    parts_.push_back({&block.rows, rows_, is_square(block)});
    rows_ += block.rows.rows();
  }
  balls_.assign(program.balls.size(), Vector::Zero(program.variables));
}

Index Stack::numbers() const {
  Index sum = 0;
  for (const Part& part : parts_) sum += part.rows->numbers();
  return sum;
}

void Stack::apply(VectorIn x, VectorOut out) const {
  for (const Part& part : parts_) part.rows->apply(x, out.segment(part.first, part.rows->rows()));
  for (std::size_t k = 0; k < balls_.size(); ++k) out[rows_ + static_cast<Index>(k)] = balls_[k].dot(x);
}

void Stack::add_transpose(VectorIn y, VectorOut out) const {
  for (const Part& part : parts_) part.rows->add_transpose(y.segment(part.first, part.rows->rows()), out);
  for (std::size_t k = 0; k < balls_.size(); ++k) out += y[rows_ + static_cast<Index>(k)] * balls_[k];
}

}  // namespace fcbio::interior
