// Finds out whether mpirun started this process, and loads the module that speaks MPI if so.
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "parallel/communicator.hpp"
#include "parallel/mpi_module.hpp"

namespace fcbio::parallel {
namespace {

/// Set by Open MPI's mpirun, and by schedulers that start its processes themselves (PMIx).  Null: none of them.
const char* rank_told() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank != nullptr ? rank : std::getenv("PMIX_RANK");
}

/// Of processes that cannot reach each other, the first one speaks: when it has ended, mpirun ends the others.
void let_the_first_speak() {
  if (std::string(rank_told()) != "0") std::this_thread::sleep_for(std::chrono::seconds(5));
}

const MpiModule& load() {
  // Open MPI's own plug-ins look for its symbols among the global ones.  Found by the program's run path.
  void* const library = ::dlopen(kMpiModule, RTLD_NOW | RTLD_GLOBAL);
  const char* const problem = library == nullptr ? ::dlerror() : nullptr;
  const auto* const module =
      library != nullptr ? static_cast<const MpiModule*>(::dlsym(library, kMpiSymbol)) : nullptr;
  if (module == nullptr) {
    let_the_first_speak();
    throw std::runtime_error(
        "started by mpirun, and expected the module for MPI beside the program, found none that loads (" +
        std::string(problem != nullptr ? problem : "it is of another version") +
        "); build with MPI (scripts/setup --mpi, then scripts/build), or start the program without mpirun");
  }
  return *module;
}

const MpiModule* loaded = nullptr;

}  // namespace

Communicator& world() {
  if (rank_told() == nullptr) return alone();
  if (loaded == nullptr) loaded = &load();
  return loaded->join();
}

void leave_world() {
  if (loaded != nullptr) loaded->leave();
}

}  // namespace fcbio::parallel
