// Frozen values with fields in slots; formats/values.py says what they are.
#include "parts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <structmember.h>

namespace {

// The fields of a class of values, which stand after the head of its objects. It lives as long as
// the process, as such a class does.
struct Shape {
    PyTypeObject* type = nullptr;
    const Shape* next = nullptr;
    std::vector<PyObject*> names;      // interned
    std::vector<PyObject*> defaults;   // null where a value has to be given
    std::vector<PyObject*> factories;  // what makes a default, or null
    std::size_t positional = 0;
    std::size_t given = 0;  // by those who make one; further ones are as they are by default
    bool is_made_by_init = false;
    bool has_post_init = false;

    std::size_t size() const { return names.size(); }
};

PyObject** fields_of(PyObject* value) {
    return reinterpret_cast<PyObject**>(value + 1);
}

// Shapes by class: added at the import of a module, looked up without a lock.
class Shapes {
public:
    void add(Shape* shape) {
        std::atomic<const Shape*>& place = place_of(shape->type);
        const Shape* first = place.load(std::memory_order_acquire);
        do {
            shape->next = first;
        } while (!place.compare_exchange_weak(first, shape, std::memory_order_acq_rel));
    }

    // The shape of a class or of the nearest above it.
    const Shape* find(PyTypeObject* type) {
        for (; type != nullptr; type = type->tp_base) {
            const Shape* shape = place_of(type).load(std::memory_order_acquire);
            for (; shape != nullptr; shape = shape->next) {
                if (shape->type == type) return shape;
            }
        }
        return nullptr;
    }

private:
    std::atomic<const Shape*>& place_of(PyTypeObject* type) {
        return places_[reinterpret_cast<std::uintptr_t>(type) / 64 % places_.size()];
    }

    std::array<std::atomic<const Shape*>, 1024> places_{};
};

Shapes shapes;

const Shape& shape_of(PyTypeObject* type) {
    const Shape* shape = shapes.find(type);
    if (shape == nullptr) throw py::type_error(std::string("not a value: ") + type->tp_name);
    return *shape;
}

std::string refusal(PyTypeObject* type, const std::string& why) {
    const py::handle kind(reinterpret_cast<PyObject*>(type));
    return kind.attr("__name__").cast<std::string>() + ".__init__() " + why;
}

std::string shown(PyObject* name) { return py::repr(name).cast<std::string>(); }

// The place of a field that is given, looked for from where the one before it was found.
std::size_t place_of(PyTypeObject* type, const Shape& shape, PyObject* name, std::size_t from = 0) {
    for (std::size_t place = from; place < shape.given; ++place) {
        if (shape.names[place] == name) return place;
    }
    for (std::size_t place = 0; place < std::min(from, shape.given); ++place) {
        if (shape.names[place] == name) return place;
    }
    for (std::size_t place = 0; place < shape.given && PyUnicode_Check(name); ++place) {
        if (PyUnicode_Compare(shape.names[place], name) == 0) return place;
    }
    throw py::type_error(refusal(type, "got an unexpected keyword argument " + shown(name)));
}

py::object empty(PyTypeObject* type) {
    PyObject* const made = type->tp_alloc(type, 0);
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(made);
}

void put(PyObject** field, PyObject* value) {
    Py_INCREF(value);
    *field = value;
}

// What was not given is as it is by default.
void fill_up(const Shape& shape, PyObject* value) {
    PyObject** const fields = fields_of(value);
    for (std::size_t place = 0; place < shape.size(); ++place) {
        if (fields[place] != nullptr) continue;
        if (shape.factories[place] != nullptr) {
            fields[place] = py::handle(shape.factories[place])().release().ptr();
            continue;
        }
        if (shape.defaults[place] == nullptr) {
            throw py::type_error(refusal(
                Py_TYPE(value), "missing required argument: " + shown(shape.names[place])));
        }
        put(fields + place, shape.defaults[place]);
    }
}

// The whole value, looked at by its own class.
void finish(const Shape& shape, PyObject* value) {
    fill_up(shape, value);
    if (shape.has_post_init) {
        static PyObject* const name = PyUnicode_InternFromString("__post_init__");
        PyObject* const nothing = PyObject_CallMethodNoArgs(value, name);
        if (nothing == nullptr) throw py::error_already_set();
        Py_DECREF(nothing);
    }
}

py::object constructed(PyTypeObject* type, PyObject* const* given, std::size_t count, PyObject* names) {
    const Shape& shape = shape_of(type);
    py::object made = empty(type);
    PyObject** const fields = fields_of(made.ptr());
    if (count > shape.positional) {
        throw py::type_error(refusal(type, "takes " + std::to_string(shape.positional) +
                                               " positional arguments but " + std::to_string(count) +
                                               " were given"));
    }
    for (std::size_t place = 0; place < count; ++place) put(fields + place, given[place]);
    const py::ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    std::size_t next = count;
    for (py::ssize_t index = 0; index < named; ++index) {
        PyObject* const name = PyTuple_GET_ITEM(names, index);
        const std::size_t place = place_of(type, shape, name, next);
        if (fields[place] != nullptr) {
            throw py::type_error(refusal(type, "got multiple values for argument " + shown(name)));
        }
        put(fields + place, given[static_cast<py::ssize_t>(count) + index]);
        next = place + 1;
    }
    finish(shape, made.ptr());
    return made;
}

// Calls of Python's own tables: exceptions become errors that Python knows.
template <typename Work>
PyObject* guarded(Work work) {
    try {
        py::object made = work();
        return made.release().ptr();
    } catch (py::error_already_set& problem) {
        problem.restore();
    } catch (const py::builtin_exception& problem) {
        problem.set_error();
    } catch (const std::exception&) {  // there was no memory for an object
        PyErr_NoMemory();
    }
    return nullptr;
}

PyObject* call(PyObject* type, PyObject* const* given, std::size_t flagged, PyObject* names) {
    return guarded([=] {
        const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged));
        return constructed(reinterpret_cast<PyTypeObject*>(type), given, count, names);
    });
}

PyObject* make(PyTypeObject* type, PyObject* positional, PyObject* named) {
    return guarded([=] {
        if (shape_of(type).is_made_by_init) return empty(type);
        const py::tuple names = named == nullptr ? py::tuple() : py::tuple(py::dict(
            py::reinterpret_borrow<py::dict>(named)).attr("keys")());
        std::vector<PyObject*> given;
        for (const py::handle value : py::reinterpret_borrow<py::tuple>(positional)) given.push_back(value.ptr());
        const std::size_t count = given.size();
        for (const py::handle name : names) given.push_back(PyDict_GetItem(named, name.ptr()));
        return constructed(type, given.data(), count, names.ptr());
    });
}

// Lets go of what is most likely a value. Those within each other, however many, need no deeper stack:
// the innermost wait.
void let_go(PyObject* value) {
    static thread_local std::vector<PyObject*> waiting;
    static thread_local int depth = 0;
    waiting.push_back(value);
    while (depth < 50 && !waiting.empty()) {
        PyObject* const next = waiting.back();
        waiting.pop_back();
        ++depth;
        Py_DECREF(next);
        --depth;
    }
}

void drop(PyObject* value) {
    PyTypeObject* const type = Py_TYPE(value);
    const std::size_t size = shapes.find(type)->size();
    for (std::size_t place = 0; place < size; ++place) {
        PyObject* const field = std::exchange(fields_of(value)[place], nullptr);
        if (field == nullptr) continue;
        const bool is_looked_through = PyType_IS_GC(Py_TYPE(field));  // those have a guard of Python's own
        if (!is_looked_through && PyType_HasFeature(Py_TYPE(field), Py_TPFLAGS_HEAPTYPE)) {
            let_go(field);
        } else {
            Py_DECREF(field);
        }
    }
    type->tp_free(value);
    Py_DECREF(type);
}

int refuse_change(PyObject*, PyObject* name, PyObject* value) {
    guarded([=]() -> py::object {
        const py::object refused = py::module_::import("dataclasses").attr("FrozenInstanceError");
        PyErr_Format(refused.ptr(), "cannot %s field %R", value == nullptr ? "delete" : "assign to", name);
        throw py::error_already_set();
    });
    return -1;
}

// A field that has been given: those of a value that its own `__init__` makes may not have been yet.
PyObject* field_of(const Shape& shape, PyObject* value, std::size_t place) {
    PyObject* const field = fields_of(value)[place];
    if (field == nullptr) throw py::attribute_error(shown(shape.names[place]));
    return field;
}

py::tuple as_tuple(const py::handle value) {
    const Shape& shape = shape_of(Py_TYPE(value.ptr()));
    py::tuple made(shape.size());
    for (std::size_t place = 0; place < shape.size(); ++place) {
        PyObject* field = nullptr;
        put(&field, field_of(shape, value.ptr(), place));
        PyTuple_SET_ITEM(made.ptr(), static_cast<py::ssize_t>(place), field);
    }
    return made;
}

PyObject* compare(PyObject* one, PyObject* other, int how) {
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(one) != Py_TYPE(other)) Py_RETURN_NOTIMPLEMENTED;
    return guarded([=]() -> py::object {
        const Shape& shape = shape_of(Py_TYPE(one));
        int is_same = 1;
        for (std::size_t place = 0; place < shape.size() && is_same == 1; ++place) {
            // held, as a comparison may give the values other fields
            const auto left = py::reinterpret_borrow<py::object>(field_of(shape, one, place));
            const auto right = py::reinterpret_borrow<py::object>(field_of(shape, other, place));
            is_same = PyObject_RichCompareBool(left.ptr(), right.ptr(), Py_EQ);
        }
        if (is_same < 0) throw py::error_already_set();
        return py::bool_((is_same == 1) == (how == Py_EQ));
    });
}

Py_hash_t hash(PyObject* value) {
    PyObject* const fields = guarded([=] { return as_tuple(value); });
    if (fields == nullptr) return -1;
    const bool is_too_deep = Py_EnterRecursiveCall(" while hashing a value") != 0;
    const Py_hash_t made = is_too_deep ? -1 : PyObject_Hash(fields);
    if (!is_too_deep) Py_LeaveRecursiveCall();
    Py_DECREF(fields);
    return made;
}

// The class above a class of values: its objects hold the fields.
py::object base(const py::str& name, const py::list& names, std::size_t positional, std::size_t given,
                const py::dict& defaults, const py::dict& factories, bool is_made_by_init,
                bool is_frozen, bool is_compared, bool has_post_init) {
    auto* const shape = new Shape;
    shape->positional = positional;
    shape->given = given;
    shape->is_made_by_init = is_made_by_init;
    shape->has_post_init = has_post_init;
    std::vector<PyMemberDef> members;
    for (const py::handle one : names) {
        PyObject* field = py::handle(one).inc_ref().ptr();
        PyUnicode_InternInPlace(&field);
        shape->names.push_back(field);
        for (const auto& [known, kept] : {std::pair(&defaults, &shape->defaults), std::pair(&factories, &shape->factories)}) {
            kept->push_back(known->contains(one) ? py::object((*known)[one]).release().ptr() : nullptr);
        }
        const auto offset = static_cast<py::ssize_t>(sizeof(PyObject) + members.size() * sizeof(PyObject*));
        members.push_back({PyUnicode_AsUTF8(field), T_OBJECT_EX, offset, is_frozen ? READONLY : 0, nullptr});
    }
    members.push_back({nullptr, 0, 0, 0, nullptr});
    std::array<PyType_Slot, 8> slots{{
        {Py_tp_members, members.data()},
        {Py_tp_new, reinterpret_cast<void*>(make)},
        {Py_tp_dealloc, reinterpret_cast<void*>(drop)},
        {Py_tp_setattro, reinterpret_cast<void*>(is_frozen ? refuse_change : PyObject_GenericSetAttr)},
        // 0 ends the list: what is not compared has no hash of its fields, either
        {is_compared ? Py_tp_richcompare : 0, reinterpret_cast<void*>(compare)},
        {Py_tp_hash, reinterpret_cast<void*>(hash)},
        {0, nullptr},
    }};
    PyType_Spec spec{PyUnicode_AsUTF8(name.inc_ref().ptr()),
                     static_cast<int>(sizeof(PyObject) + shape->size() * sizeof(PyObject*)), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots.data()};
    PyObject* const made = PyType_FromSpec(&spec);
    if (made == nullptr) throw py::error_already_set();
    shape->type = reinterpret_cast<PyTypeObject*>(made);
    shapes.add(shape);
    return py::reinterpret_borrow<py::object>(made);  // it stays: its shape is found by its address
}

// Calls of the class itself go the short way; those of classes below it go through `__new__`.
// A `class` statement always makes objects that the collector looks through; these have no circles.
void hasten(const py::type& kind) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
    if (!shape_of(type).is_made_by_init) type->tp_vectorcall = call;
    type->tp_flags &= ~static_cast<unsigned long>(Py_TPFLAGS_HAVE_GC);
    type->tp_traverse = nullptr;
    type->tp_clear = nullptr;
    type->tp_free = PyObject_Free;
    type->tp_dealloc = drop;
}

py::object replaced(const py::object& value, const py::dict& changes) {
    PyTypeObject* const type = Py_TYPE(value.ptr());
    const Shape& shape = shape_of(type);
    py::object made = empty(type);
    PyObject** const fields = fields_of(made.ptr());
    for (const auto& change : changes) {
        put(fields + place_of(type, shape, change.first.ptr()), change.second.ptr());
    }
    for (std::size_t place = 0; place < shape.given; ++place) {
        if (fields[place] == nullptr) put(fields + place, field_of(shape, value.ptr(), place));
    }
    finish(shape, made.ptr());
    return made;
}

// Gives a value that its own `__init__` makes its fields.
void fill(const py::object& value, const py::dict& given) {
    PyTypeObject* const type = Py_TYPE(value.ptr());
    const Shape& shape = shape_of(type);
    for (const auto& one : given) {
        PyObject** const field = fields_of(value.ptr()) + place_of(type, shape, one.first.ptr());
        PyObject* const before = *field;
        put(field, one.second.ptr());
        Py_XDECREF(before);
    }
}

py::object remade(const py::type& kind, const py::tuple& fields) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
    const Shape& shape = shape_of(type);
    if (fields.size() != shape.size()) throw py::type_error(refusal(type, "fields of another version"));
    py::object made = empty(type);
    for (std::size_t place = 0; place < shape.size(); ++place) {
        put(fields_of(made.ptr()) + place, PyTuple_GET_ITEM(fields.ptr(), static_cast<py::ssize_t>(place)));
    }
    return made;
}

py::list in_bulk(const py::type& kind, py::ssize_t count, const py::dict& columns) {
    auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
    const Shape& shape = shape_of(type);
    // what stands in every place of a field, and where a list goes on with the next
    std::vector<PyObject*> same(shape.defaults);
    std::vector<std::pair<std::size_t, PyObject*>> lists;
    for (const auto& column : columns) {
        const std::size_t place = place_of(type, shape, column.first.ptr());
        same[place] = column.second.ptr();
        if (!PyList_Check(column.second.ptr())) continue;
        if (PyList_GET_SIZE(column.second.ptr()) != count) throw py::value_error("columns differ in length");
        same[place] = nullptr;
        lists.emplace_back(place, column.second.ptr());
    }
    py::list made(std::max<py::ssize_t>(count, 0));
    for (py::ssize_t row = 0; row < count; ++row) {
        py::object value = empty(type);
        PyObject** const fields = fields_of(value.ptr());
        for (const auto& [place, list] : lists) {
            // what makes a default may have made the list shorter
            if (row >= PyList_GET_SIZE(list)) throw py::value_error("columns differ in length");
            put(fields + place, PyList_GET_ITEM(list, row));
        }
        for (std::size_t place = 0; place < shape.size(); ++place) {
            if (same[place] != nullptr) put(fields + place, same[place]);
        }
        fill_up(shape, value.ptr());
        PyList_SET_ITEM(made.ptr(), row, value.release().ptr());
    }
    return made;
}

}  // namespace

void add_values(py::module_& module) {
    module.def("base", base);
    module.def("hasten", hasten);
    module.def("as_tuple", [](const py::object& value) { return as_tuple(value); });
    module.def("replaced", replaced);
    module.def("fill", fill);
    module.def("remade", remade);
    module.def("in_bulk", in_bulk);
}
