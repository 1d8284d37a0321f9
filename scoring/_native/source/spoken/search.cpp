#include "search.hpp"

#include <algorithm>
#include <limits>

namespace spoken {

namespace {

constexpr std::size_t most_cells = 1000;  // as `_MOST_CELLS` of scoring/text/facing.py
constexpr std::size_t too_large = 1 << 22;

bool equal(const Choices& choices, std::size_t text, Span heard) {
    const std::size_t size = choices.size(text);
    return size <= heard.size && std::equal(heard.data, heard.data + size, &choices.words[choices.begin(text)]);
}

}  // namespace

bool Choices::same(std::size_t text, std::size_t other) const {
    return size(text) == size(other) && std::equal(words.begin() + static_cast<std::ptrdiff_t>(begin(text)),
                                                   words.begin() + static_cast<std::ptrdiff_t>(ends[text]),
                                                   words.begin() + static_cast<std::ptrdiff_t>(begin(other)));
}

bool Search::find(const Pair& pair, Path& path, Watch& watch) {
    pair_ = &pair;
    const std::size_t count = pair.choices.size();
    heads_.assign(count + 1, 0);
    tails_.assign(count + 1, 0);
    matches_.assign(count, {0, 0, undecided});
    forwards();
    watch.spend(static_cast<std::int64_t>(100 * (count + 1) + pair.heard.size));
    if (first_ == count && heads_[count] == pair.runs[count].size && begin_ == pair.heard.size) {
        cost_ = 0;
        for (std::size_t run = 0; run <= count; ++run) tails_[run] = pair.runs[run].size;
    } else {
        backwards();
        if (!count_cost(watch)) return false;
    }
    if (std::any_of(matches_.begin(), matches_.end(), [](const Match& match) { return match.text == undecided; })) {
        return false;
    }
    const auto largest = std::max_element(pair.heard.data, pair.heard.data + pair.heard.size);
    if (pair.heard.size > 0 && static_cast<std::size_t>(*largest) >= times_.size()) {
        times_.resize(static_cast<std::size_t>(*largest) + 1);
    }
    for (std::size_t at = 0; at < pair.heard.size; ++at) ++times_[static_cast<std::size_t>(pair.heard[at])];
    bool is_decided = true;
    for (std::size_t place = 0; place < count && is_decided; ++place) is_decided = decided(place);
    for (std::size_t at = 0; at < pair.heard.size; ++at) times_[static_cast<std::size_t>(pair.heard[at])] = 0;
    if (!is_decided) return false;
    path = {{}, cost_ > 0, false};
    for (const Match& match : matches_) {
        path.chosen.push_back(match.text);
        path.is_other |= match.text != 0;
    }
    return true;
}

bool Search::match_at(std::size_t place) {
    const Choices& choices = *pair_->choices[place];
    const Span heard = pair_->heard.part(begin_, pair_->heard.size);
    std::size_t longest = 0;
    for (std::size_t text = 0; text < choices.ends.size(); ++text) {
        if (choices.size(text) <= longest || !equal(choices, text, heard)) continue;
        longest = choices.size(text);
        matches_[place] = {begin_, begin_ + longest, text};
    }
    return longest > 0;
}

bool Search::match_before(std::size_t place) {
    const Choices& choices = *pair_->choices[place];
    std::size_t longest = 0;
    for (std::size_t text = 0; text < choices.ends.size(); ++text) {
        const std::size_t size = choices.size(text);
        if (size <= longest || size > end_ - begin_) continue;
        if (!equal(choices, text, pair_->heard.part(end_ - size, end_))) continue;
        longest = size;
        matches_[place] = {end_ - size, end_, text};
    }
    return longest > 0;
}

void Search::forwards() {
    const Pair& pair = *pair_;
    first_ = begin_ = 0;
    while (true) {
        const Span run = pair.runs[first_];
        const std::size_t most = std::min(run.size, pair.heard.size - begin_);
        std::size_t same = 0;
        while (same < most && run[same] == pair.heard[begin_ + same]) ++same;
        heads_[first_] = same;
        begin_ += same;
        if (same < run.size || first_ == pair.choices.size() || !match_at(first_)) return;
        tails_[first_] = same;
        begin_ = matches_[first_].end;
        ++first_;
    }
}

void Search::backwards() {
    const Pair& pair = *pair_;
    last_ = pair.choices.size();
    end_ = pair.heard.size;
    while (true) {
        const Span run = pair.runs[last_];
        const std::size_t most = std::min(run.size - (last_ == first_ ? heads_[last_] : 0), end_ - begin_);
        std::size_t same = 0;
        while (same < most && run[run.size - 1 - same] == pair.heard[end_ - 1 - same]) ++same;
        tails_[last_] = same;
        end_ -= same;
        if (same < run.size || last_ == first_ || !match_before(last_ - 1)) return;
        heads_[last_] = same;
        end_ = matches_[last_ - 1].begin;
        --last_;
    }
}

// Counts the cost of the words between the two runs, with places in written form; false if they are too many.
bool Search::count_cost(Watch& watch) {
    const Pair& pair = *pair_;
    between_.clear();
    for (std::size_t run = first_; run <= last_; ++run) {
        if (run > first_) {
            const Choices& choices = *pair.choices[run - 1];
            between_.insert(between_.end(), choices.words.begin(),
                            choices.words.begin() + static_cast<std::ptrdiff_t>(choices.ends[0]));
        }
        const std::size_t from = run == first_ ? heads_[run] : 0;
        const std::size_t to = pair.runs[run].size - (run == last_ ? tails_[run] : 0);
        between_.insert(between_.end(), pair.runs[run].data + from, pair.runs[run].data + to);
    }
    const Span heard = pair.heard.part(begin_, end_);
    const std::size_t cells = (between_.size() + 1) * (heard.size + 1);
    if (cells > too_large) return false;
    watch.spend(static_cast<std::int64_t>(2 * cells));
    cost_ = last_row({between_.data(), between_.size()}, heard, false);
    return true;
}

// Fills `row_` with the costs of no words against each prefix of so many heard ones.
void Search::first_row(std::size_t heard) const {
    row_.resize(heard + 1);
    for (std::size_t column = 0; column <= heard; ++column) {
        row_[column] = static_cast<std::int64_t>(column) * prices_.insertion;
    }
}

// Adds a word to those whose costs `row_` has.
void Search::add_word(std::int32_t word, Span heard, bool reversed) const {
    std::int64_t corner = row_[0];
    row_[0] += prices_.deletion;
    for (std::size_t column = 1; column <= heard.size; ++column) {
        const std::int32_t other = heard[reversed ? heard.size - column : column - 1];
        const std::int64_t paired = corner + (word == other ? 0 : prices_.substitution);
        corner = row_[column];
        row_[column] = std::min({paired, corner + prices_.deletion, row_[column - 1] + prices_.insertion});
    }
}

// Fills `row_` with the costs of `words` against each prefix of `heard`; returns the cost against all of it.
std::int64_t Search::last_row(Span words, Span heard, bool reversed) const {
    first_row(heard.size);
    for (std::size_t at = 0; at < words.size; ++at) {
        add_word(words[reversed ? words.size - 1 - at : at], heard, reversed);
    }
    return row_.back();
}

bool Search::find_cheapest(const Pair& pair, Path& path, Watch& watch) {
    const std::size_t count = pair.choices.size(), heard = pair.heard.size;
    std::size_t words = 0;
    for (const Span run : pair.runs) words += run.size;
    for (const Choices* choices : pair.choices) words += choices->words.size();
    if (2 * (words + 1) * (heard + 1) > too_large) return false;
    watch.spend(static_cast<std::int64_t>(4 * (words + 1) * (heard + 1)));
    before_.resize(count);
    after_.resize(count);
    through_.resize(count);
    first_row(heard);
    for (std::size_t run = 0; run <= count; ++run) {
        for (std::size_t at = 0; at < pair.runs[run].size; ++at) add_word(pair.runs[run][at], pair.heard, false);
        if (run == count) break;
        const Choices& choices = *pair.choices[run];
        before_[run] = row_;
        through_[run].resize(choices.ends.size());
        Costs least;
        for (std::size_t text = 0; text < choices.ends.size(); ++text) {
            row_ = before_[run];
            for (std::size_t at = choices.begin(text); at < choices.ends[text]; ++at) {
                add_word(choices.words[at], pair.heard, false);
            }
            through_[run][text] = row_;
            if (text == 0) least = row_;
            for (std::size_t column = 0; column <= heard; ++column) least[column] = std::min(least[column], row_[column]);
        }
        row_ = least;
    }
    const std::int64_t total = row_.back();
    first_row(heard);
    for (std::size_t run = count + 1; run-- > 0;) {
        for (std::size_t at = pair.runs[run].size; at-- > 0;) add_word(pair.runs[run][at], pair.heard, true);
        if (run == 0) break;
        const Choices& choices = *pair.choices[run - 1];
        after_[run - 1] = row_;
        Costs least;
        for (std::size_t text = 0; text < choices.ends.size(); ++text) {
            row_ = after_[run - 1];
            for (std::size_t at = choices.ends[text]; at-- > choices.begin(text);) {
                add_word(choices.words[at], pair.heard, true);
            }
            if (text == 0) least = row_;
            for (std::size_t column = 0; column <= heard; ++column) least[column] = std::min(least[column], row_[column]);
        }
        row_ = least;
    }
    path = {{}, total > 0, true};
    for (std::size_t place = 0; place < count; ++place) {
        const Choices& choices = *pair.choices[place];
        std::size_t chosen = undecided;
        for (std::size_t text = 0; text < choices.ends.size(); ++text) {
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            for (std::size_t column = 0; column <= heard; ++column) {
                least = std::min(least, through_[place][text][column] + after_[place][heard - column]);
            }
            if (least > total) continue;
            if (chosen == undecided) {
                chosen = text;
            } else if (!choices.same(chosen, text)) {
                return false;
            }
        }
        if (!is_heard(choices, chosen, before_[place], after_[place], total)) return false;
        path.chosen.push_back(chosen);
        path.is_other |= chosen != 0;
    }
    return true;
}

// True if a path of the total cost pairs all words of a text with equal ones that follow each other.
bool Search::is_heard(const Choices& choices, std::size_t text, const Costs& before, const Costs& after,
                      std::int64_t total) const {
    const std::size_t size = choices.size(text), heard = before.size() - 1;
    for (std::size_t begin = 0; size > 0 && begin + size <= heard; ++begin) {
        if (before[begin] + after[heard - begin - size] == total &&
            equal(choices, text, pair_->heard.part(begin, heard))) {
            return true;
        }
    }
    return false;
}

bool Search::decided(std::size_t place) const {
    const Pair& pair = *pair_;
    const Match& match = matches_[place];
    const std::size_t last = pair.choices.size() - 1;
    const Span before = pair.runs[place], after = pair.runs[place + 1];
    const bool is_first = place == 0 && tails_[0] == before.size && before.size == match.begin;
    const std::size_t rest = pair.heard.size - match.end;
    const bool is_last = place == last && heads_[place + 1] == after.size && after.size == rest;
    if (!is_first && !decides(before.part(before.size - tails_[place], before.size)) &&
        !(place == 0 && is_cheapest(before, pair.heard.part(0, match.end), match.begin, false))) {
        return false;
    }
    return is_last || decides(after.part(0, heads_[place + 1])) ||
           (place == last &&
            is_cheapest(after, pair.heard.part(match.begin, pair.heard.size), rest, true));
}

// True if pairing none of these words with an equal one costs more than the path.
bool Search::decides(Span words) const {
    std::int64_t needed = cost_ / std::min(prices_.deletion, prices_.substitution) + 1;
    if (needed > static_cast<std::int64_t>(words.size)) return false;
    for (std::size_t at = 0; at < words.size && needed > 0; ++at) {
        const auto word = static_cast<std::size_t>(words[at]);
        needed -= word < times_.size() && times_[word] == 1;
    }
    return needed == 0;
}

// True if the first `size` words of `heard` cost less than any other number of them.
bool Search::is_cheapest(Span words, Span heard, std::size_t size, bool reversed) const {
    if (words.size * heard.size > most_cells) return false;
    last_row(words, heard, reversed);
    const std::int64_t least = row_[size];
    for (std::size_t number = 0; number < row_.size(); ++number) {
        if (number != size && row_[number] <= least) return false;
    }
    return true;
}

}  // namespace spoken
