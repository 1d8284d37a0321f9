#include "stream.hpp"

#include <cerrno>
#include <cstring>

namespace arrow {

namespace {

constexpr std::int64_t most_columns = 1 << 20;

template <class Structure>
Structure* pointer_in(py::handle capsule, const char* name) {
    if (PyCapsule_IsValid(capsule.ptr(), name) == 0) {
        throw unexpected("column", "a capsule of Arrow named " + std::string(name), capsule);
    }
    auto* const structure = static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (structure->release == nullptr) throw py::value_error("the Arrow data was taken already");
    return structure;
}

// Frees what `share` and the columns of our own are made of.
template <class Structure>
void release_parts(Structure* structure) {
    for (std::int64_t child = 0; child < structure->n_children; ++child) {
        Structure* const one = structure->children[child];
        if (one->release != nullptr) one->release(one);
        delete one;
    }
    delete[] structure->children;
    if (structure->dictionary != nullptr) {
        if (structure->dictionary->release != nullptr) structure->dictionary->release(structure->dictionary);
        delete structure->dictionary;
    }
    structure->release = nullptr;
}

template <class Structure>
void make_room(Structure& structure, std::int64_t children) {
    structure.n_children = 0;
    structure.children = children > 0 ? new Structure*[static_cast<std::size_t>(children)] : nullptr;
    structure.dictionary = nullptr;
}

// A copy that keeps `held` alive, so that it may be moved and released by itself.
template <class Structure, class Held>
void share(const Structure& source, const Held& held, Structure& copy) {
    copy = source;
    make_room(copy, source.n_children);
    copy.private_data = new Held(held);
    copy.release = [](Structure* one) {
        release_parts(one);
        delete static_cast<Held*>(one->private_data);
    };
    for (std::int64_t child = 0; child < source.n_children; ++child) {
        copy.children[child] = new Structure{};
        ++copy.n_children;
        share(*source.children[child], held, *copy.children[child]);
    }
    if (source.dictionary != nullptr) {
        copy.dictionary = new Structure{};
        share(*source.dictionary, held, *copy.dictionary);
    }
}

struct Names {
    std::string name, format;
};

void name_schema(ArrowSchema& schema, std::string name, std::string format, std::int64_t children) {
    auto* const names = new Names{std::move(name), std::move(format)};
    schema.format = names->format.c_str();
    schema.name = names->name.c_str();
    schema.metadata = nullptr;
    schema.flags = children > 0 ? 0 : nullable;
    make_room(schema, children);
    schema.private_data = names;
    schema.release = [](ArrowSchema* one) {
        release_parts(one);
        delete static_cast<Names*>(one->private_data);
    };
}

// The buffers of a column and those who own them.
struct Column {
    std::vector<const void*> buffers;
    std::vector<std::unique_ptr<View>> owners;
};

void drop(Column* column) {
    if (Py_IsInitialized() == 0) return;  // too late: the memory goes with the process
    const py::gil_scoped_acquire acquire;
    const py::error_scope under_way;
    delete column;
}

std::size_t room_of(const std::string& format, std::size_t buffer, std::size_t length) {
    if (buffer == 0) return (length + 7) / 8;
    if (buffer == 2) return 0;
    if (format == "u") return 4 * (length + 1);
    return format == "i" ? 4 * length : format == "U" ? 8 * (length + 1) : 8 * length;
}

void fill_column(ArrowArray& array, const Field& field, py::handle buffers, std::int64_t length) {
    auto column = std::make_unique<Column>();
    const py::tuple given = py::cast<py::tuple>(buffers);
    const std::size_t wanted = field.format == "U" || field.format == "u" ? 3 : 2;
    require(given.size() == wanted, "expected " + std::to_string(wanted) + " buffers, found " +
                                        std::to_string(given.size()));
    for (std::size_t place = 0; place < wanted; ++place) {
        if (given[place].is_none() && place == 0) {
            column->buffers.push_back(nullptr);
            continue;
        }
        auto view = std::make_unique<View>(given[place]);
        if (!view->held()) throw unexpected(field.name, "a contiguous buffer", given[place]);
        const std::size_t room = room_of(field.format, place, static_cast<std::size_t>(length));
        require(view->bytes() >= room, field.name + ": expected a buffer of " + std::to_string(room) +
                                           " bytes, found " + std::to_string(view->bytes()));
        column->buffers.push_back(view->data());
        column->owners.push_back(std::move(view));
    }
    array.length = length;
    array.null_count = column->buffers[0] == nullptr ? 0 : -1;
    array.offset = 0;
    array.n_buffers = static_cast<std::int64_t>(wanted);
    make_room(array, 0);
    array.buffers = column->buffers.data();
    array.private_data = column.release();
    array.release = [](ArrowArray* one) {
        drop(static_cast<Column*>(one->private_data));
        one->release = nullptr;
    };
}

void fill_batch(ArrowArray& array, const std::vector<Field>& fields, py::handle batch) {
    const auto [length, columns] = py::cast<std::pair<std::int64_t, py::list>>(batch);
    require(length >= 0 && columns.size() == fields.size(),
            "expected " + std::to_string(fields.size()) + " columns, found " +
                std::to_string(columns.size()));
    array = ArrowArray{};
    array.length = length;
    array.n_buffers = 1;
    make_room(array, static_cast<std::int64_t>(fields.size()));
    array.private_data = new const void* [1] { nullptr };
    array.buffers = static_cast<const void**>(array.private_data);
    array.release = [](ArrowArray* one) {
        release_parts(one);
        delete[] static_cast<const void**>(one->private_data);
    };
    try {
        for (std::size_t number = 0; number < fields.size(); ++number) {
            auto child = std::make_unique<ArrowArray>();
            const py::tuple given = py::cast<py::tuple>(columns[number]);
            if (fields[number].kept != nullptr) {
                const auto from = py::cast<Batch>(given[0]);
                const auto place = py::cast<std::int64_t>(given[1]);
                require(from.size() == length && from.schema == fields[number].held,
                        fields[number].name + ": expected a batch of this stream with as many rows");
                const ArrowArray& column = from.column(place);
                share(column, from.array, *child);
                child->offset += from.first();
                if (child->length != length && child->null_count != 0) child->null_count = -1;
                child->length = length;
            } else {
                fill_column(*child, fields[number], given, length);
            }
            array.children[number] = child.release();
            ++array.n_children;
        }
    } catch (...) {
        array.release(&array);
        throw;
    }
}

struct Outgoing {
    std::vector<Field> fields;
    py::object batches;
    std::string problem;
};

int give_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
    const auto& fields = static_cast<Outgoing*>(stream->private_data)->fields;
    name_schema(*schema, "", "+s", static_cast<std::int64_t>(fields.size()));
    for (const Field& field : fields) {
        auto* const child = new ArrowSchema{};
        schema->children[schema->n_children++] = child;
        if (field.kept != nullptr) {
            share(*field.kept, field.held, *child);
        } else {
            name_schema(*child, field.name, field.format, 0);
        }
    }
    return 0;
}

int give_next(ArrowArrayStream* stream, ArrowArray* array) {
    auto* const outgoing = static_cast<Outgoing*>(stream->private_data);
    const py::gil_scoped_acquire acquire;
    try {
        *array = ArrowArray{};
        const auto batch = py::reinterpret_steal<py::object>(PyIter_Next(outgoing->batches.ptr()));
        if (!batch) {
            if (PyErr_Occurred() != nullptr) throw py::error_already_set();
            return 0;
        }
        fill_batch(*array, outgoing->fields, batch);
        return 0;
    } catch (py::error_already_set& problem) {
        outgoing->problem = py::cast<std::string>(py::str(problem.value()));
    } catch (const std::exception& problem) {
        outgoing->problem = problem.what();
    }
    return EINVAL;
}

void release_stream(ArrowArrayStream* stream) {
    auto* const outgoing = static_cast<Outgoing*>(stream->private_data);
    stream->release = nullptr;
    if (Py_IsInitialized() == 0) return;
    const py::gil_scoped_acquire acquire;
    const py::error_scope under_way;  // an error may be what ends it
    delete outgoing;
}

// Asks a stream for something while Python goes on; what it refuses is said in its words.
template <class Question>
void ask(ArrowArrayStream& stream, Question question) {
    int status = 0;
    {
        const py::gil_scoped_release release;
        status = question();
    }
    if (status != 0) {
        const char* const told = stream.get_last_error(&stream);
        throw py::value_error(told == nullptr ? std::strerror(status) : told);
    }
}

}  // namespace

Stream::Stream(py::handle capsule) {
    stream_ = std::make_unique<Owned<ArrowArrayStream>>(
        pointer_in<ArrowArrayStream>(capsule, "arrow_array_stream"));
    ArrowArrayStream& stream = stream_->here;
    auto schema = std::make_shared<Owned<ArrowSchema>>();
    ask(stream, [&] { return stream.get_schema(&stream, &schema->here); });
    schema_ = std::move(schema);
    check_schema();
}

Stream::Stream(py::handle schema, py::handle array) {
    auto* const from = pointer_in<ArrowSchema>(schema, "arrow_schema");
    schema_ = std::make_shared<Owned<ArrowSchema>>(from);
    only_ = std::make_shared<Owned<ArrowArray>>(pointer_in<ArrowArray>(array, "arrow_array"));
    check_schema();
}

void Stream::check_schema() const {
    const ArrowSchema& schema = schema_->here;
    require(schema.format != nullptr, "expected a schema with a format, found none");
    require(schema.n_children >= 0 && schema.n_children <= most_columns &&
                (schema.n_children == 0 || schema.children != nullptr),
            "expected a schema with children, found " + std::to_string(schema.n_children));
    for (std::int64_t child = 0; child < schema.n_children; ++child) {
        require(schema.children[child] != nullptr && schema.children[child]->format != nullptr,
                "expected a column, found none");
    }
}

std::int64_t Stream::width() const {
    return std::string_view(schema_->here.format) == "+s" ? schema_->here.n_children : 1;
}

const ArrowSchema& Stream::field(std::int64_t number) const {
    return std::string_view(schema_->here.format) == "+s" ? *schema_->here.children[number] : schema_->here;
}

Batch Stream::checked(ArrayHeld held) const {
    const ArrowArray& array = held->here;
    require(array.length >= 0 && array.offset >= 0, "expected a length of 0 or more, found " +
                                                         std::to_string(array.length));
    Batch batch{schema_, std::move(held)};
    if (!batch.is_table()) return batch;
    require(array.n_children == schema_->here.n_children && (array.n_children == 0 || array.children != nullptr),
            "expected " + std::to_string(schema_->here.n_children) + " columns, found " +
                std::to_string(array.n_children));
    for (std::int64_t child = 0; child < array.n_children; ++child) {
        const ArrowArray* const column = array.children[child];
        require(column != nullptr && column->offset >= 0 && column->length >= array.offset &&
                    column->length - array.offset >= array.length,
                "expected " + std::to_string(array.length) + " rows in every column, found " +
                    std::to_string(column == nullptr ? 0 : column->length));
    }
    const bool has_nulls = array.n_buffers > 0 && array.buffers != nullptr && array.buffers[0] != nullptr;
    require(!has_nulls || array.null_count == 0, "expected records, found some that are null");
    return batch;
}

Batch Stream::next() {
    if (stream_ == nullptr) return only_ == nullptr ? Batch{} : checked(std::move(only_));
    auto array = std::make_shared<Owned<ArrowArray>>();
    ArrowArrayStream& stream = stream_->here;
    ask(stream, [&] { return stream.get_next(&stream, &array->here); });
    return array->here.release == nullptr ? Batch{} : checked(std::move(array));
}

py::capsule capsule_of(std::vector<Field> fields, py::object batches) {
    if (PyIter_Check(batches.ptr()) == 0) throw unexpected("batches", "an iterator", batches);
    auto stream = std::make_unique<ArrowArrayStream>();
    stream->get_schema = give_schema;
    stream->get_next = give_next;
    stream->get_last_error = [](ArrowArrayStream* one) {
        return static_cast<const char*>(static_cast<Outgoing*>(one->private_data)->problem.c_str());
    };
    stream->release = release_stream;
    stream->private_data = new Outgoing{std::move(fields), std::move(batches), ""};
    return py::capsule(stream.release(), "arrow_array_stream", [](PyObject* capsule) {
        const py::error_scope under_way;
        auto* const one = static_cast<ArrowArrayStream*>(
            PyCapsule_GetPointer(capsule, "arrow_array_stream"));
        if (one->release != nullptr) one->release(one);
        delete one;
    });
}

}  // namespace arrow
