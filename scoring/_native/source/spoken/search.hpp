// Which readings of written forms are on every path of least cost, as scoring/text/facing.py proves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/watch.hpp"

namespace spoken {

// The costs of edits, all of them positive.
struct Prices {
    std::int64_t substitution;
    std::int64_t deletion;
    std::int64_t insertion;
};

// The written form of a place and its readings, as numbers of words; the written form is number 0.
struct Choices {
    std::vector<std::int32_t> words;  // of all texts
    std::vector<std::size_t> ends;    // of each text

    std::size_t begin(std::size_t text) const { return text == 0 ? 0 : ends[text - 1]; }
    std::size_t size(std::size_t text) const { return ends[text] - begin(text); }
    // True if both texts have the same words.
    bool same(std::size_t text, std::size_t other) const;

    // A text and how many first words it shares with the text before it.
    struct Sorted {
        std::size_t text;
        std::size_t shared;
    };
    // All texts in the order of their words. All words must be there.
    const std::vector<Sorted>& sorted() const;

private:
    mutable std::vector<Sorted> sorted_;
};

// Some words that lie together in memory.
struct Span {
    const std::int32_t* data;
    std::size_t size;

    std::int32_t operator[](std::size_t at) const { return data[at]; }
    Span part(std::size_t begin, std::size_t end) const { return {data + begin, end - begin}; }
};

// An utterance between whose words there are places, and the words of the other side.
struct Pair {
    std::vector<Span> runs;               // one more than places
    std::vector<const Choices*> choices;  // of each place
    Span heard;
};

constexpr std::size_t undecided = static_cast<std::size_t>(-1);

// The chosen text of each place.
struct Path {
    std::vector<std::size_t> chosen;
    bool is_other;      // from the words of the other side
    bool is_searched;   // among all readings of all places
};

// Searches pairs from both ends.
class Search {
public:
    explicit Search(const Prices& prices) : prices_(prices) {}

    // Finds the path if the readings of all places are decided; false if not, or in a pair that is too large here.
    bool find(const Pair& pair, Path& path, Watch& watch);
    // Finds the path of the pair that `find` saw last if it alone has the least cost, and its readings are in `heard`
    // as they are.
    bool find_cheapest(const Pair& pair, Path& path, Watch& watch);

private:
    using Costs = std::vector<std::int64_t>;
    struct Match {
        std::size_t begin;
        std::size_t end;
        std::size_t text;
    };

    enum class Cheapest : std::uint8_t { only, ambiguous, not_heard, too_large };

    void forwards();
    void backwards();
    bool count_cost(Watch& watch);
    bool decided(std::size_t place) const;
    bool decides(Span words) const;
    bool is_cheapest(Span words, Span heard, std::size_t size, bool reversed) const;
    void first_row(std::size_t heard) const;
    void add_word(const Costs& before, Costs& after, std::int32_t word, Span heard, bool reversed) const;
    void add_words(Span words, Span heard, bool reversed) const;
    void add_texts(const Choices& choices, Span heard, std::vector<Costs>& through);
    void take_least(const std::vector<Costs>& rows);
    std::int64_t cost_through(std::size_t place, std::size_t text) const;
    Cheapest cheapest(const Pair& pair, Path& path, Watch& watch);
    bool is_heard(const Choices& choices, std::size_t text, Span heard, std::size_t place, std::int64_t total) const;
    std::int64_t last_row(Span words, Span heard, bool reversed) const;
    bool match_at(std::size_t place);
    bool match_before(std::size_t place);

    const Prices prices_;
    const Pair* pair_ = nullptr;
    std::vector<std::size_t> heads_, tails_;
    std::vector<Match> matches_;
    std::size_t first_ = 0, last_ = 0;  // runs that differ
    std::size_t begin_ = 0, end_ = 0;   // heard words between them
    std::int64_t cost_ = 0;
    std::vector<std::int32_t> between_;
    std::vector<std::int32_t> times_;  // how often each heard word occurs, by its number
    mutable Costs row_;
    std::vector<Costs> before_, after_;              // of each place, against each prefix or suffix
    std::vector<std::vector<Costs>> through_;        // of each place, and each text of it
    std::vector<Costs> rows_;                        // of the first words of a text
};

}  // namespace spoken
