# OpenBLAS.  The library does not call it (src/linalg/dense_kernels.cpp says why).  The header is found beside
# openblas_config.h, because other BLAS packages install a cblas.h too.
set(OpenBLAS_flavours openblas-serial openblas-pthread openblas-openmp openblas)
find_path(OpenBLAS_INCLUDE_DIR NAMES openblas_config.h PATH_SUFFIXES ${OpenBLAS_flavours})
find_library(OpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES ${OpenBLAS_flavours})
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET fcbio::openblas)
  add_library(fcbio::openblas UNKNOWN IMPORTED)
  set_target_properties(fcbio::openblas PROPERTIES
    IMPORTED_LOCATION ${OpenBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()
