#include "texts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

#include "../common/helpers.hpp"

namespace arrow {

namespace {

constexpr std::size_t view_size = 16;
constexpr std::int64_t inline_size = 12;

struct Kind {
    const char* format;
    const char* name;
};
constexpr Kind kinds[] = {
    {"n", "nothing but nulls"}, {"b", "truth values"},   {"c", "numbers (int8)"},
    {"C", "numbers (uint8)"},   {"s", "numbers (int16)"}, {"S", "numbers (uint16)"},
    {"i", "numbers (int32)"},   {"I", "numbers (uint32)"}, {"l", "numbers (int64)"},
    {"L", "numbers (uint64)"},  {"e", "numbers (float16)"}, {"f", "numbers (float32)"},
    {"g", "numbers (float64)"}, {"z", "bytes"},          {"Z", "bytes"},
    {"vz", "bytes"},            {"u", "texts"},          {"U", "texts"},
    {"vu", "texts"},            {"+s", "records"},
};

[[noreturn]] void refuse(const std::string& problem) { throw std::invalid_argument(problem); }

[[noreturn]] void refuse_row(std::int64_t row, const std::string& problem) { throw RowError(row + 1, problem); }

template <class Number>
Number at(const void* column, std::int64_t place) {
    Number number;
    std::memcpy(&number, static_cast<const char*>(column) + place * static_cast<std::int64_t>(sizeof number),
                sizeof number);
    return number;
}

bool is_ascii(std::string_view text) {
    std::size_t place = 0;
    std::uint64_t every = 0;
    for (; place + 8 <= text.size(); place += 8) {
        std::uint64_t part;
        std::memcpy(&part, text.data() + place, 8);
        every |= part;
    }
    for (; place < text.size(); ++place) every |= static_cast<unsigned char>(text[place]);
    return (every & 0x8080808080808080ULL) == 0;
}

// The position of the first byte that begins no character; the size if there is none.
std::size_t first_wrong(std::string_view text) {
    std::size_t place = 0;
    const auto byte = [&](std::size_t where) -> unsigned {
        return where < text.size() ? static_cast<unsigned char>(text[where]) : 0;
    };
    while (place < text.size()) {
        const unsigned lead = byte(place);
        if (lead < 0x80) {
            ++place;
            continue;
        }
        const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        const unsigned second = byte(place + 1);
        const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        bool fits = lead >= 0xC2 && lead <= 0xF4 && low <= second && second <= high;
        for (std::size_t next = 2; next <= more; ++next) fits = fits && byte(place + next) >> 6 == 2;
        if (!fits) return place;
        place += more + 1;
    }
    return place;
}

void check_text(std::string_view text, std::int64_t row) {
    if (is_ascii(text)) return;
    const std::size_t wrong = first_wrong(text);
    if (wrong == text.size()) return;
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(text[wrong]);
    refuse_row(row, std::string("expected UTF-8, found the byte 0x") + digits[byte >> 4] +
                        digits[byte & 15] + " at position " + std::to_string(wrong + 1));
}

}  // namespace

std::string kind_of(const ArrowSchema& schema) {
    const std::string_view format = schema.format == nullptr ? "" : schema.format;
    if (schema.dictionary != nullptr) return "a dictionary of " + kind_of(*schema.dictionary);
    for (const Kind& kind : kinds) {
        if (format == kind.format) return kind.name;
    }
    if (format.substr(0, 1) == "d") return "numbers (decimal)";
    if (format.substr(0, 1) == "t") return "times";
    if (format.substr(0, 1) == "w") return "bytes";
    if (format.substr(0, 1) == "+") return "lists or other nested values";
    return "the unknown format \"" + std::string(format) + "\"";
}

bool is_text(const ArrowSchema& schema) {
    if (schema.format == nullptr) return false;
    const std::string_view format = schema.format;
    if (schema.dictionary != nullptr) {
        return format.size() == 1 && std::strchr("cCsSiIlL", format[0]) != nullptr &&
               schema.dictionary->dictionary == nullptr && is_text(*schema.dictionary);
    }
    return format == "u" || format == "U" || format == "vu" || format == "n";
}

Chunk::Chunk(const ArrowSchema& schema, const ArrowArray& array, ArrayHeld held, std::int64_t first,
             std::int64_t length)
    : held_(std::move(held)), first_(0), length_(length) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 32;
    const std::string_view format = schema.format;
    const bool nothing = schema.dictionary == nullptr && format == "n";
    if (array.offset < 0 || array.offset > most || array.length < 0 || array.length > most ||
        first < 0 || length < 0 || first > array.length || length > array.length - first) {
        refuse("expected " + std::to_string(length) + " rows from row " + std::to_string(first) +
               " on, found an array of length " + std::to_string(array.length) + " and offset " +
               std::to_string(array.offset));
    }
    first_ = array.offset + first;
    if (nothing) {
        // no buffers: a dictionary without entries and indices is never asked
        layout_ = Layout::dictionary;
        return;
    }
    const bool views = schema.dictionary == nullptr && format == "vu";
    const std::int64_t least = schema.dictionary != nullptr ? 2 : 3;
    if ((views ? array.n_buffers < least : array.n_buffers != least) || array.buffers == nullptr) {
        refuse("expected " + std::to_string(least) + " buffers, found " +
               std::to_string(array.n_buffers));
    }
    validity_ = static_cast<const std::uint8_t*>(array.buffers[0]);
    if (array.null_count == 0) validity_ = nullptr;
    places_ = array.buffers[1];
    if (length > 0 && places_ == nullptr) refuse("expected a buffer of places, found none");
    if (schema.dictionary != nullptr) {
        if (array.dictionary == nullptr) refuse("expected a dictionary, found none");
        layout_ = Layout::dictionary;
        index_ = format[0];
        dictionary_ = std::make_shared<Chunk>(*schema.dictionary, *array.dictionary, held_, 0,
                                              array.dictionary->length);
    } else if (views) {
        layout_ = Layout::views;
        for (std::int64_t block = 2; block + 1 < array.n_buffers; ++block) {
            blocks_.push_back(static_cast<const char*>(array.buffers[block]));
        }
        sizes_ = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
        if (!blocks_.empty() && sizes_ == nullptr) refuse("expected sizes of blocks, found none");
    } else {
        layout_ = format == "U" ? Layout::offsets64 : Layout::offsets32;
        data_ = static_cast<const char*>(array.buffers[2]);
    }
}

// True if the whole text is ASCII, so that no row needs a check.
template <class Offset>
bool Chunk::plain_offsets(std::int64_t before) const {
    if (length_ == 0) return true;
    std::int64_t last = at<Offset>(places_, first_);
    if (last < 0) refuse_row(before, "expected an offset of 0 or more, found " + std::to_string(last));
    const std::int64_t begin = last;
    for (std::int64_t row = 0; row < length_; ++row) {
        const std::int64_t next = at<Offset>(places_, first_ + row + 1);
        if (next < last) {
            refuse_row(before + row, "expected an offset of " + std::to_string(last) +
                   " or more, found " + std::to_string(next));
        }
        last = next;
    }
    if (last > begin && data_ == nullptr) refuse("expected a buffer of texts, found none");
    return last == begin ||
           is_ascii({data_ + begin, static_cast<std::size_t>(last - begin)});
}

void Chunk::check_view(std::int64_t place, std::int64_t row) const {
    const char* const view = static_cast<const char*>(places_) + place * static_cast<std::int64_t>(view_size);
    const auto size = at<std::int32_t>(view, 0);
    if (size < 0) refuse_row(row, "expected a length of 0 or more, found " + std::to_string(size));
    if (size <= inline_size) return;
    const auto block = at<std::int32_t>(view, 2);
    const auto offset = at<std::int32_t>(view, 3);
    if (block < 0 || static_cast<std::size_t>(block) >= blocks_.size()) {
        refuse_row(row, "expected one of " + std::to_string(blocks_.size()) +
               " blocks, found number " + std::to_string(block));
    }
    const auto room = at<std::int64_t>(sizes_, block);
    if (offset < 0 || room < 0 || size > room - offset || blocks_[static_cast<std::size_t>(block)] == nullptr) {
        refuse_row(row, "expected a text within a block of " + std::to_string(room) +
               " bytes, found bytes " + std::to_string(offset) + " to " +
               std::to_string(static_cast<std::int64_t>(offset) + size));
    }
}

void Chunk::check(std::int64_t before, Watch& watch) const {
    watch.spend(length_);
    if (layout_ == Layout::dictionary) {
        if (dictionary_ == nullptr) return;
        try {
            dictionary_->check(0, watch);
        } catch (const std::invalid_argument& problem) {
            refuse(std::string("dictionary: ") + problem.what());
        }
        for (std::int64_t row = 0; row < length_; ++row) {
            if (is_null(first_ + row)) continue;
            const std::int64_t found = index(first_ + row);
            if (found < 0 || found >= dictionary_->length()) {
                refuse_row(before + row, "expected one of " +
                       std::to_string(dictionary_->length()) + " entries, found number " +
                       std::to_string(found));
            }
        }
        return;
    }
    if (layout_ == Layout::offsets32 && plain_offsets<std::int32_t>(before)) return;
    if (layout_ == Layout::offsets64 && plain_offsets<std::int64_t>(before)) return;
    for (std::int64_t row = 0; row < length_; ++row) {
        if (is_null(first_ + row)) continue;
        if (layout_ == Layout::views) check_view(first_ + row, before + row);
        const std::string_view text = *(*this)[row];
        watch.spend(static_cast<std::int64_t>(text.size() / 4));
        check_text(text, before + row);
    }
}

std::int64_t Chunk::index(std::int64_t place) const {
    switch (index_) {
        case 'c': return at<std::int8_t>(places_, place);
        case 'C': return at<std::uint8_t>(places_, place);
        case 's': return at<std::int16_t>(places_, place);
        case 'S': return at<std::uint16_t>(places_, place);
        case 'i': return at<std::int32_t>(places_, place);
        case 'I': return at<std::uint32_t>(places_, place);
        default: return at<std::int64_t>(places_, place);  // above 63 bits: negative, and refused
    }
}

std::string_view Chunk::view(std::int64_t place) const {
    const char* const view = static_cast<const char*>(places_) + place * static_cast<std::int64_t>(view_size);
    const auto size = static_cast<std::size_t>(at<std::int32_t>(view, 0));
    if (size <= static_cast<std::size_t>(inline_size)) return {view + 4, size};
    const auto block = static_cast<std::size_t>(at<std::int32_t>(view, 2));
    return {blocks_[block] + at<std::int32_t>(view, 3), size};
}

Text Chunk::operator[](std::int64_t row) const {
    const std::int64_t place = first_ + row;
    if (is_null(place)) return {};
    const auto between = [this](std::int64_t begin, std::int64_t end) {
        return begin == end ? std::string_view()
                            : std::string_view(data_ + begin, static_cast<std::size_t>(end - begin));
    };
    switch (layout_) {
        case Layout::offsets32:
            return between(at<std::int32_t>(places_, place), at<std::int32_t>(places_, place + 1));
        case Layout::offsets64:
            return between(at<std::int64_t>(places_, place), at<std::int64_t>(places_, place + 1));
        case Layout::views: return view(place);
        default: return dictionary_ == nullptr ? Text() : (*dictionary_)[index(place)];
    }
}

void Texts::add(Chunk checked) {
    begins_.push_back(total_);
    total_ += checked.length();
    if (!is_some_) size_ = total_;
    chunks_.push_back(std::make_shared<const Chunk>(std::move(checked)));
}

Text Texts::operator[](std::int64_t row) const {
    row = chosen_ ? (*chosen_)[static_cast<std::size_t>(row)] : first_ + row * step_;
    if (row < 0) return {};
    std::size_t chunk = 0;
    if (chunks_.size() > 1) {
        const auto after = std::upper_bound(begins_.begin(), begins_.end(), row);
        chunk = static_cast<std::size_t>(after - begins_.begin()) - 1;
    }
    return (*chunks_[chunk])[row - begins_[chunk]];
}

Texts Texts::chosen(std::vector<std::int64_t> rows) const {
    for (std::int64_t& row : rows) {
        if (row < -1 || row >= size()) {
            refuse("rows: expected -1 to " + std::to_string(size() - 1) + ", found " + std::to_string(row));
        }
        if (row >= 0) row = chosen_ ? (*chosen_)[static_cast<std::size_t>(row)] : first_ + row * step_;
    }
    Texts some = *this;
    some.is_some_ = true;
    some.size_ = static_cast<std::int64_t>(rows.size());
    some.chosen_ = std::make_shared<const std::vector<std::int64_t>>(std::move(rows));
    return some;
}

Texts Texts::chosen(std::int64_t first, std::int64_t step, std::int64_t count) const {
    const std::int64_t last = first + std::max<std::int64_t>(count - 1, 0) * step;
    if (chosen_ || count == 0 || std::min(first, last) < 0 || std::max(first, last) >= size()) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
        std::int64_t row = first;
        for (std::int64_t& one : rows) {
            one = row;
            row += step;
        }
        return chosen(std::move(rows));
    }
    Texts some = *this;
    some.is_some_ = true;
    some.size_ = count;
    some.first_ = first_ + first * step_;
    some.step_ = step_ * step;
    return some;
}

Texts Texts::replaced(const std::int64_t* rows, const Texts& others) const {
    const auto place = [](const Texts& texts, std::int64_t row) {
        return texts.chosen_ ? (*texts.chosen_)[static_cast<std::size_t>(row)] : texts.first_ + row * texts.step_;
    };
    std::vector<std::int64_t> places(static_cast<std::size_t>(size()));
    for (std::int64_t row = 0; row < size(); ++row) places[static_cast<std::size_t>(row)] = place(*this, row);
    Texts both = *this;
    for (std::int64_t row = 0; row < others.size(); ++row) {
        if (rows[row] < 0 || rows[row] >= size()) {
            refuse("rows: expected 0 to " + std::to_string(size() - 1) + ", found " + std::to_string(rows[row]));
        }
        const std::int64_t other = place(others, row);
        places[static_cast<std::size_t>(rows[row])] = other < 0 ? other : both.total_ + other;
    }
    for (std::size_t chunk = 0; chunk < others.chunks_.size(); ++chunk) {
        both.chunks_.push_back(others.chunks_[chunk]);
        both.begins_.push_back(total_ + others.begins_[chunk]);
    }
    both.total_ += others.total_;
    both.is_some_ = true;
    both.size_ = size();
    both.chosen_ = std::make_shared<const std::vector<std::int64_t>>(std::move(places));
    return both;
}

namespace {

// The first row of each text of a column.
class RowsByText {
public:
    RowsByText(const Texts& texts, Watch& watch) : texts_(texts) {
        std::size_t size = 16;
        while (size < 2 * static_cast<std::size_t>(texts.size())) size *= 2;
        slots_.assign(size, {0, -1});
        each_place(texts, watch, [this](std::int64_t row, const Text& text, std::size_t hash) {
            if (!text) return;
            Slot& slot = slots_[place_of(*text, hash)];
            if (slot.row < 0) {
                slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::int32_t>(row)};
            } else {
                is_distinct_ = false;
            }
        });
    }

    // The row of each text of another column; -1: there is none.
    void find(const Texts& others, std::int64_t* rows, Watch& watch) const {
        each_place(others, watch, [&](std::int64_t row, const Text& text, std::size_t hash) {
            rows[row] = text ? slots_[place_of(*text, hash)].row : -1;
        });
    }
    bool is_distinct() const { return is_distinct_; }

private:
    struct Slot {
        std::uint32_t hash;  // the upper half; the lower half chooses the slot
        std::int32_t row;
    };

    // Rows in blocks, so that their slots come into the cache together.
    template <class Visit>
    void each_place(const Texts& texts, Watch& watch, const Visit& visit) const {
        constexpr std::int64_t block = 32;
        std::array<Text, block> some;
        std::array<std::size_t, block> hashes{};
        for (std::int64_t begin = 0; begin < texts.size(); begin += block) {
            const std::int64_t count = std::min(block, texts.size() - begin);
            watch.spend(50 * count);
            for (std::int64_t number = 0; number < count; ++number) {
                const auto place = static_cast<std::size_t>(number);
                some[place] = texts[begin + number];
                if (!some[place]) continue;
                hashes[place] = std::hash<std::string_view>()(*some[place]);
                prefetch(&slots_[hashes[place] & (slots_.size() - 1)]);
            }
            for (std::int64_t number = 0; number < count; ++number) {
                const auto place = static_cast<std::size_t>(number);
                visit(begin + number, some[place], hashes[place]);
            }
        }
    }

    static void prefetch([[maybe_unused]] const Slot* slot) {
#if defined(__GNUC__)
        __builtin_prefetch(slot);
#endif
    }

    std::size_t place_of(std::string_view text, std::size_t hash) const {
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place].row >= 0 && (slots_[place].hash != static_cast<std::uint32_t>(hash >> 32) ||
                                          texts_[slots_[place].row] != text)) {
            place = (place + 1) & (slots_.size() - 1);
        }
        return place;
    }

    const Texts& texts_;
    std::vector<Slot> slots_;
    bool is_distinct_ = true;
};

void check_row_count(const Texts& texts) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (texts.size() > most) {
        refuse("expected at most " + std::to_string(most) + " rows, found " + std::to_string(texts.size()));
    }
}

}  // namespace

bool Texts::is_distinct(Watch& watch) const {
    check_row_count(*this);
    return RowsByText(*this, watch).is_distinct();
}

bool Texts::equals(const Texts& others, Watch& watch) const {
    if (size() != others.size()) return false;
    for (std::int64_t row = 0; row < size(); ++row) {
        watch.spend(20);
        const Text text = (*this)[row];
        if (!text || text != others[row]) return false;
    }
    return true;
}

void Texts::find(const Texts& others, std::int64_t* rows, Watch& watch) const {
    check_row_count(*this);
    RowsByText(*this, watch).find(others, rows, watch);
}

}  // namespace arrow
