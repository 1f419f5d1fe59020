# The module for MPI (src/mpi), which the program loads where mpirun started it; nothing links it, and the program
# does without it.  It is built where MPI is found.
option(FCBIO_MPI "build the module for MPI where MPI is found" ON)
set(FCBIO_HAS_MPI OFF)
if(FCBIO_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI COMPONENTS CXX)
  set(FCBIO_HAS_MPI ${MPI_CXX_FOUND})
endif()
# The program looks for it beside itself in the build tree, and in the library directory where it is installed.
set_target_properties(fcbio_program PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
if(NOT FCBIO_HAS_MPI)
  message(STATUS "MPI was not found: the program will run on one machine only (scripts/setup --mpi)")
  return()
endif()
add_library(fcbio_mpi MODULE src/mpi/module.cpp)
set_target_properties(fcbio_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(fcbio_mpi PRIVATE src)
target_link_libraries(fcbio_mpi PRIVATE MPI::MPI_CXX fcbio_warnings)
add_dependencies(fcbio_program fcbio_mpi)
install(TARGETS fcbio_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
