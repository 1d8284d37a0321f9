// The compiled core: one module for all rooms.
#include "common/python.hpp"

#ifndef _WIN32
#include <unistd.h>

#include <csignal>
#endif

void define_alignment(py::module_ module);
void define_arrow(py::module_ module);
void define_asclite(py::module_ module);
void define_blocks(py::module_ module);
void define_columns(py::module_ module);
void define_resampling(py::module_ module);
void define_speakers(py::module_ module);
void define_spoken(py::module_ module);

namespace {

// SIGTERM and SIGHUP end the process with the status that shells report, as the handlers in Python
// do. True if the handlers are set; a signal that is ignored stays so.
bool exit_on_signals() {
#ifdef _WIN32
    return false;
#else
    for (const int signal : {SIGTERM, SIGHUP})
        if (PyOS_getsig(signal) == SIG_DFL)
            PyOS_setsig(signal, [](int number) { _exit(128 + number); });
    return true;
#endif
}

}  // namespace

NATIVE_MODULE(_native, module) {
    module.doc() = "The compiled core; each function has a twin in plain Python.";
    module.def("exit_on_signals", &exit_on_signals);
    define_alignment(module);
    define_arrow(module);
    define_asclite(module);
    define_blocks(module);
    define_columns(module);
    define_resampling(module);
    define_speakers(module);
    define_spoken(module);
}
