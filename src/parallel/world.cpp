// Finds out whether mpirun started this process, and loads the module that speaks MPI if so.
#include <dlfcn.h>

#include <cstdlib>

#include "parallel/communicator.hpp"
#include "parallel/mpi_module.hpp"

namespace fcbio::parallel {
namespace {

/// Set by Open MPI's mpirun, and by schedulers that start its processes themselves (PMIx).
bool started_by_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

const MpiModule& load() {
  // Open MPI's own plug-ins look for its symbols among the global ones.  Found by the program's run path.
  void* const library = ::dlopen(kMpiModule, RTLD_NOW | RTLD_GLOBAL);
  const char* const problem = library == nullptr ? ::dlerror() : nullptr;
  const auto* const module =
      library != nullptr ? static_cast<const MpiModule*>(::dlsym(library, kMpiSymbol)) : nullptr;
  if (module == nullptr)
    throw std::runtime_error(
        "started by mpirun, and expected the module for MPI beside the program, found none that loads (" +
        std::string(problem != nullptr ? problem : "it is of another version") +
        "); build with MPI (scripts/setup --mpi, then scripts/build), or start the program without mpirun");
  return *module;
}

const MpiModule* loaded = nullptr;

}  // namespace

Communicator& world() {
  if (!started_by_mpirun()) return alone();
  if (loaded == nullptr) loaded = &load();
  return loaded->join();
}

void leave_world() {
  if (loaded != nullptr) loaded->leave();
}

}  // namespace fcbio::parallel
