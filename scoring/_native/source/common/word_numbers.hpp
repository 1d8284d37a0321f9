// Numbers of words that lie in memory which somebody keeps.
#pragma once

#include <cstddef>
#include <cstdint>
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

    std::int32_t of(std::string_view word) {
        const Py_hash_t hash = hash_.of_bytes(word.data(), word.size());
        Slot& slot = find(word, hash);
        if (slot.number >= 0) return slot.number;
        std::string_view kept = word;
        const std::int32_t number = ask_(kept);
        slot = {hash, number, kept};
        if (3 * ++used_ > 2 * slots_.size()) grow();
        return number;
    }

private:
    struct Slot {
        Py_hash_t hash = 0;
        std::int32_t number = -1;
        std::string_view word;
    };

    Slot& find(std::string_view word, Py_hash_t hash) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::size_t>(hash) & mask;
        while (slots_[place].number >= 0 &&
               (slots_[place].hash != hash || slots_[place].word != word)) {
            place = (place + 1) & mask;
        }
        return slots_[place];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before) {
            if (slot.number >= 0) find(slot.word, slot.hash) = slot;
        }
    }

    Ask ask_;
    const alignment::TokenHash hash_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};
