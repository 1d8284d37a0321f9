// The compiled core: one module for all rooms.
#include <string>

#include "common/names_of_types.hpp"
#include "common/python.hpp"

#ifndef _WIN32
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
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

#ifndef _WIN32
// Temporary files that a signal removes. Each has a name of its own, so that one which is finished
// needs no removal from here. A process that this one starts does not remove them.
std::array<std::atomic<const char*>, 16> temporary_files;
std::atomic<pid_t> owner;

void end_process(int signal) {
    if (getpid() == owner.load())
        for (const auto& file : temporary_files)
            if (const char* path = file.load()) unlink(path);
    _exit(128 + signal);
}
#endif

// SIGTERM and SIGHUP end the process with the status that shells report, as the handlers in Python
// do. True if the handlers are set; a signal that is ignored stays so.
bool exit_on_signals() {
#ifdef _WIN32
    return false;
#else
    owner = getpid();
    for (const int signal : {SIGTERM, SIGHUP})
        if (PyOS_getsig(signal) == SIG_DFL) PyOS_setsig(signal, end_process);
    return true;
#endif
}

// Let the signals above remove a file; false if there is no room for one more.
bool remove_on_signal(const py::bytes& path) {
#ifndef _WIN32
    char* const copy = strdup(PyBytes_AS_STRING(path.ptr()));
    for (auto& file : temporary_files) {
        const char* free_place = nullptr;
        if (file.compare_exchange_strong(free_place, copy)) return copy != nullptr;
    }
    std::free(copy);
#endif
    return false;
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
    module.def("remove_on_signal", &remove_on_signal);
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
