// What the extension module is made of, one function per file.
#pragma once

#include <pybind11/pybind11.h>

namespace fcbio::python {

void bind_parts(pybind11::module_& module);     ///< matrices, functions, sets
void bind_problem(pybind11::module_& module);   ///< problems, solving, results
void bind_commands(pybind11::module_& module);  ///< what else the command line does

}  // namespace fcbio::python
