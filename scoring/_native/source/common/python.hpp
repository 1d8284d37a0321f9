// pybind11, its headers and macros exempt from our warnings.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <pybind11/critical_section.h>
#include <pybind11/gil_safe_call_once.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <structmember.h>

// The macro of pybind11 is variadic, which ISO C++17 dislikes where nothing varies. That the lock is
// not needed (py::mod_gil_not_used) is not declared yet: docs/alignment.md says why.
#define NATIVE_MODULE(name, variable) PYBIND11_MODULE(name, variable)

namespace py = pybind11;
