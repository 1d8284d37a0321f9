// The compiled core: one module, a submodule for each of its rooms.
#include "common/python.hpp"

void define_alignment(py::module_ module);
void define_arrow(py::module_ module);
void define_asclite(py::module_ module);
void define_blocks(py::module_ module);
void define_columns(py::module_ module);
void define_resampling(py::module_ module);
void define_speakers(py::module_ module);

NATIVE_MODULE(_native, module) {
    module.doc() = "The compiled core; every submodule has a twin in plain Python.";
    define_alignment(module.def_submodule("alignment", "The aligners of scoring.alignment.plain."));
    define_arrow(module.def_submodule("arrow", "The columns of scoring.alignment.plain_arrow."));
    define_asclite(module.def_submodule("asclite", "The grid of scoring.nist.asclite.plain."));
    define_blocks(module.def_submodule("blocks", "The slow parts of the reports."));
    define_columns(module.def_submodule("columns", "The readers of scoring.nist.transcripts.plain."));
    define_resampling(module.def_submodule("resampling", "The drawing of scoring.stats.plain."));
    define_speakers(module.def_submodule("speakers", "The assignments of scoring.alignment.plain_speakers."));
}
