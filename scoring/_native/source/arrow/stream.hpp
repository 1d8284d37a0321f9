// Tables that come in batches, and tables that are handed out the same way.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../common/arguments.hpp"
#include "abi.hpp"
#include "texts.hpp"

namespace arrow {

// Rows of a table, or of a single column.
struct Batch {
    SchemaHeld schema;
    ArrayHeld array;

    std::int64_t size() const { return array->here.length; }
    bool is_table() const { return std::string_view(schema->here.format) == "+s"; }
    std::int64_t first() const { return is_table() ? array->here.offset : 0; }
    const ArrowArray& column(std::int64_t number) const {
        return is_table() ? *array->here.children[number] : array->here;
    }
    Chunk chunk(const ArrowSchema& field, std::int64_t number) const {
        return Chunk(field, column(number), array, first(), size());
    }
};

class Stream {
public:
    explicit Stream(py::handle capsule);
    Stream(py::handle schema, py::handle array);

    std::int64_t width() const;
    const ArrowSchema& field(std::int64_t number) const;
    SchemaHeld schema() const { return schema_; }
    // The next rows; no array in it: there are none left.
    Batch next();

private:
    void check_schema() const;
    Batch checked(ArrayHeld array) const;

    SchemaHeld schema_;
    std::unique_ptr<Owned<ArrowArrayStream>> stream_;
    ArrayHeld only_;
};

// A column to be handed out: one of somebody else's, or of a name and a format of our own.
struct Field {
    std::string name;
    std::string format;
    SchemaHeld held;                      // of somebody else's
    const ArrowSchema* kept = nullptr;  // which
};

// The capsule of a stream whose batches a Python iterator gives: pairs of a length and a list of
// columns, each a pair of a batch and a number, or a tuple of buffers of which the first may be None.
py::capsule capsule_of(std::vector<Field> fields, py::object batches);

}  // namespace arrow
