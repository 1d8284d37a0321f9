// The names of C++ types as the compiler writes them, for a module that has the library of C++ in itself.
//
// pybind11 and the library's handler of uncaught errors ask `__cxa_demangle` for the name of a type in
// readable form. Every type in a signature has a name in Python, so nobody sees the other names; but
// what writes them is 47 KB, a seventh of the smaller module. Included once in each module.
#pragma once

#if defined(__GNUC__) && defined(__linux__)

#include <cxxabi.h>

namespace __cxxabiv1 {

// Answers that the name is none (-2): those who ask take it as it is.
extern "C" char* __cxa_demangle(const char*, char*, std::size_t*, int* status) {
    if (status != nullptr) *status = -2;
    return nullptr;
}

}  // namespace __cxxabiv1

#endif
