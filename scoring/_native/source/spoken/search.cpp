#include "search.hpp"

#include <algorithm>
#include <limits>

namespace spoken {

namespace {

constexpr std::size_t most_cells = 1000;  // as `_MOST_CELLS` of scoring/text/facing.py
constexpr std::size_t too_large = 1 << 22;

bool equal(const Choices& choices, std::size_t text, Span heard) {
    const std::size_t size = choices.size(text);
    if (size > heard.size) return false;
    const std::int32_t* words = choices.words.data() + choices.begin(text);
    for (std::size_t at = 0; at < size; ++at) {
        if (words[at] != heard[at]) return false;  // nearly always the first one
    }
    return true;
}

}  // namespace

bool Choices::same(std::size_t text, std::size_t other) const {
    return size(text) == size(other) && std::equal(words.begin() + static_cast<std::ptrdiff_t>(begin(text)),
                                                   words.begin() + static_cast<std::ptrdiff_t>(ends[text]),
                                                   words.begin() + static_cast<std::ptrdiff_t>(begin(other)));
}

const std::vector<Choices::Sorted>& Choices::sorted() const {
    if (sorted_.size() == ends.size()) return sorted_;
    for (std::size_t text = 0; text < ends.size(); ++text) sorted_.push_back({text, 0});
    const auto word = [this](std::size_t at) { return words.begin() + static_cast<std::ptrdiff_t>(at); };
    std::sort(sorted_.begin(), sorted_.end(), [&](const Sorted& one, const Sorted& other) {
        return std::lexicographical_compare(word(begin(one.text)), word(ends[one.text]), word(begin(other.text)),
                                            word(ends[other.text]));
    });
    for (std::size_t at = 1; at < sorted_.size(); ++at) {
        const std::size_t last = sorted_[at - 1].text, text = sorted_[at].text;
        const std::size_t most = std::min(size(last), size(text));
        std::size_t& shared = sorted_[at].shared;
        while (shared < most && words[begin(last) + shared] == words[begin(text) + shared]) ++shared;
    }
    return sorted_;
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

// Adds a word to those whose costs are given; `after` may be the same row.
void Search::add_word(const Costs& before, Costs& after, std::int32_t word, Span heard, bool reversed) const {
    std::int64_t corner = before[0];
    after[0] = corner + prices_.deletion;
    for (std::size_t column = 1; column <= heard.size; ++column) {
        const std::int32_t other = heard[reversed ? heard.size - column : column - 1];
        const std::int64_t paired = corner + (word == other ? 0 : prices_.substitution);
        corner = before[column];
        after[column] = std::min(std::min(paired, corner + prices_.deletion), after[column - 1] + prices_.insertion);
    }
}

// Adds words to those whose costs `row_` has.
void Search::add_words(Span words, Span heard, bool reversed) const {
    for (std::size_t at = 0; at < words.size; ++at) {
        add_word(row_, row_, words[reversed ? words.size - 1 - at : at], heard, reversed);
    }
}

// Fills `row_` with the costs of `words` against each prefix of `heard`; returns the cost against all of it.
std::int64_t Search::last_row(Span words, Span heard, bool reversed) const {
    first_row(heard.size);
    add_words(words, heard, reversed);
    return row_.back();
}

// Fills `through` with the costs after each of the texts, of which equal beginnings are counted once.
void Search::add_texts(const Choices& choices, Span heard, std::vector<Costs>& through) {
    through.resize(choices.ends.size());
    if (rows_.empty()) rows_.emplace_back();
    rows_[0] = row_;
    for (const Choices::Sorted& next : choices.sorted()) {
        const std::size_t size = choices.size(next.text);
        if (rows_.size() <= size) rows_.resize(size + 1);
        for (std::size_t at = next.shared; at < size; ++at) {
            rows_[at + 1].resize(heard.size + 1);
            add_word(rows_[at], rows_[at + 1], choices.words[choices.begin(next.text) + at], heard, false);
        }
        through[next.text] = rows_[size];
    }
}

// Replaces `row_` by the least costs of several rows.
void Search::take_least(const std::vector<Costs>& rows) {
    row_ = rows.front();
    for (const Costs& row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column) row_[column] = std::min(row_[column], row[column]);
    }
}

// The least cost of a path through a text of a place.
std::int64_t Search::cost_through(std::size_t place, std::size_t text) const {
    const Costs &through = through_[place][text], &after = after_[place];
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t column = 0; column < through.size(); ++column) {
        least = std::min(least, through[column] + after[through.size() - 1 - column]);
    }
    return least;
}

bool Search::find_cheapest(const Pair& pair, Path& path, Watch& watch) {
    // equal words at both ends change no costs, but a text may be heard among them
    if (const std::size_t head = heads_.front(), tail = tails_.back(); head + tail > 0) {
        Pair inner = pair;
        inner.runs.front() = inner.runs.front().part(head, inner.runs.front().size);
        inner.runs.back() = inner.runs.back().part(0, inner.runs.back().size - tail);
        inner.heard = inner.heard.part(head, inner.heard.size - tail);
        const Cheapest outcome = cheapest(inner, path, watch);
        if (outcome != Cheapest::not_heard) return outcome == Cheapest::only;
    }
    return cheapest(pair, path, watch) == Cheapest::only;
}

Search::Cheapest Search::cheapest(const Pair& pair, Path& path, Watch& watch) {
    const std::size_t count = pair.choices.size(), heard = pair.heard.size;
    std::size_t words = 0;
    for (const Span run : pair.runs) words += run.size;
    for (const Choices* choices : pair.choices) words += choices->words.size();
    if (2 * (words + 1) * (heard + 1) > too_large) return Cheapest::too_large;
    watch.spend(static_cast<std::int64_t>(4 * (words + 1) * (heard + 1)));
    before_.resize(count);
    after_.resize(count);
    through_.resize(count);
    first_row(heard);
    for (std::size_t place = 0; place < count; ++place) {
        add_words(pair.runs[place], pair.heard, false);
        before_[place] = row_;
        add_texts(*pair.choices[place], pair.heard, through_[place]);
        take_least(through_[place]);
    }
    first_row(heard);
    for (std::size_t place = count; place-- > 0;) {
        add_words(pair.runs[place + 1], pair.heard, true);
        after_[place] = row_;
        if (place == 0) break;
        const Choices& choices = *pair.choices[place];
        std::vector<Costs> rows;
        for (std::size_t text = 0; text < choices.ends.size(); ++text) {
            row_ = after_[place];
            add_words({choices.words.data() + choices.begin(text), choices.size(text)}, pair.heard, true);
            rows.push_back(row_);
        }
        take_least(rows);
    }
    std::int64_t total = std::numeric_limits<std::int64_t>::max();
    for (std::size_t text = 0; text < through_[0].size(); ++text) total = std::min(total, cost_through(0, text));
    path = {{}, total > 0, true};
    for (std::size_t place = 0; place < count; ++place) {
        const Choices& choices = *pair.choices[place];
        std::size_t chosen = undecided;
        for (std::size_t text = 0; text < choices.ends.size(); ++text) {
            if (cost_through(place, text) > total) continue;
            if (chosen == undecided) {
                chosen = text;
            } else if (!choices.same(chosen, text)) {
                return Cheapest::ambiguous;
            }
        }
        if (!is_heard(choices, chosen, pair.heard, place, total)) return Cheapest::not_heard;
        path.chosen.push_back(chosen);
        path.is_other |= chosen != 0;
    }
    return Cheapest::only;
}

// True if a path of the total cost pairs all words of a text with equal ones that follow each other.
bool Search::is_heard(const Choices& choices, std::size_t text, Span heard, std::size_t place,
                      std::int64_t total) const {
    const Costs &before = before_[place], &after = after_[place];
    const std::size_t size = choices.size(text);
    for (std::size_t begin = 0; size > 0 && begin + size <= heard.size; ++begin) {
        if (before[begin] + after[heard.size - begin - size] == total &&
            equal(choices, text, heard.part(begin, heard.size))) {
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
