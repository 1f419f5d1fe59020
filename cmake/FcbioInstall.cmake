# cmake --install BUILD --prefix DIR gives a relocatable tree that find_package(fcbio) understands.
include(CMakePackageConfigHelpers)
install(TARGETS fcbio EXPORT fcbioTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fcbio_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The manual page and the completions are what the program prints.
set(fcbio_help ${PROJECT_BINARY_DIR}/help)
add_custom_command(OUTPUT ${fcbio_help}/fcbio.1 ${fcbio_help}/fcbio ${fcbio_help}/_fcbio
  COMMAND ${CMAKE_COMMAND} -E make_directory ${fcbio_help}
  COMMAND fcbio_program help --man > ${fcbio_help}/fcbio.1
  COMMAND fcbio_program help --bash > ${fcbio_help}/fcbio
  COMMAND fcbio_program help --zsh > ${fcbio_help}/_fcbio
  DEPENDS fcbio_program VERBATIM)
add_custom_target(fcbio_help ALL DEPENDS ${fcbio_help}/fcbio.1 ${fcbio_help}/fcbio ${fcbio_help}/_fcbio)
install(FILES ${fcbio_help}/fcbio.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${fcbio_help}/fcbio DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${fcbio_help}/_fcbio DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
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
