// Exceptions are for the caller's mistakes, found before any work is done.  A numerical stop is never an
// exception: it is a Result with a Status.
#pragma once

#include <stdexcept>
#include <string>

#include "fcbio/export.hpp"

namespace fcbio {

/// A mistake in what the caller asked for: the message says what was expected, what was found and the remedy.
class FCBIO_EXPORT InvalidArgument : public std::invalid_argument {
 public:
  explicit InvalidArgument(const std::string& message) : std::invalid_argument(message) {}
};

}  // namespace fcbio
