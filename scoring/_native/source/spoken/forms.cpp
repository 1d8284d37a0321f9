#include "forms.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "../arrow/rewriting.hpp"

namespace spoken {

namespace {

constexpr std::size_t in_capitals = 8;  // so many first words say whether a text is in capitals

constexpr std::uint32_t first_slot = 0xE000, last_slot = 0xF8FF;  // as in scoring/text/readings.py

// The number of the slot that a word of a pattern is; -1 if it is none.
std::int32_t slot_of(const std::string& word) {
    if (word.size() != 3 || (static_cast<std::uint8_t>(word[0]) & 0xF0) != 0xE0) return -1;
    std::uint32_t character = static_cast<std::uint8_t>(word[0]) & 0x0F;
    for (std::size_t at = 1; at < 3; ++at) character = (character << 6) | (static_cast<std::uint8_t>(word[at]) & 0x3F);
    return first_slot <= character && character <= last_slot ? static_cast<std::int32_t>(character - first_slot) : -1;
}

std::int32_t narrow(std::size_t number) {
    if (number > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw std::overflow_error("a text is too long");
    }
    return static_cast<std::int32_t>(number);
}

Choices cut_lines(WordList& words, std::string_view lines) {
    Choices choices;
    while (true) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        words.cut(lines.substr(0, end), choices.words);
        choices.ends.push_back(choices.words.size());
        if (end == lines.size()) return choices;
        lines.remove_prefix(end + 1);
    }
}

}  // namespace

void WordList::cut(std::string_view text, std::vector<std::int32_t>& numbers) {
    std::size_t end = 0;
    while (true) {
        const std::size_t begin = arrow::next_byte<false>(text, end);
        if (begin == text.size()) return;
        end = arrow::next_byte<true>(text, begin);
        numbers.push_back(of(text.substr(begin, end - begin)));
    }
}

void NumberedColumns::number(Column& column, Watch& watch) {
    const auto size = static_cast<std::size_t>(column.texts.size());
    column.ends.reserve(size + 1);
    while (column.ends.size() <= size) {
        const arrow::Text text = column.texts[static_cast<std::int64_t>(column.ends.size()) - 1];
        if (text) words.cut(*text, column.words);
        column.ends.push_back(column.words.size());
        watch.spend(static_cast<std::int64_t>(text ? 10 * text->size() : 1));
    }
}

std::vector<std::int64_t> FormPairs::touched(Watch& watch) {
    std::vector<std::int64_t> rows;
    const NumberedColumns::Column& left = column(0);
    const auto begins = [&](std::int32_t word) { return (flags_of(word) & begins_forms) != 0; };
    for (std::size_t row = 0; row + 1 < left.ends.size(); ++row) {
        const std::int32_t* words = left.words.data();
        if (std::any_of(words + left.ends[row], words + left.ends[row + 1], begins)) {
            rows.push_back(static_cast<std::int64_t>(row));
        }
        watch.spend(static_cast<std::int64_t>(left.ends[row + 1] - left.ends[row] + 1));
    }
    return rows;
}

void FormPairs::open(std::vector<std::int64_t> rows, Watch& watch) {
    rows_ = std::move(rows);
    for (int number = 0; number < 2; ++number) {
        columns_->number(column(number), watch);
        const std::vector<std::size_t>& ends = column(number).ends;
        std::vector<Row>& opened = open_[number].rows;
        opened.clear();
        opened.reserve(rows_.size());
        for (const std::int64_t row : rows_) {
            const std::size_t place = std::min(static_cast<std::size_t>(row), ends.size() - 1);
            const std::size_t begin = ends[place];
            opened.push_back({begin, ends[std::min(place + 1, ends.size() - 1)], begin, -1, true, false, {}});
            watch.spend(10);
        }
    }
}

void FormPairs::forget() {
    for (Side& side : open_) side.windows.clear();
    raw_choices_.clear();
    patterns_.clear();
    choices_.clear();
    text_numbers_.clear();
    named_texts_ = 0;
}

std::int32_t FormPairs::window_at(int number, const Row& row, std::vector<Window>& fresh) {
    Side& side = open_[number];
    const std::vector<std::int32_t>& words = column(number).words;
    const std::size_t at = row.cursor;
    const auto before = at == row.begin ? 0 : flags_of(words[at - 1]) >> before_shift;
    const std::size_t last = std::min(at + longest_, row.end);
    std::size_t end = at + 1;
    while (end < last && (flags_of(words[end]) & ends_forms) == 0) ++end;
    const bool is_closed = end < row.end;
    std::string key{static_cast<char>(before), static_cast<char>(row.capitals), static_cast<char>(is_closed)};
    key.append(reinterpret_cast<const char*>(&words[at]), (end - at) * sizeof(std::int32_t));
    const auto [known, is_new] = side.windows.try_emplace(std::move(key), narrow(side.windows.size()));
    if (is_new) {
        const auto begin = words.begin();
        fresh.push_back({static_cast<std::uint8_t>(before), row.capitals, is_closed,
                         {begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end)}});
    }
    return known->second;
}

std::vector<Window> FormPairs::walk(bool right, const std::int32_t* sizes, std::size_t number, Watch& watch) {
    std::vector<Window> fresh;
    Side& side = open_[right ? 1 : 0];
    const std::vector<std::int32_t>& words = column(right ? 1 : 0).words;
    for (std::size_t position = 0; position < side.rows.size(); ++position) {
        Row& row = side.rows[position];
        if (!row.is_open) continue;
        if (right && open_[0].rows[position].places.empty()) row.is_open = false;
        while (row.is_open) {
            if (row.pending >= 0) {
                if (static_cast<std::size_t>(row.pending) >= number) break;
                const std::int32_t size = sizes[row.pending];
                if (size > 0) row.places.push_back({row.cursor - row.begin, row.pending});
                row.cursor += static_cast<std::size_t>(std::max<std::int32_t>(size, 1));
                row.pending = -1;
                if (size > 0 && right) {  // it is enough to know that there is one
                    row.is_open = false;
                    break;
                }
            } else if (row.cursor == row.begin) {
                const std::size_t count = row.end - row.begin;
                row.capitals = count > 2;
                for (std::size_t at = 0; at < std::min(count, in_capitals) && row.capitals; ++at) {
                    row.capitals = (flags_of(words[row.begin + at]) & is_upper) != 0;
                }
            }
            while (row.cursor < row.end && (flags_of(words[row.cursor]) & begins_forms) == 0) ++row.cursor;
            row.is_open = row.cursor < row.end;
            if (row.is_open) row.pending = window_at(right ? 1 : 0, row, fresh);
        }
        watch.spend(200);
    }
    return fresh;
}

std::int32_t FormPairs::add_pattern(std::string_view lines) {
    Choices& pattern = patterns_.emplace_back(cut_lines(columns_->words, lines));
    for (std::int32_t& word : pattern.words) {
        const std::int32_t slot = slot_of(columns_->words[static_cast<std::size_t>(word)]);
        if (slot >= 0) word = -1 - slot;
    }
    return narrow(patterns_.size() - 1);
}

std::int32_t FormPairs::add_choices(std::string_view lines, std::int32_t pattern) {
    if (pattern >= static_cast<std::int32_t>(patterns_.size())) throw std::out_of_range("there is no such pattern");
    const Lines& added = raw_choices_.emplace_back(Lines{cut_lines(columns_->words, lines), pattern});
    if (pattern >= 0) {
        const std::vector<std::int32_t>& words = patterns_[static_cast<std::size_t>(pattern)].words;
        const auto names = static_cast<std::int32_t>(added.lines.ends.size()) - 1;
        if (std::any_of(words.begin(), words.end(), [&](std::int32_t word) { return word < -names; })) {
            raw_choices_.pop_back();
            throw std::out_of_range("a slot has no name");
        }
    }
    return narrow(raw_choices_.size() - 1);
}

void FormPairs::add_final(std::string_view text) {
    final_words_.cut(text, finals_);
    final_ends_.push_back(finals_.size());
}

void FormPairs::append_final(std::int32_t word, std::vector<std::int32_t>& into) const {
    const auto number = static_cast<std::size_t>(word);
    const std::size_t begin = number == 0 ? 0 : final_ends_[number - 1];
    into.insert(into.end(), finals_.begin() + static_cast<std::ptrdiff_t>(begin),
                finals_.begin() + static_cast<std::ptrdiff_t>(final_ends_[number]));
}

Choices FormPairs::final_lines(const Choices& lines) const {
    Choices choices;
    choices.words.reserve(lines.words.size());
    choices.ends.reserve(lines.ends.size());
    for (std::size_t text = 0; text < lines.ends.size(); ++text) {
        for (std::size_t at = lines.begin(text); at < lines.ends[text]; ++at) {
            append_final(lines.words[at], choices.words);
        }
        choices.ends.push_back(choices.words.size());
    }
    return choices;
}

const Choices& FormPairs::choices_of(std::int32_t number) {
    while (choices_.size() <= static_cast<std::size_t>(number)) {
        const Lines& raw = raw_choices_[choices_.size()];
        Choices lines = final_lines(raw.lines);
        if (raw.pattern < 0) {
            choices_.push_back(std::move(lines));
            continue;
        }
        const auto append = [&](Choices& choices, std::size_t line) {
            choices.words.insert(choices.words.end(), lines.words.begin() + static_cast<std::ptrdiff_t>(lines.begin(line)),
                                 lines.words.begin() + static_cast<std::ptrdiff_t>(lines.ends[line]));
        };
        const Choices& pattern = patterns_[static_cast<std::size_t>(raw.pattern)];
        Choices& choices = choices_.emplace_back();
        append(choices, 0);
        choices.ends.push_back(choices.words.size());
        for (std::size_t text = 0; text < pattern.ends.size(); ++text) {
            for (std::size_t at = pattern.begin(text); at < pattern.ends[text]; ++at) {
                const std::int32_t word = pattern.words[at];
                if (word < 0) {
                    append(choices, static_cast<std::size_t>(-word));
                } else {
                    append_final(word, choices.words);
                }
            }
            choices.ends.push_back(choices.words.size());
        }
    }
    return choices_[static_cast<std::size_t>(number)];
}

std::int32_t FormPairs::text_of(std::int32_t number, std::size_t text, Settled& settled) {
    const Choices& choices = choices_of(number);
    while (text_numbers_.size() < choices_.size()) {
        text_numbers_.emplace_back(choices_[text_numbers_.size()].ends.size(), -1);
    }
    std::int32_t& known = text_numbers_[static_cast<std::size_t>(number)][text];
    if (known < 0) {
        known = narrow(named_texts_++);
        std::string& joined = settled.texts.emplace_back();
        for (std::size_t at = choices.begin(text); at < choices.ends[text]; ++at) {
            if (!joined.empty()) joined += ' ';
            joined += final_words_[static_cast<std::size_t>(choices.words[at])];
        }
    }
    return known;
}

Settled FormPairs::settle(const std::int32_t* numbers, const Prices& prices, Watch& watch) {
    Settled settled;
    const std::vector<std::int32_t>& left = column(0).words;
    const std::vector<std::int32_t>& right = column(1).words;
    Search search(prices);
    Pair pair;
    Path path;
    std::vector<std::int32_t> words, heard, lengths;
    std::vector<std::size_t> ends;
    const auto add = [&](std::int32_t word, std::size_t first) {
        if (settled.data.size() > first) settled.data += ' ';
        settled.data += final_words_[static_cast<std::size_t>(word)];
    };
    for (std::size_t position = 0; position < rows_.size(); ++position) {
        const Row& row = open_[0].rows[position];
        const Row& other = open_[1].rows[position];
        if (row.places.empty()) {
            settled.states.push_back(static_cast<std::uint8_t>(State::no_places));
            continue;
        }
        settled.states.push_back(static_cast<std::uint8_t>(State::left_over));
        if (!other.places.empty()) continue;
        words.clear();
        heard.clear();
        ends.clear();
        pair.runs.clear();
        pair.choices.clear();
        std::size_t at = 0;
        for (const Place& place : row.places) {
            for (; at < place.begin; ++at) append_final(left[row.begin + at], words);
            ends.push_back(words.size());
            const auto window = static_cast<std::size_t>(place.window);
            at += raw_choices_[static_cast<std::size_t>(numbers[window])].lines.ends[0];
            pair.choices.push_back(&choices_of(numbers[window]));
        }
        for (; at < row.end - row.begin; ++at) append_final(left[row.begin + at], words);
        ends.push_back(words.size());
        for (std::size_t run = 0; run < ends.size(); ++run) {
            const std::size_t begin = run == 0 ? 0 : ends[run - 1];
            pair.runs.push_back({words.data() + begin, ends[run] - begin});
        }
        for (std::size_t word = other.begin; word < other.end; ++word) append_final(right[word], heard);
        pair.heard = {heard.data(), heard.size()};
        if (!search.find(pair, path, watch) && !search.find_cheapest(pair, path, watch)) continue;
        if (!path.is_other) continue;
        std::vector<std::int32_t> forms;
        std::size_t begin = 0, written_begin = 0;
        for (std::size_t place = 0; place < row.places.size(); ++place) {
            const Choices& choices = *pair.choices[place];
            std::size_t reading = 1;
            while (reading < choices.ends.size() && choices.same(reading, 0)) ++reading;
            if (choices.ends[0] == 0 || reading == choices.ends.size()) break;
            const std::size_t chosen = path.chosen[place];
            std::size_t longest = std::max(choices.ends[0], choices.size(chosen == 0 ? reading : chosen));
            for (std::size_t text = 0; path.is_searched && text < choices.ends.size(); ++text) {
                longest = std::max(longest, choices.size(text));
            }
            begin += pair.runs[place].size;
            written_begin += pair.runs[place].size;
            const std::int32_t number = numbers[static_cast<std::size_t>(row.places[place].window)];
            for (const std::int32_t value :
                 {narrow(position), row.places[place].window, text_of(number, 0, settled),
                  text_of(number, chosen, settled), narrow(begin), narrow(written_begin), narrow(longest)}) {
                forms.push_back(value);
            }
            begin += choices.size(chosen);
            written_begin += choices.ends[0];
        }
        if (forms.size() < 7 * row.places.size()) continue;
        settled.states.back() = static_cast<std::uint8_t>(State::settled);
        settled.forms.insert(settled.forms.end(), forms.begin(), forms.end());
        const std::size_t first = settled.data.size();
        for (std::size_t run = 0; run < pair.runs.size(); ++run) {
            for (std::size_t word = 0; word < pair.runs[run].size; ++word) add(pair.runs[run][word], first);
            if (run == row.places.size()) break;
            const Choices& choices = *pair.choices[run];
            const std::size_t chosen = path.chosen[run];
            for (std::size_t word = choices.begin(chosen); word < choices.ends[chosen]; ++word) {
                add(choices.words[word], first);
            }
        }
        settled.ends.push_back(narrow(settled.data.size()));
    }
    return settled;
}

}  // namespace spoken
