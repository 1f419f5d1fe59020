# OpenBLAS, the serial build where there is one: our own shards are the threads.
find_path(OpenBLAS_INCLUDE_DIR cblas.h
  PATH_SUFFIXES openblas-serial openblas openblas-pthread x86_64-linux-gnu/openblas-serial x86_64-linux-gnu
  PATHS /usr/include/x86_64-linux-gnu/openblas-serial /usr/include/x86_64-linux-gnu)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-serial openblas-pthread)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET fcbio::openblas)
  add_library(fcbio::openblas UNKNOWN IMPORTED)
  set_target_properties(fcbio::openblas PROPERTIES
    IMPORTED_LOCATION ${OpenBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()
