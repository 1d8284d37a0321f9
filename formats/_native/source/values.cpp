// Values of the classes of formats.schema.values that readers make by the thousand: their constructor,
// copies and fields. The Python code of `NamedFields` has the same, and makes the errors of wrong calls.
#include <cstddef>
#include <vector>

#include "parts.hpp"

namespace {

constexpr const char* kLayout = "_layout";

// Where the fields of a class are, and what they are without arguments.
struct Layout {
    std::vector<PyObject*> names;  // interned; the class keeps them
    std::vector<py::ssize_t> places;
    std::vector<PyObject*> defaults;  // null for a field that is required
    std::size_t by_position = 0;
    PyObject* complete = nullptr;  // `__post_init__`, if the class has one
};

PyObject*& field_at(PyObject* value, py::ssize_t place) {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(value) + place);
}

// The layout of the class or of the next base that has one.
const Layout* layout_of(PyTypeObject* kind) {
    static PyObject* const name = PyUnicode_InternFromString(kLayout);
    for (; kind != nullptr; kind = kind->tp_base) {
        if (kind->tp_dict == nullptr) continue;
        PyObject* const capsule = PyDict_GetItem(kind->tp_dict, name);
        if (capsule == nullptr) continue;
        return static_cast<const Layout*>(PyCapsule_GetPointer(capsule, kLayout));
    }
    return nullptr;
}

// Returns how many names there are if the layout has none of this name.
std::size_t index_of(const Layout& layout, PyObject* name, std::size_t likely) {
    const std::size_t size = layout.names.size();
    for (std::size_t step = 0; step < size; ++step) {
        const std::size_t index = likely + step < size ? likely + step : likely + step - size;
        if (layout.names[index] == name) return index;
    }
    for (std::size_t index = 0; index < size; ++index) {
        if (PyUnicode_Compare(layout.names[index], name) == 0) return index;
    }
    return size;
}

bool set_once(PyObject*& field, PyObject* value) {
    if (field != nullptr) return false;
    Py_INCREF(value);
    field = value;
    return true;
}

// Gives the other fields their defaults; false if one has none.
bool fill(const Layout& layout, PyObject* value) {
    for (std::size_t index = 0; index < layout.places.size(); ++index) {
        PyObject*& field = field_at(value, layout.places[index]);
        if (field != nullptr) continue;
        PyObject* const usual = layout.defaults[index];
        if (usual == nullptr) return false;
        Py_INCREF(usual);
        field = usual;
    }
    return true;
}

PyObject* completed(const Layout& layout, PyObject* value) {
    if (layout.complete == nullptr) return value;
    PyObject* const nothing = PyObject_CallOneArg(layout.complete, value);
    if (nothing == nullptr) {
        Py_DECREF(value);
        return nullptr;
    }
    Py_DECREF(nothing);
    return value;
}

bool take(const Layout& layout, PyObject* value, PyObject* const* arguments, std::size_t number,
          PyObject* keywords) {
    if (number > layout.by_position) return false;
    for (std::size_t index = 0; index < number; ++index) {
        set_once(field_at(value, layout.places[index]), arguments[index]);
    }
    const py::ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    std::size_t likely = number;
    for (py::ssize_t at = 0; at < named; ++at) {
        const std::size_t index = index_of(layout, PyTuple_GET_ITEM(keywords, at), likely);
        if (index == layout.places.size()) return false;
        if (!set_once(field_at(value, layout.places[index]), arguments[number + static_cast<std::size_t>(at)]))
            return false;
        likely = index + 1;
    }
    return fill(layout, value);
}

// The constructor. A call that is wrong goes to `NamedFields.__init__`, which raises the error.
PyObject* construct(PyObject* kind, PyObject* const* arguments, std::size_t flagged, PyObject* keywords) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind);
    const auto number = static_cast<std::size_t>(PyVectorcall_NARGS(flagged));
    const Layout* const layout = layout_of(type);
    PyObject* const value = type->tp_alloc(type, 0);
    if (value == nullptr) return nullptr;
    if (take(*layout, value, arguments, number, keywords)) return completed(*layout, value);
    Py_DECREF(value);
    try {
        const auto size = static_cast<py::ssize_t>(number);
        const py::tuple ordered(size);
        for (std::size_t at = 0; at < number; ++at) ordered[at] = py::handle(arguments[at]);
        const py::dict named;
        for (py::ssize_t at = 0; keywords != nullptr && at < PyTuple_GET_SIZE(keywords); ++at) {
            named[py::handle(PyTuple_GET_ITEM(keywords, at))] = py::handle(arguments[size + at]);
        }
        return PyType_Type.tp_call(kind, ordered.ptr(), named.ptr());
    } catch (py::error_already_set& problem) {
        problem.restore();
        return nullptr;
    }
}

// Frees a value that the collector of garbage does not know.
void release(PyObject* value) {
    PyTypeObject* const type = Py_TYPE(value);
    if (const Layout* const layout = layout_of(type)) {
        for (const py::ssize_t place : layout->places) Py_CLEAR(field_at(value, place));
    }
    type->tp_free(value);
    Py_DECREF(type);
}

py::ssize_t place_of(PyTypeObject* kind, PyObject* name) {
    for (; kind != nullptr; kind = kind->tp_base) {
        PyObject* const slot = kind->tp_dict == nullptr ? nullptr : PyDict_GetItem(kind->tp_dict, name);
        if (slot != nullptr && Py_IS_TYPE(slot, &PyMemberDescr_Type)) {
            return reinterpret_cast<PyMemberDescrObject*>(slot)->d_member->offset;
        }
    }
    throw py::attribute_error("a field without a slot");
}

// The fields of a value in order.
PyObject* fields_of(PyObject* value, PyObject*) {
    const Layout& layout = *layout_of(Py_TYPE(value));
    PyObject* const fields = PyTuple_New(static_cast<py::ssize_t>(layout.places.size()));
    if (fields == nullptr) return nullptr;
    for (std::size_t index = 0; index < layout.places.size(); ++index) {
        PyObject* const field = field_at(value, layout.places[index]);
        if (field == nullptr) {
            PyErr_SetObject(PyExc_AttributeError, layout.names[index]);
            Py_DECREF(fields);
            return nullptr;
        }
        Py_INCREF(field);
        PyTuple_SET_ITEM(fields, static_cast<py::ssize_t>(index), field);
    }
    return fields;
}

// True if two values of a class have equal fields.
PyObject* is_equal(PyObject* value, PyObject* other) {
    if (Py_TYPE(value) != Py_TYPE(other)) Py_RETURN_NOTIMPLEMENTED;
    for (const py::ssize_t place : layout_of(Py_TYPE(value))->places) {
        const int answer = PyObject_RichCompareBool(field_at(value, place), field_at(other, place), Py_EQ);
        if (answer < 0) return nullptr;
        if (answer == 0) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

// A copy with other values of some fields.
PyObject* copy_with(PyObject* value, PyObject* const* arguments, py::ssize_t number, PyObject* keywords) {
    if (number != 0) {
        PyErr_SetString(PyExc_TypeError, "the changes have names");
        return nullptr;
    }
    PyTypeObject* const type = Py_TYPE(value);
    const Layout& layout = *layout_of(type);
    PyObject* const copy = type->tp_alloc(type, 0);
    if (copy == nullptr) return nullptr;
    const py::ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    std::size_t likely = 0;
    for (py::ssize_t at = 0; at < named; ++at) {
        const std::size_t index = index_of(layout, PyTuple_GET_ITEM(keywords, at), likely);
        if (index == layout.places.size()) {
            PyErr_Format(PyExc_TypeError, "unexpected argument %R", PyTuple_GET_ITEM(keywords, at));
            Py_DECREF(copy);
            return nullptr;
        }
        set_once(field_at(copy, layout.places[index]), arguments[at]);
        likely = index + 1;
    }
    for (const py::ssize_t place : layout.places) {
        PyObject* const field = field_at(value, place);
        if (field != nullptr) set_once(field_at(copy, place), field);
    }
    return completed(layout, copy);
}

PyMethodDef kFieldsOf{"_astuple", fields_of, METH_NOARGS, "Return the values of the fields in order."};
PyMethodDef kIsEqual{"__eq__", is_equal, METH_O, nullptr};
PyMethodDef kCopyWith{
    "_replace", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(copy_with)),
    METH_FASTCALL | METH_KEYWORDS, "Return a copy with other values of some fields."};

void add_method(const py::type& kind, PyMethodDef& method) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
    const auto found = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &method));
    if (!found) throw py::error_already_set();
    kind.attr(method.ml_name) = found;
}

// Makes the values of a class from here on, and compares those of a class without a comparison of its own.
// The values may not refer to each other in circles.
void build_values(const py::type& kind, const py::object& complete, bool is_compared) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
    auto* const layout = new Layout;  // as long as the class, which is never freed
    const py::dict defaults = kind.attr("_field_defaults");
    const py::tuple names = kind.attr("_fields");
    for (const py::handle name : names) {
        PyObject* interned = name.inc_ref().ptr();
        PyUnicode_InternInPlace(&interned);
        layout->names.push_back(interned);
        layout->places.push_back(place_of(type, interned));
        layout->defaults.push_back(PyDict_GetItem(defaults.ptr(), interned));
    }
    layout->by_position = py::len(kind.attr("__match_args__"));
    if (!complete.is_none()) layout->complete = complete.inc_ref().ptr();
    kind.attr(kLayout) = py::capsule(layout, kLayout);
    add_method(kind, kFieldsOf);
    add_method(kind, kCopyWith);
    if (is_compared) add_method(kind, kIsEqual);
#if !defined(Py_GIL_DISABLED)
    if (type->tp_dictoffset == 0 && type->tp_weaklistoffset == 0) {
        type->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
        type->tp_traverse = nullptr;
        type->tp_clear = nullptr;
        type->tp_free = PyObject_Free;
        type->tp_dealloc = release;
    }
#endif
    // a metaclass of Python has the flag from Python 3.12 on
    Py_TYPE(kind.ptr())->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    type->tp_vectorcall = construct;
    PyType_Modified(type);
}

}  // namespace

void add_values(py::module_& module) {
    module.def("build_values", build_values);
}
