// pybind11, its headers and macros exempt from our warnings.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif

// What pybind11 includes and other code has as well: it stays fast there.
#include <Python.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

// Templates of pybind11 are compiled anew for each function that Python can call, and run once for a call or once
// for the module: they are to be small.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#pragma GCC push_options
#pragma GCC optimize("Os")
#endif
#include <pybind11/critical_section.h>
#include <pybind11/gil_safe_call_once.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#pragma GCC pop_options
#endif
#include <structmember.h>

// The macro of pybind11 is variadic, which ISO C++17 dislikes where nothing varies. That the lock is
// not needed (py::mod_gil_not_used) is not declared yet: docs/alignment.md says why.
#define NATIVE_MODULE(name, variable) PYBIND11_MODULE(name, variable)

namespace py = pybind11;
