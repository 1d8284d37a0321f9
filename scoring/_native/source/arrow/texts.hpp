// Columns of texts as Arrow lays them out, read in place.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../common/watch.hpp"
#include "abi.hpp"

namespace arrow {

using Text = std::optional<std::string_view>;  // none: null

// What a format string says, for messages: "numbers (int64)".
std::string kind_of(const ArrowSchema& schema);
bool is_text(const ArrowSchema& schema);

// Rows that lie together in memory.
class Chunk {
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
    std::int64_t size() const { return chosen_ ? chosen_size_ : total_; }
    // A row that nothing was chosen for is null.
    Text operator[](std::int64_t row) const;
    // These rows of this column; -1: none.
    Texts chosen(std::vector<std::int64_t> rows) const;
    // The first row with a text of an earlier one; -1: there is none.
    std::int64_t repeated(Watch& watch) const;
    // A row of this column with each text of another; -1: there is none, or the text is null.
    void find(const Texts& others, std::int64_t* rows, Watch& watch) const;

private:
    std::vector<std::shared_ptr<const Chunk>> chunks_;
    std::vector<std::int64_t> begins_;  // of each chunk
    std::int64_t total_ = 0;
    std::shared_ptr<const std::vector<std::int64_t>> chosen_;
    std::int64_t chosen_size_ = 0;
};

// Where lines fall apart in a name and a text: two ends for each, that of the part which comes first
// (the text, before a name in parentheses; or the name, before a blank), and that of the line. None if
// a line has not just these, the last no end, or there is an odd byte anywhere.
std::vector<std::int64_t> line_parts(std::string_view data, bool named_first, std::string_view odd,
                                     Watch& watch);

}  // namespace arrow
