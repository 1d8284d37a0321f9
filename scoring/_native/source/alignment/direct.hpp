// Functions of Python whose plain calls go directly to the core.
#pragma once

#include <algorithm>

#include "../common/python.hpp"

namespace alignment {

// A function of Python, in front of which stands one of the core: a call with two positional arguments
// alone goes to that one, with three constants after them, and does not enter the interpreter, which
// takes a quarter of the time of a short pair. Every other call, and every question, is the function's.
class DirectFunction {
public:
    // Returns `function` behind `core`, a function that lasts as long as the module.
    static py::object make(const py::object& function, const py::object& core, const py::object& costs,
                           const py::object& ties, const py::object& kind) {
        static PyTypeObject* const type = make_type();
        auto made = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
        if (!made) throw py::error_already_set();
        Members* const members = of(made.ptr());
        members->call = &call;
        const py::object all[] = {function, core, costs, ties, kind};
        std::transform(all, all + 5, members->all, [](const py::object& one) { return one.inc_ref().ptr(); });
        py::module_::import("functools").attr("update_wrapper")(made, function);
        return made;
    }

private:
    struct Members {
        PyObject_HEAD
        PyObject* names;  // the attributes
        PyObject* references;  // the weak ones
        vectorcallfunc call;
        PyObject* all[5];  // the function, that of the core, and the constants
    };

    static Members* of(PyObject* object) { return reinterpret_cast<Members*>(object); }

    static PyObject* call(PyObject* self, PyObject* const* arguments, std::size_t size, PyObject* names) {
        PyObject* const* const all = of(self)->all;
        if (names != nullptr || PyVectorcall_NARGS(size) != 2) {
            return PyObject_Vectorcall(all[0], arguments, size, names);
        }
        PyObject* const five[] = {arguments[0], arguments[1], all[2], all[3], all[4]};
        return PyObject_Vectorcall(all[1], five, 5, nullptr);
    }

    // As a function, it is a method of the objects of a class that has it.
    static PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
        return object == nullptr || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
    }

    static PyObject* show(PyObject* self) { return PyObject_Repr(of(self)->all[0]); }

    // Pickled by its name, as functions are.
    static PyObject* reduce(PyObject* self, PyObject*) { return PyObject_GetAttrString(self, "__qualname__"); }

    static void free(PyObject* self) {
        PyTypeObject* const type = Py_TYPE(self);
        PyObject_ClearWeakRefs(self);
        Py_CLEAR(of(self)->names);
        for (PyObject* const one : of(self)->all) Py_XDECREF(one);
        type->tp_free(self);
        Py_DECREF(type);
    }

    static PyTypeObject* make_type() {
        static PyMemberDef places[] = {
            {"__dictoffset__", T_PYSSIZET, offsetof(Members, names), READONLY, nullptr},
            {"__weaklistoffset__", T_PYSSIZET, offsetof(Members, references), READONLY, nullptr},
            {"__vectorcalloffset__", T_PYSSIZET, offsetof(Members, call), READONLY, nullptr},
            {nullptr, 0, 0, 0, nullptr}};
        static PyMethodDef methods[] = {{"__reduce__", &reduce, METH_NOARGS, nullptr},
                                        {nullptr, nullptr, 0, nullptr}};
        static PyGetSetDef attributes[] = {
            {"__dict__", &PyObject_GenericGetDict, &PyObject_GenericSetDict, nullptr, nullptr},
            {nullptr, nullptr, nullptr, nullptr, nullptr}};
        PyType_Slot slots[] = {{Py_tp_members, places},
                               {Py_tp_methods, methods},
                               {Py_tp_getset, attributes},
                               {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                               {Py_tp_descr_get, reinterpret_cast<void*>(&bind)},
                               {Py_tp_repr, reinterpret_cast<void*>(&show)},
                               {Py_tp_dealloc, reinterpret_cast<void*>(&free)},
                               {0, nullptr}};
        PyType_Spec spec = {"scoring._native.DirectFunction", sizeof(Members), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            slots};
        auto* const type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
        if (type == nullptr) throw py::error_already_set();
        return type;
    }
};

}  // namespace alignment
