# One precompiled header for every room, program and test: Eigen, the standard headers and those of the public interface
# that nearly every file reads (110,000 lines after preprocessing; monitor.hpp alone takes 0.4 s to read).  Files
# include what they use all the same.  Not here: fmt (0.2 s to read, and it needs another set of compiler flags),
# nlohmann/json and toml++ (two seconds, but in a few files only).
#   fcbio_precompiled(TARGET)        lets a target use it
#   fcbio_precompiled(TARGET COLD)   the same for code without loops that take time: it is compiled with -O1, for which
#                                    the compiler takes a third less.  The results are the same to the bit.
# Cold code has a precompiled header of its own: g++ takes -O from the header, whatever the command line says.
file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp.new "// The precompiled header belongs to this file.\n")
configure_file(${PROJECT_BINARY_DIR}/precompiled.cpp.new ${PROJECT_BINARY_DIR}/precompiled.cpp COPYONLY)
foreach(header fcbio_precompiled fcbio_precompiled_cold)
  add_library(${header} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_include_directories(${header} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${header} PRIVATE Eigen3::Eigen Threads::Threads fcbio_warnings)
  target_precompile_headers(${header} PRIVATE
    <Eigen/Core> <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional>
    <limits> <map> <memory> <numeric> <optional> <span> <string> <string_view> <utility> <variant> <vector>
    "${PROJECT_SOURCE_DIR}/include/fcbio/error.hpp" "${PROJECT_SOURCE_DIR}/include/fcbio/monitor.hpp")
endforeach()
set(FCBIO_COLD_OPTIONS $<$<CONFIG:Release>:-O1>)
target_compile_options(fcbio_precompiled_cold PRIVATE ${FCBIO_COLD_OPTIONS})

function(fcbio_precompiled target)
  if("COLD" IN_LIST ARGN AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_precompile_headers(${target} REUSE_FROM fcbio_precompiled_cold)
    target_compile_options(${target} PRIVATE ${FCBIO_COLD_OPTIONS})
  else()
    target_precompile_headers(${target} REUSE_FROM fcbio_precompiled)
  endif()
  # Programs would be compiled with -fPIE, and g++ refuses a header that was precompiled with -fPIC.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()
