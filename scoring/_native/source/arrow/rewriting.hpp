// Texts of a column with other words in place of theirs.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/watch.hpp"
#include "../common/word_numbers.hpp"
#include "blanks.hpp"
#include "texts.hpp"

namespace arrow {

class Rewriting {
public:
    // `word` returns the replacement of a word; it is called once for each different word of all texts.
    explicit Rewriting(std::function<std::string(std::string_view)> word)
        : numbers_([this, word = std::move(word)](std::string_view& text) {
              const std::string other = word(text);
              words_.emplace_back(text);
              text = words_.back();
              is_other_.push_back(other != text);
              begins_.push_back(pool_.size());
              if (is_other_.back()) pool_ += other;
              return static_cast<std::int32_t>(begins_.size() - 1);
          }) {}
    Rewriting(const Rewriting&) = delete;
    Rewriting& operator=(const Rewriting&) = delete;

    // Appends the texts from a row on, words cut at ASCII blanks and joined by single ones, and where each of them
    // ends; as many as are some megabytes, and at least one. True if any word is another now.
    bool rows(const Texts& texts, std::int64_t row, std::string& data, std::vector<std::int32_t>& ends, Watch& watch) {
        constexpr std::size_t enough = 1 << 24;
        bool is_other = false;
        while (row < texts.size() && data.size() < enough) {
            const std::size_t begin = data.size();
            const Text text = texts[row++];
            if (text) is_other |= append(*text, data);
            if (data.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
                throw std::overflow_error("a text is too long");
            }
            ends.push_back(static_cast<std::int32_t>(data.size()));
            watch.spend(static_cast<std::int64_t>(10 * (data.size() - begin) + 1));
        }
        return is_other;
    }

private:
    bool append(std::string_view text, std::string& data) {
        sought_.clear();
        for (std::size_t begin = next_byte<false>(text, 0); begin < text.size();) {
            const std::size_t end = next_byte<true>(text, begin);
            sought_.push_back(numbers_.prepared(text.substr(begin, end - begin)));
            begin = next_byte<false>(text, end);
        }
        const std::size_t first = data.size();
        const auto add = [&data, first](const char* begin, std::size_t size) {
            if (size == 0) return;
            if (data.size() > first) data += ' ';
            data.append(begin, size);
        };
        bool is_other = false;
        std::string_view same;  // of the text, words that stay as they are: most texts are but a few such parts
        for (const WordNumbers::Sought& sought : sought_) {
            const auto number = static_cast<std::size_t>(numbers_.of(sought));
            const std::string_view word = sought.word;
            if (is_other_[number]) {
                add(same.data(), same.size());
                same = {};
                const std::size_t from = begins_[number];
                const std::size_t to = number + 1 < begins_.size() ? begins_[number + 1] : pool_.size();
                add(pool_.data() + from, to - from);
                is_other = true;
            } else if (!same.empty() && same.data() + same.size() + 1 == word.data() && word.data()[-1] == ' ') {
                same = {same.data(), same.size() + 1 + word.size()};
            } else {
                add(same.data(), same.size());
                same = word;
            }
        }
        add(same.data(), same.size());
        return is_other;
    }

    std::vector<WordNumbers::Sought> sought_;  // the words of a text
    std::deque<std::string> words_;
    std::vector<bool> is_other_;
    WordNumbers numbers_;
    std::string pool_;  // of the other words
    std::vector<std::size_t> begins_;
};

}  // namespace arrow
