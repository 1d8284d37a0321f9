// pybind11, its headers and macros exempt from our warnings.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <pybind11/pybind11.h>
