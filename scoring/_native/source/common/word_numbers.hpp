// Numbers of words that lie in memory which somebody keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "../alignment/tokens.hpp"

// Numbers of words; each new word is asked for once, which may replace it by the same word in memory that stays.
class WordNumbers {
public:
    using Ask = std::function<std::int32_t(std::string_view&)>;

    explicit WordNumbers(Ask ask) : ask_(std::move(ask)), slots_(1024) {}

    // A word that is to be looked up.
    struct Sought {
        std::string_view word;
        std::uint64_t ends;
        Py_hash_t hash;
    };

    std::int32_t of(std::string_view word) { return of(sought(word)); }

    // Prepares the search for a word. Tables of many words are not in the cache: of the next words, the memory is
    // fetched while that of the first is awaited.
    Sought prepared(std::string_view word) const {
        const Sought next = sought(word);
#if defined(__GNUC__)
        __builtin_prefetch(&slots_[static_cast<std::size_t>(next.hash) & (slots_.size() - 1)].number);
#endif
        return next;
    }

    std::int32_t of(const Sought& sought) {
        Slot& slot = find(sought);
        if (slot.number >= 0) return slot.number;
        std::string_view kept = sought.word;
        const std::int32_t number = ask_(kept);
        slot = {ends_of(kept), kept, number};
        if (3 * ++used_ > 2 * slots_.size()) grow();
        return number;
    }

private:
    struct Slot {
        std::uint64_t ends = 0;
        std::string_view word;
        std::int32_t number = -1;

        // A short word is compared without a look at the memory where it lies.
        bool has_word_of(const Sought& other) const {
            return ends == other.ends && word.size() == other.word.size() &&
                   (word.size() <= sizeof ends || word == other.word);
        }
    };

    // The first and the last four bytes of a word. With its size, they are all of a word of at most eight.
    static std::uint64_t ends_of(std::string_view word) {
        std::uint32_t head = 0;
        std::uint32_t tail = 0;
        const std::size_t size = word.size();
        if (size >= sizeof head) {
            std::memcpy(&head, word.data(), sizeof head);
            std::memcpy(&tail, word.data() + size - sizeof tail, sizeof tail);
        } else if (size > 0) {
            head = static_cast<unsigned char>(word.front());
            tail = static_cast<std::uint32_t>(static_cast<unsigned char>(word[size / 2])) << 8U |
                   static_cast<unsigned char>(word.back());
        }
        return static_cast<std::uint64_t>(head) << 32U | tail;
    }

    Sought sought(std::string_view word) const {
        const std::uint64_t ends = ends_of(word);
        if (word.size() > sizeof ends) return {word, ends, hash_.of_bytes(word.data(), word.size())};
        return {word, ends, hash_.of_hash(static_cast<std::int64_t>(ends + word.size()))};
    }

    // The slot of a word, or the empty one where it would be.
    Slot& find(const Sought& sought) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::size_t>(sought.hash) & mask;
        while (slots_[place].number >= 0 && !slots_[place].has_word_of(sought)) {
            place = (place + 1) & mask;
        }
        return slots_[place];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before) {
            if (slot.number >= 0) find(sought(slot.word)) = slot;
        }
    }

    Ask ask_;
    const alignment::TokenHash hash_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};
