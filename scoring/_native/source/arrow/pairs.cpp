#include "pairs.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "../alignment/tokens.hpp"
#include "../common/helpers.hpp"
#include "blanks.hpp"

namespace arrow {

namespace {

using alignment::Type;

constexpr std::int64_t block_rows = 256;

std::size_t size_of_character(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Words that stay whole where others are cut: as scoring.text.units has them.
bool is_whole(std::string_view word) {
    const char last = word.back();
    return (word.size() > 1 &&
            ((word[0] == '[' && last == ']') || (word[0] == '<' && last == '>'))) ||
           word.find("!SIL") != std::string_view::npos;
}

// The tokens of one text, as `alignment::Numbering` takes them.
class Items : public alignment::Pieces {
public:
    void cut(std::string_view text, Unit unit, const Folds* folds) {
        items_.clear();
        std::size_t end = 0;
        for (std::size_t begin = next_byte<false>(text, 0); begin < text.size(); begin = next_byte<false>(text, end)) {
            end = next_byte<true>(text, begin);
            const std::string_view word = text.substr(begin, end - begin);
            if (unit == Unit::character_or_blank && !items_.empty()) items_.push_back(" ");
            if (unit == Unit::word || (unit == Unit::character && is_whole(word))) {
                items_.push_back(word);
            } else {
                for (std::size_t place = 0; place < word.size();) {
                    const std::size_t size = size_of_character(word[place]);
                    items_.push_back(word.substr(place, size));
                    place += size;
                }
            }
        }
        if (items_.size() > static_cast<std::size_t>(std::numeric_limits<Type>::max() / 2)) {
            throw std::overflow_error("a text has too many words");
        }
        if (folds != nullptr) fold(*folds);
    }

private:
    void fold(const Folds& folds) {
        folded_.clear();
        ends_.clear();
        for (const std::string_view item : items_) {
            const std::size_t begin = folded_.size();
            folded_.append(item);
            unsigned char every = 0;
            for (std::size_t place = begin; place < folded_.size(); ++place) {
                const char byte = folded_[place];
                every |= static_cast<unsigned char>(byte);
                folded_[place] = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            }
            if (every >= 0x80) {
                folded_.resize(begin);
                fold_characters(item, folds);
            }
            ends_.push_back(folded_.size());
        }
        std::size_t begin = 0;
        for (std::size_t place = 0; place < items_.size(); ++place) {
            items_[place] = std::string_view(folded_).substr(begin, ends_[place] - begin);
            begin = ends_[place];
        }
    }

    void fold_characters(std::string_view item, const Folds& folds) {
        for (std::size_t place = 0; place < item.size();) {
            const char lead = item[place];
            const std::size_t size = size_of_character(lead);
            if (size == 1) {
                folded_ += lead >= 'A' && lead <= 'Z' ? static_cast<char>(lead + 32) : lead;
            } else {
                const auto found = folds.find(code_point(item.substr(place, size)));
                folded_ += found == folds.end() ? item.substr(place, size)
                                                : std::string_view(found->second);
            }
            place += size;
        }
    }

    static std::uint32_t code_point(std::string_view character) {
        std::uint32_t code = static_cast<unsigned char>(character[0]) & (0xFFU >> (character.size() + 1));
        for (const char byte : character.substr(1)) {
            code = code << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
        }
        return code;
    }

    std::string folded_;
    std::vector<std::size_t> ends_;
};

// The number of bytes at the end that are equal words in both texts.
std::size_t common_end(std::string_view left, std::string_view right) {
    const std::size_t most = std::min(left.size(), right.size());
    const char* const a = left.data() + left.size();
    const char* const b = right.data() + right.size();
    std::size_t same = 0;
    while (same + 8 <= most) {
        std::uint64_t one;
        std::uint64_t other;
        std::memcpy(&one, a - same - 8, 8);
        std::memcpy(&other, b - same - 8, 8);
        if (one != other) break;
        same += 8;
    }
    while (same < most && a[-1 - static_cast<std::ptrdiff_t>(same)] == b[-1 - static_cast<std::ptrdiff_t>(same)]) ++same;
    const auto ends_word = [same](std::string_view text) {
        return same == text.size() || is_blank(text[text.size() - same - 1]);
    };
    if (ends_word(left) && ends_word(right)) return same;
    // the first word of the common end is but a part of one
    while (same > 0 && !is_blank(a[-static_cast<std::ptrdiff_t>(same)])) --same;
    return same;
}

std::int64_t words_of(std::string_view text) {
    std::int64_t words = 0;
    bool blank = true;
    for (const char byte : text) {
        const bool here = is_blank(byte);
        words += blank && !here ? 1 : 0;
        blank = here;
    }
    return words;
}

class Worker {
public:
    Worker(const Texts& references, const Texts& hypotheses, const Manner& manner, Watch& watch)
        : references_(references),
          hypotheses_(hypotheses),
          manner_(manner),
          trims_(manner.unit == Unit::word && manner.ties != alignment::Ties::compute_wer &&
                 manner.ties != alignment::Ties::rapidfuzz),
          watch_(watch),
          aligner_(manner.costs, manner.ties, watch),
          numbering_(watch) {}

    // `length`: of the edits, which are added; null if only counts are wanted.
    void align(std::int64_t row, std::int32_t* counts, std::int64_t* length,
               std::vector<std::uint8_t>& edits) {
        std::string_view left = references_[row].value_or(std::string_view());
        std::string_view right = hypotheses_[row].value_or(std::string_view());
        watch_.spend(static_cast<std::int64_t>(left.size() + right.size()) + 16);
        std::int64_t equal = 0;
        if (trims_) {
            // equal last words are always paired where ties prefer that: see Aligner::choose
            const std::size_t end = common_end(left, right);
            if (end > 0) {
                equal = words_of(left.substr(left.size() - end));
                left.remove_suffix(end);
                right.remove_suffix(end);
            }
        }
        if (left.empty() && right.empty()) {
            manner_.costs.check(2 * equal);
            std::fill_n(counts, 4, 0);
            counts[0] = static_cast<std::int32_t>(equal);
            if (length == nullptr) return;
            edits.insert(edits.end(), static_cast<std::size_t>(equal), alignment::Edit::correct);
            *length = equal;
            return;
        }
        left_.cut(left, manner_.unit, manner_.folds);
        right_.cut(right, manner_.unit, manner_.folds);
        const auto size = static_cast<std::int64_t>(left_.size() + right_.size());
        manner_.costs.check(size + 2 * equal);
        reference_.clear();
        hypothesis_.clear();
        numbering_.append(left_, right_, reference_, hypothesis_);
        aligner_.expect_types(left_.size() + 1);
        const alignment::Path path =
            aligner_.align({reference_.data(), static_cast<std::int64_t>(reference_.size())},
                           {hypothesis_.data(), static_cast<std::int64_t>(hypothesis_.size())},
                           counts);
        counts[0] += static_cast<std::int32_t>(equal);
        if (length == nullptr) return;
        const std::uint8_t* const first = path.first;
        edits.insert(edits.end(), first, aligner_.end());
        edits.insert(edits.end(), static_cast<std::size_t>(equal), alignment::Edit::correct);
        *length = aligner_.end() - first + equal;
    }

private:
    // Its own copies: see `share`.
    const Texts references_;
    const Texts hypotheses_;
    const Manner manner_;
    bool trims_;
    Watch& watch_;
    alignment::Aligner aligner_;
    alignment::Numbering numbering_;
    Items left_;
    Items right_;
    std::vector<Type> reference_;
    std::vector<Type> hypothesis_;
};

bool begins_with(std::string_view text, std::string_view part) {
    return text.size() >= part.size() && std::memcmp(text.data(), part.data(), part.size()) == 0;
}

// True if the parts from a place on, at least two, spell a word.
bool spells(const Items& parts, std::size_t place, std::string_view word) {
    if (word[0] != parts[place][0] || word.size() <= parts[place].size()) return false;
    for (; place < parts.size() && begins_with(word, parts[place]); ++place) {
        word.remove_prefix(parts[place].size());
        if (word.empty()) return true;
    }
    return false;
}

// True if a word begins with part of another one and goes on as, or ends within, the next.
bool goes_on(const Items& parts, std::size_t place, std::string_view word) {
    const std::string_view first = parts[place];
    if (word[0] != first[0] || word.size() <= first.size() || !begins_with(word, first)) return false;
    word.remove_prefix(first.size());
    const std::string_view second = parts[place + 1];
    return begins_with(word, second) || begins_with(second, word);
}

// How the words of a text begin, by their sizes: most words of the other text are words of this one, and only
// longer ones matter.
class Beginnings {
public:
    explicit Beginnings(const Items& words) {
        for (const std::string_view word : words) {
            const std::size_t size = std::min(word.size(), most);
            firsts_[size] |= first(word);
            if (word.size() > 1) pairs_[size] |= pair(word);
        }
        for (std::size_t size = most; size > 0; --size) {
            firsts_[size - 1] |= firsts_[size];
            pairs_[size - 1] |= pairs_[size];
        }
    }

    // False: no word of at least this size begins with the part.
    bool may_begin(std::string_view part, std::size_t size) const {
        const std::size_t at = std::min(size, most);
        return (part.size() > 1 ? pairs_[at] & pair(part) : firsts_[at] & first(part)) != 0;
    }

private:
    static constexpr std::size_t most = 24;

    static unsigned byte(std::string_view word, std::size_t at) { return static_cast<unsigned char>(word[at]); }
    static std::uint64_t first(std::string_view word) { return std::uint64_t{1} << (byte(word, 0) % 64); }
    static std::uint64_t pair(std::string_view word) {
        return std::uint64_t{1} << ((byte(word, 0) + 26 * byte(word, 1)) % 64);
    }

    std::uint64_t firsts_[most + 1] = {};
    std::uint64_t pairs_[most + 1] = {};
};

bool may_have_compounds(const Items& parts, const Items& words, bool several) {
    const Beginnings beginnings(words);
    for (std::size_t place = 0; place + 1 < parts.size(); ++place) {
        const std::size_t least = several ? 1 : parts[place + 1].size();
        if (!beginnings.may_begin(parts[place], parts[place].size() + least)) continue;
        for (const std::string_view word : words) {
            if (several ? goes_on(parts, place, word) : spells(parts, place, word)) return true;
        }
    }
    return false;
}

}  // namespace

std::vector<std::int64_t> rows_of_compounds(const Texts& references, const Texts& hypotheses, const Folds* folds,
                                            bool several, const std::int32_t* counts, Watch& watch) {
    std::vector<std::int64_t> rows;
    Items left;
    Items right;
    for (std::int64_t row = 0; row < references.size(); ++row) {
        const std::int32_t* const own = counts + 4 * row;
        if (own[1] + own[2] + own[3] == 0) continue;
        left.cut(references[row].value_or(std::string_view()), Unit::word, folds);
        right.cut(hypotheses[row].value_or(std::string_view()), Unit::word, folds);
        watch.spend(static_cast<std::int64_t>(left.size() * right.size() + 16));
        if (may_have_compounds(left, right, several) || may_have_compounds(right, left, several)) {
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<std::vector<std::uint8_t>> align(const Texts& references, const Texts& hypotheses,
                                             const Manner& manner, std::int64_t* lengths,
                                             std::int32_t* counts, Watch& watch) {
    const std::int64_t rows = references.size();
    const std::int64_t blocks = (rows + block_rows - 1) / block_rows;
    std::vector<std::vector<std::uint8_t>> edits(lengths == nullptr ? 0 : static_cast<std::size_t>(blocks));
    share(blocks, manner.threads, watch, [&](Watch& own) {
        return [&, worker = Worker(references, hypotheses, manner, own),
                made = std::vector<std::uint8_t>()](std::int64_t block) mutable {
            const std::int64_t end = std::min(rows, (block + 1) * block_rows);
            made.clear();
            for (std::int64_t row = block * block_rows; row < end; ++row) {
                worker.align(row, counts + 4 * row, lengths == nullptr ? nullptr : lengths + row, made);
            }
            if (lengths != nullptr) edits[static_cast<std::size_t>(block)] = made;
        };
    });
    return edits;
}

void join(std::vector<std::vector<std::uint8_t>> edits, const std::int64_t* places, int threads,
          std::uint8_t* out, Watch& watch) {
    share(static_cast<std::int64_t>(edits.size()), threads, watch, [&](Watch& own) {
        return [&](std::int64_t block) {
            std::vector<std::uint8_t>& here = edits[static_cast<std::size_t>(block)];
            own.spend(static_cast<std::int64_t>(here.size() / 4));
            std::copy(here.begin(), here.end(), out + places[block * block_rows]);
            here = {};
        };
    });
}

}  // namespace arrow
