# The Python package, in build/.../python/fcbio: the extension module and the package's own files.  It is built where
# there is an interpreter with NumPy and its headers, and pybind11; the first python3 on PATH need not be that one.
option(FCBIO_BUILD_PYTHON "build the Python package where its requirements are there" ON)
set(FCBIO_PYTHON "" CACHE FILEPATH "the interpreter to build for; empty: the first of the usual ones that has NumPy")
if(NOT FCBIO_BUILD_PYTHON OR FCBIO_SANITIZE OR FCBIO_COVERAGE)  # a plain interpreter cannot load instrumented code
  return()
endif()

set(fcbio_python_found "")
foreach(candidate ${FCBIO_PYTHON} /usr/bin/python3 python3)
  execute_process(COMMAND ${candidate} -c "import numpy, sys; print(sys.executable)" RESULT_VARIABLE failure
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failure EQUAL 0)
    set(fcbio_python_found ${path})
    break()
  endif()
endforeach()
if(NOT fcbio_python_found)
  message(STATUS "Python package: not built, no interpreter with NumPy was found (scripts/setup installs Debian's)")
  return()
endif()
set(Python_EXECUTABLE ${fcbio_python_found})
find_package(Python 3.9 COMPONENTS Interpreter Development.Module QUIET)
find_package(pybind11 2.10 CONFIG QUIET)
if(NOT Python_Development.Module_FOUND OR NOT pybind11_FOUND)
  message(STATUS "Python package: not built for ${fcbio_python_found}, its headers or pybind11 are missing "
    "(scripts/setup installs python3-dev and pybind11-dev)")
  return()
endif()
file(WRITE ${PROJECT_BINARY_DIR}/python/interpreter "${fcbio_python_found}\n")  # for scripts/python
message(STATUS "Python package: for ${fcbio_python_found} (Python ${Python_VERSION})")

file(GLOB python_sources CONFIGURE_DEPENDS src/python/*.cpp)
# Words and tables that the program prints are the package's too.
pybind11_add_module(fcbio_python MODULE NO_EXTRAS ${python_sources}
  src/cli/text.cpp src/cli/report_data.cpp src/cli/flags.cpp)
set(fcbio_python_dir ${PROJECT_BINARY_DIR}/python/fcbio)
set_target_properties(fcbio_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${fcbio_python_dir})
fcbio_hot_first(fcbio_python ${hot_rooms})
target_include_directories(fcbio_python PRIVATE src verify)
target_link_libraries(fcbio_python PRIVATE fcbio_methods fcbio_io fcbio_claims fcbio_experiments fmt::fmt
  fcbio_warnings)

file(GLOB package_files CONFIGURE_DEPENDS python/fcbio/*.py python/fcbio/*.pyi python/fcbio/py.typed)
set(package_copies "")
foreach(file ${package_files})
  get_filename_component(name ${file} NAME)
  add_custom_command(OUTPUT ${fcbio_python_dir}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${file} ${fcbio_python_dir}/${name} DEPENDS ${file} VERBATIM)
  list(APPEND package_copies ${fcbio_python_dir}/${name})
endforeach()
add_custom_target(fcbio_python_package ALL DEPENDS ${package_copies} fcbio_python)

# The place where the interpreter looks, below the prefix: relocatable with the rest.
set(FCBIO_PYTHON_INSTALL_DIR "lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages" CACHE STRING
  "where the package is installed, below the prefix")
install(TARGETS fcbio_python LIBRARY DESTINATION ${FCBIO_PYTHON_INSTALL_DIR}/fcbio COMPONENT python)
install(FILES ${package_files} DESTINATION ${FCBIO_PYTHON_INSTALL_DIR}/fcbio COMPONENT python)
