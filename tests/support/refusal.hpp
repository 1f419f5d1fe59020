// What a call is refused with.
#pragma once

#include <string>

#include "fcbio/error.hpp"

namespace fcbio::test {

/// The words of the exception that `call` ends with; "accepted" where there is none.  Anything but an Error passes.
template <class Error = InvalidArgument, class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace fcbio::test
