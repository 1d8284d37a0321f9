// The compiled core: one module for all rooms.
#include "common/python.hpp"

void define_alignment(py::module_ module);
void define_arrow(py::module_ module);
void define_asclite(py::module_ module);
void define_blocks(py::module_ module);
void define_columns(py::module_ module);
void define_resampling(py::module_ module);
void define_speakers(py::module_ module);
void define_spoken(py::module_ module);

NATIVE_MODULE(_native, module) {
    module.doc() = "The compiled core; each function has a twin in plain Python.";
    define_alignment(module);
    define_arrow(module);
    define_asclite(module);
    define_blocks(module);
    define_columns(module);
    define_resampling(module);
    define_speakers(module);
    define_spoken(module);
}
