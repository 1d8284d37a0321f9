// Two columns of texts, in which Python finds written forms: only different words and places are asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../arrow/texts.hpp"
#include "../common/watch.hpp"
#include "../common/word_numbers.hpp"
#include "search.hpp"

namespace spoken {

// Different words, numbered as they appear.
class WordList {
public:
    WordList()
        : numbers_([this](std::string_view& text) {
              words_.emplace_back(text);
              text = words_.back();
              return static_cast<std::int32_t>(words_.size() - 1);
          }) {}
    WordList(const WordList&) = delete;
    WordList& operator=(const WordList&) = delete;

    std::int32_t of(std::string_view word) { return numbers_.of(word); }
    std::size_t size() const { return words_.size(); }
    const std::string& operator[](std::size_t number) const { return words_[number]; }
    // Appends the numbers of the words of a text, cut at ASCII blanks.
    void cut(std::string_view text, std::vector<std::int32_t>& numbers);

private:
    std::deque<std::string> words_;
    WordNumbers numbers_;
};

// What is known of a word, as bits; `before_bits` is its kind as a word before a form.
constexpr std::uint8_t begins_forms = 1, ends_forms = 2, is_upper = 4, before_shift = 3;

// The text from which the form at a word is found: a word that ends all forms closes it.
struct Window {
    std::uint8_t before;
    bool capitals;
    bool is_closed;
    std::vector<std::int32_t> words;
};

struct Place {
    std::size_t begin;
    std::int32_t window;
};

// Two columns of texts, whose different words are numbered together.
struct NumberedColumns {
    struct Column {
        arrow::Texts texts;
        std::vector<std::int32_t> words{};  // of all rows, once they are numbered
        std::vector<std::size_t> ends{0};  // of each row
    };

    NumberedColumns(arrow::Texts left, arrow::Texts right) : columns{{std::move(left)}, {std::move(right)}} {}
    // Numbers the words of a column, unless that is done.
    void number(Column& column, Watch& watch);

    WordList words;
    std::string flags;  // of each word
    Column columns[2];
};

enum class State : std::uint8_t { no_places, settled, left_over };

// The rows that were settled: their texts, seven numbers for each form, and the texts that are named for the first time.
struct Settled {
    std::vector<std::uint8_t> states;
    std::string data;
    std::vector<std::int32_t> ends{0};
    std::vector<std::int32_t> forms;
    std::vector<std::string> texts;
};

class FormPairs {
public:
    FormPairs(arrow::Texts left, arrow::Texts right, std::int32_t longest)
        : FormPairs(std::make_shared<NumberedColumns>(std::move(left), std::move(right)), 0,
                    static_cast<std::size_t>(longest)) {}
    // The same columns with the sides exchanged. Words and what is known of them are shared.
    std::unique_ptr<FormPairs> turned() const {
        return std::unique_ptr<FormPairs>(new FormPairs(columns_, 1 - left_, longest_));
    }

    WordList& words() { return columns_->words; }
    // Numbers all words of the left side.
    void number(Watch& watch) { columns_->number(column(0), watch); }
    // The rows of the left side with a word that begins forms.
    std::vector<std::int64_t> touched(Watch& watch);
    // Opens rows of both sides, whose words get numbers; closes those before.
    void open(std::vector<std::int64_t> rows, Watch& watch);
    void set_flags(std::string_view flags) { columns_->flags += flags; }
    std::size_t flagged() const { return columns_->flags.size(); }
    // Walks on in the rows of a side, given the words in the forms of all known windows; returns new windows.
    std::vector<Window> walk(bool right, const std::int32_t* sizes, std::size_t number, Watch& watch);
    // Readings with slots for names, a line each; a slot is a word. Returns their number.
    std::int32_t add_pattern(std::string_view lines);
    // The words of a written form and its readings, a line each, or with the number of a pattern those of the names in
    // its slots; returns their number.
    std::int32_t add_choices(std::string_view lines, std::int32_t pattern);
    // Forgets all windows, choices, patterns and named texts.
    void forget();
    // The final text of each word from the first on that has none.
    void add_final(std::string_view text);
    std::size_t finals() const { return final_ends_.size(); }
    // Settles the open rows; `choices` has the number of those of each window.
    Settled settle(const std::int32_t* choices, const Prices& prices, Watch& watch);

private:
    struct Row {
        std::size_t begin;
        std::size_t end;
        std::size_t cursor;
        std::int32_t pending;  // the window at the cursor; -1: none
        bool is_open;
        bool capitals;
        std::vector<Place> places;
    };
    struct Side {
        std::vector<Row> rows;
        std::unordered_map<std::string, std::int32_t> windows;
    };

    FormPairs(std::shared_ptr<NumberedColumns> columns, int left, std::size_t longest)
        : columns_(std::move(columns)), left_(left), longest_(longest) {}

    NumberedColumns::Column& column(int side) { return columns_->columns[side == 0 ? left_ : 1 - left_]; }
    std::uint8_t flags_of(std::int32_t word) const {
        return static_cast<std::uint8_t>(columns_->flags[static_cast<std::size_t>(word)]);
    }
    std::int32_t window_at(int side, const Row& row, std::vector<Window>& fresh);
    // The written form and its readings; with a pattern, the written form and the names in the slots.
    struct Lines {
        Choices lines;
        std::int32_t pattern;
    };

    void append_final(std::int32_t word, std::vector<std::int32_t>& into) const;
    Choices final_lines(const Choices& lines) const;
    const Choices& choices_of(std::int32_t number);
    std::int32_t text_of(std::int32_t choices, std::size_t text, Settled& settled);

    const std::shared_ptr<NumberedColumns> columns_;
    const int left_;  // the column that is the left side
    const std::size_t longest_;
    WordList final_words_;
    std::vector<std::int32_t> finals_;
    std::vector<std::size_t> final_ends_;
    std::vector<std::int64_t> rows_;
    Side open_[2];
    std::deque<Lines> raw_choices_;
    std::vector<Choices> patterns_;  // words below zero are slots: -1 is the first
    std::deque<Choices> choices_;
    // of the texts of each of the choices; -1: not named yet
    std::deque<std::vector<std::int32_t>> text_numbers_;
    std::size_t named_texts_ = 0;
};

}  // namespace spoken
