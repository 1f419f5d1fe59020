# cmake --install BUILD --prefix DIR gives a relocatable tree that find_package(fcbio) understands.
include(CMakePackageConfigHelpers)
install(TARGETS fcbio EXPORT fcbioTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fcbio_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/fcbio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/fcbio/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fcbio)
install(EXPORT fcbioTargets NAMESPACE fcbio:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fcbio)
file(WRITE ${PROJECT_BINARY_DIR}/fcbioConfig.cmake.in
"@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
include(\${CMAKE_CURRENT_LIST_DIR}/fcbioTargets.cmake)
check_required_components(fcbio)
")
configure_package_config_file(${PROJECT_BINARY_DIR}/fcbioConfig.cmake.in ${PROJECT_BINARY_DIR}/fcbioConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fcbio)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fcbioConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fcbioConfig.cmake ${PROJECT_BINARY_DIR}/fcbioConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fcbio)
