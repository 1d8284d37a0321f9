// The structures of the Arrow C data and stream interfaces, as their specification lays them out.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema*);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray*);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};
}

namespace arrow {

constexpr std::int64_t nullable = 2;  // of ArrowSchema::flags

// A structure and the duty to release it.
template <class Structure>
struct Owned {
    Owned() = default;
    // Takes it over from where it lies.
    explicit Owned(Structure* from) : here(*from) { from->release = nullptr; }
    ~Owned() {
        if (here.release != nullptr) here.release(&here);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    Structure here{};
};

using SchemaHeld = std::shared_ptr<const Owned<ArrowSchema>>;
using ArrayHeld = std::shared_ptr<const Owned<ArrowArray>>;

}  // namespace arrow
