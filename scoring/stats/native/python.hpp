// pybind11 with arrays, shielded from the warnings its headers and its module macro would raise.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

// The macro of pybind11 is variadic and has nothing to vary here, which ISO C++17 dislikes.
#define NATIVE_MODULE(name, variable) PYBIND11_MODULE(name, variable)
