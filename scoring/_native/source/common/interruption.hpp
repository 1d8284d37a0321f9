// A call from Python ends when a signal's handler or `scoring.alignment.time_limit` says so.
#pragma once

#include "python.hpp"
#include "watch.hpp"

// The watch of the thread that Python calls from, with or without the interpreter's lock.
inline Watch watch_of_call() {
    return Watch([] {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        return py::module_::import("scoring.alignment").attr("look")().cast<bool>();
    });
}
