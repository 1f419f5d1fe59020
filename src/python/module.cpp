// The extension module fcbio._core.  It takes what the package's own Python has checked and converted.
#include "data/input_error.hpp"
#include "fcbio/version.hpp"
#include "python/bindings.hpp"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  module.doc() = "The solver behind the package fcbio.";
  module.attr("__version__") = FCBIO_VERSION;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const fcbio::InputError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  fcbio::python::bind_parts(module);
  fcbio::python::bind_problem(module);
  fcbio::python::bind_commands(module);
}
