find_path(Cholmod_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(Cholmod_LIBRARY cholmod)
find_library(Cholmod_CAMD_LIBRARY camd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cholmod REQUIRED_VARS Cholmod_LIBRARY Cholmod_CAMD_LIBRARY Cholmod_INCLUDE_DIR)
if(Cholmod_FOUND AND NOT TARGET fcbio::cholmod)
  add_library(fcbio::cholmod UNKNOWN IMPORTED)
  set_target_properties(fcbio::cholmod PROPERTIES
    IMPORTED_LOCATION ${Cholmod_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Cholmod_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${Cholmod_CAMD_LIBRARY})
endif()
