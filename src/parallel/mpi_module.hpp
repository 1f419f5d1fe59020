// Between the program and the module for MPI, which nothing links: the module defines `extern "C" const MpiModule` with
// the name kMpiSymbol.
#pragma once

#include "parallel/communicator.hpp"

namespace fcbio::parallel {

struct MpiModule {
  Communicator& (*join)();  ///< starts MPI at the first call
  void (*leave)();
};

inline constexpr const char* kMpiModule = "libfcbio_mpi.so";
inline constexpr const char* kMpiSymbol = "fcbio_mpi_1";  // with a version, of this header

}  // namespace fcbio::parallel
