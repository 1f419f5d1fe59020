# One precompiled header for every room, program and test: Eigen and the standard headers that nearly every file reads
# (110,000 lines after preprocessing).  fcbio_precompiled(TARGET) lets a target use it.
file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp.new "// The precompiled header belongs to this file.\n")
configure_file(${PROJECT_BINARY_DIR}/precompiled.cpp.new ${PROJECT_BINARY_DIR}/precompiled.cpp COPYONLY)
add_library(fcbio_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
target_link_libraries(fcbio_precompiled PRIVATE Eigen3::Eigen Threads::Threads fcbio_warnings)
target_precompile_headers(fcbio_precompiled PRIVATE
  <Eigen/Core> <Eigen/SparseCore> <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional>
  <limits> <map> <memory> <numeric> <optional> <span> <string> <string_view> <utility> <variant> <vector>)

function(fcbio_precompiled target)
  target_precompile_headers(${target} REUSE_FROM fcbio_precompiled)
  # Programs would be compiled with -fPIE, and g++ refuses a header that was precompiled with -fPIC.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()
