// Columns of texts as Arrow lays them out, read in place.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../common/watch.hpp"
#include "abi.hpp"

namespace arrow {

using Text = std::optional<std::string_view>;  // none: null

// The meaning of a format string, for messages: "numbers (int64)".
std::string kind_of(const ArrowSchema& schema);
bool is_text(const ArrowSchema& schema);

// A row, counted from 1, that holds no text.
class RowError : public std::invalid_argument {
public:
    RowError(std::int64_t number, std::string reason)
        : std::invalid_argument("row " + std::to_string(number) + ": " + reason),
          row(number),
          problem(std::move(reason)) {}
    std::int64_t row;
    std::string problem;
};

// Rows that lie together in memory; in lines of the cache that nobody writes to.
class alignas(128) Chunk {
public:
    // Rows `first` to `first + length` of the array, beyond its own offset.
    Chunk(const ArrowSchema& schema, const ArrowArray& array, ArrayHeld held, std::int64_t first,
          std::int64_t length);

    std::int64_t length() const { return length_; }
    // Refuses bounds that cannot be and bytes that are no UTF-8. `before`: rows of earlier chunks.
    void check(std::int64_t before, Watch& watch) const;
    Text operator[](std::int64_t row) const;

private:
    enum class Layout { offsets32, offsets64, views, dictionary };

    bool is_null(std::int64_t at) const {
        return validity_ != nullptr && (validity_[at >> 3] >> (at & 7) & 1) == 0;
    }
    std::int64_t index(std::int64_t at) const;
    template <class Offset>
    bool plain_offsets(std::int64_t before) const;
    std::string_view view(std::int64_t at) const;
    void check_view(std::int64_t at, std::int64_t row) const;

    Layout layout_ = Layout::offsets32;
    ArrayHeld held_;
    std::int64_t first_;
    std::int64_t length_;
    const std::uint8_t* validity_ = nullptr;
    const void* places_ = nullptr;  // offsets, views or indices
    const char* data_ = nullptr;
    std::vector<const char*> blocks_;         // of views
    const std::int64_t* sizes_ = nullptr;  // of blocks
    char index_ = 0;                          // the indices' format
    std::shared_ptr<const Chunk> dictionary_;
};

// A column of any number of chunks, all of it or some of its rows.
class Texts {
public:
    void add(Chunk checked);
    std::int64_t size() const { return size_; }
    // A row that nothing was chosen for is null.
    Text operator[](std::int64_t row) const;
    // These rows of this column; -1: none.
    Texts chosen(std::vector<std::int64_t> rows) const;
    // So many rows of this column, in even steps.
    Texts chosen(std::int64_t first, std::int64_t step, std::int64_t count) const;
    // This column, of which some rows are those of another instead, in its order.
    Texts replaced(const std::int64_t* rows, const Texts& others) const;
    // True if no two rows have the same text; nulls do not count.
    bool is_distinct(Watch& watch) const;
    // True if another column has the same texts in the same order, and neither has nulls.
    bool equals(const Texts& others, Watch& watch) const;
    // The first row of this column with each text of another; -1: there is none, or the text is null.
    void find(const Texts& others, std::int64_t* rows, Watch& watch) const;

private:
    std::vector<std::shared_ptr<const Chunk>> chunks_;
    std::vector<std::int64_t> begins_;  // of each chunk
    std::int64_t total_ = 0;
    std::int64_t size_ = 0;
    bool is_some_ = false;
    // The chosen rows of the chunks: a list, or a count in even steps.
    std::shared_ptr<const std::vector<std::int64_t>> chosen_;
    std::int64_t first_ = 0;
    std::int64_t step_ = 1;
};

}  // namespace arrow
