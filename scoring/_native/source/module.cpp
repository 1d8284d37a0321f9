// The compiled core: one module for all rooms.
#include <string>

#include "common/names_of_types.hpp"
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
void define_decimals(py::module_ module);
void define_resampling(py::module_ module);
void define_rover(py::module_ module);
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

// The names of the rooms that short commands do without, defined when one is asked for first: to
// define many takes long. They are defined in a module of the same name, because `def` asks its
// module for the name, which would ask here again.
py::dict names_of_other_rooms(const py::module_& module) {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::dict> names;
    names.call_once_and_store_result([&module] {
        const auto name = module.attr("__name__").cast<std::string>();
        auto other = py::reinterpret_steal<py::module_>(PyModule_New(name.c_str()));
        if (!other) throw py::error_already_set();
        define_arrow(other);
        define_asclite(other);
        define_blocks(other);
        define_decimals(other);
        define_resampling(other);
        define_rover(other);
        define_spoken(other);
        return py::dict(other.attr("__dict__"));
    });
    return names.get_stored();
}

// Return a name of the other rooms; Python asks when the module does not have it yet.
py::object name_in_other_rooms(const py::module_& module, const std::string& name) {
    // Python asks for names with two underscores on each import
    if (name.rfind("__", 0) != 0) {
        const py::dict names = names_of_other_rooms(module);
        if (names.contains(name)) {
            const py::object found = names[name.c_str()];
            py::setattr(module, name.c_str(), found);
            return found;
        }
    }
    throw py::attribute_error("the compiled core has no name " + name);
}

}  // namespace

NATIVE_MODULE(_native, module) {
    module.doc() = "The compiled core; each function has a twin in plain Python.";
    module.def("exit_on_signals", &exit_on_signals);
    define_alignment(module);
    define_columns(module);
    define_speakers(module);
    module.def("__getattr__", [module](const std::string& name) { return name_in_other_rooms(module, name); });
    module.def("__dir__", [module] {
        py::dict names = names_of_other_rooms(module).attr("copy")();
        names.attr("update")(module.attr("__dict__"));
        return py::list(names);
    });
}
