// f or g at a point, outside of any count of work.
#pragma once

#include "fcbio/function.hpp"

namespace fcbio::io {

inline double value_at(const Function& function, const Vector& x) {
  PartVectors images = function.make_images();
  function.images(x, images);
  return function.value(x, images);
}

}  // namespace fcbio::io
