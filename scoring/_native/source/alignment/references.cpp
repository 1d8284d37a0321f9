#include "references.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "network.hpp"

namespace alignment {
namespace {

using Mask = std::uint64_t;

// A step from an arc, or the end of a path at it, and the references that have it.
struct Step {
    std::int32_t arc;
    Mask mask;
};

void add_step(std::vector<Step>& steps, std::size_t first, Step step) {
    for (std::size_t at = first; at < steps.size(); ++at) {
        if (steps[at].arc == step.arc) {
            steps[at].mask |= step.mask;
            return;
        }
    }
    steps.push_back(step);
}

std::int32_t lowest(Mask mask) {
    std::int32_t bit = 0;
    for (; (mask & 1) == 0; mask >>= 1) ++bit;
    return bit;
}

// A word network under construction; arcs are numbered from 1, arc 0 is the beginning.
class Draft {
public:
    void clear() {
        types.clear();
        places.clear();
        marks.clear();
        before.clear();
        offsets.assign(1, 0);
        finals.clear();
    }

    std::int32_t arcs() const { return static_cast<std::int32_t>(types.size()); }

    // Starts an arc, whose predecessors are added next.
    void add(Type type, std::int32_t place, std::uint8_t mark) {
        types.push_back(type);
        places.push_back(place);
        marks.push_back(mark);
    }
    void finish() { offsets.push_back(before.size()); }

    const Step* begin(std::int32_t arc) const { return before.data() + offsets[index(arc) - 1]; }
    const Step* end(std::int32_t arc) const { return before.data() + offsets[index(arc)]; }

    Mask mask(std::int32_t from, std::int32_t arc) const {
        return std::find_if(begin(arc), end(arc), [from](const Step& s) { return s.arc == from; })
            ->mask;
    }

    Mask final_mask(std::int32_t arc) const {
        return std::find_if(finals.begin(), finals.end(),
                            [arc](const Step& s) { return s.arc == arc; })
            ->mask;
    }

    std::int32_t shortest(std::vector<std::int32_t>& words) const {
        words.assign(1, 0);
        for (std::int32_t arc = 1; arc <= arcs(); ++arc) {
            std::int32_t least = words[index(begin(arc)->arc)];
            for (const Step* step = begin(arc); step != end(arc); ++step) {
                least = std::min(least, words[index(step->arc)]);
            }
            words.push_back(least + (marks[index(arc) - 1] == word ? 1 : 0));
        }
        std::int32_t least = words[index(finals.front().arc)];
        for (const Step& step : finals) least = std::min(least, words[index(step.arc)]);
        return least;
    }

    static std::size_t index(std::int32_t arc) { return static_cast<std::size_t>(arc); }

    std::vector<Type> types;
    std::vector<std::int32_t> places;
    std::vector<std::uint8_t> marks;
    std::vector<Step> before;
    std::vector<std::size_t> offsets{0};
    std::vector<Step> finals;
};

// The columns of a draft as the aligner takes them; alive as long as its network is in use.
class Costed {
public:
    const Network& network(const Draft& draft, const double (&costs)[3]) {
        singles_.clear();
        offsets_.assign(1, 0);
        list_.clear();
        for (const std::uint8_t mark : draft.marks) singles_.push_back(costs[mark]);
        for (const Step& step : draft.before) list_.push_back(step.arc);
        for (std::size_t arc = 1; arc < draft.offsets.size(); ++arc) {
            offsets_.push_back(static_cast<std::int32_t>(draft.offsets[arc]));
        }
        network_.finals.clear();
        for (const Step& step : draft.finals) network_.finals.push_back(step.arc);
        network_.arcs = draft.arcs();
        network_.types = draft.types.data();
        network_.predecessor_offsets = offsets_.data();
        network_.predecessor_list = list_.data();
        network_.nulls = draft.marks.data();
        network_.singles = singles_.data();
        return network_;
    }

private:
    Network network_;
    std::vector<double> singles_;
    std::vector<std::int32_t> offsets_;
    std::vector<std::int32_t> list_;
};

// A reference: its types, the place of the first, and the references equal to it.
struct Row {
    Sequence types;
    std::int32_t place;
    Mask mask;

    bool operator<(const Row& other) const {
        if (types.size != other.types.size) return types.size > other.types.size;
        return std::lexicographical_compare(types.data, types.data + types.size, other.types.data,
                                            other.types.data + other.types.size);
    }
};

class Merger {
public:
    Merger(Paths& paths, Watch& watch) : paths_(paths), watch_(watch) {}

    void add(const Rows& references, std::int64_t first, std::int64_t number,
             const Sequence& hypothesis) {
        collect(references, first, number);
        parse(rows_[0], merged_);
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            parse(rows_[row], next_);
            join();
            std::swap(merged_, joined_);
        }
        choose(hypothesis);
        paths_.offsets.push_back(static_cast<std::int64_t>(paths_.places.size()));
        paths_.shortest.push_back(merged_.shortest(words_));
    }

private:
    // The different references in their order of merging.
    void collect(const Rows& references, std::int64_t first, std::int64_t number) {
        rows_.clear();
        for (std::int64_t r = 0; r < number; ++r) {
            const std::int64_t place =
                references.offsets[first + r] - references.offsets[first];
            rows_.push_back(
                {references[first + r], static_cast<std::int32_t>(place), Mask{1} << r});
        }
        std::stable_sort(rows_.begin(), rows_.end());
        std::size_t kept = 0;
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            if (rows_[kept] < rows_[row]) {
                rows_[++kept] = rows_[row];
            } else {
                rows_[kept].mask |= rows_[row].mask;
            }
        }
        rows_.resize(kept + 1);
    }

    struct Level {
        std::vector<std::int32_t> start;
        std::vector<std::int32_t> ends;
    };

    static void append(Draft& draft, Type type, std::int32_t place, std::uint8_t mark,
                       std::vector<std::int32_t>& arriving, Mask mask) {
        draft.add(type, place, mark);
        for (const std::int32_t arc : arriving) draft.before.push_back({arc, mask});
        draft.finish();
        arriving.assign(1, draft.arcs());
    }

    void parse(const Row& row, Draft& draft) {
        draft.clear();
        std::vector<std::int32_t>& arriving = arriving_;
        arriving.assign(1, 0);
        bool empty = false;
        levels_.clear();
        for (std::int64_t at = 0; at < row.types.size; ++at) {
            const Type type = row.types[at];
            const std::int32_t place = row.place + static_cast<std::int32_t>(at);
            if (type == open_mark) {
                levels_.push_back({arriving, {}});
                empty = true;
            } else if (type == bar_mark || type == close_mark) {
                if (levels_.empty()) {
                    throw std::invalid_argument(
                        "references: expected a mark that opens alternatives");
                }
                Level& level = levels_.back();
                if (empty) append(draft, bar_mark, place, null_word, arriving, row.mask);
                level.ends.insert(level.ends.end(), arriving.begin(), arriving.end());
                empty = type == bar_mark;
                arriving = empty ? level.start : level.ends;
                if (!empty) levels_.pop_back();
            } else {
                append(draft, type, place, type == wildcard_type ? wildcard : word, arriving,
                       row.mask);
                empty = false;
            }
        }
        if (!levels_.empty()) {
            throw std::invalid_argument(
                "references: expected a mark that closes alternatives, found none");
        }
        for (const std::int32_t arc : arriving) draft.finals.push_back({arc, row.mask});
    }

    // Merges `next_` with `merged_`: equal words that face each other are shared.
    void join() {
        constexpr double costs[3] = {3.0, 0.001, 3.0};
        const Network& left = left_.network(merged_, costs);
        const Network& right = right_.network(next_, costs);
        const NetworkPath path = align(left, right, Pricing::standard, nullptr, watch_);
        joined_.clear();
        numbers_[0].assign(1, 0);
        numbers_[1].assign(1, 0);
        for (const auto& [a, b] : path.steps) {
            if (a == 0 || b == 0 || left.types[a - 1] != right.types[b - 1]) continue;
            copy(0, a);
            copy(1, b);
            const std::size_t first = start(0, a);
            numbers_[1].push_back(joined_.arcs());
            connect(1, b, first);
            joined_.finish();
        }
        copy(0, merged_.arcs() + 1);
        copy(1, next_.arcs() + 1);
        for (const int side : {0, 1}) {
            for (const Step& step : draft(side).finals) {
                add_step(joined_.finals, 0, {number(side, step.arc), step.mask});
            }
        }
    }

    const Draft& draft(int side) const { return side == 0 ? merged_ : next_; }
    std::int32_t number(int side, std::int32_t arc) const {
        return numbers_[side][Draft::index(arc)];
    }

    // Copies the arcs of a side before this one.
    void copy(int side, std::int32_t end) {
        for (auto arc = static_cast<std::int32_t>(numbers_[side].size()); arc < end; ++arc) {
            start(side, arc);
            joined_.finish();
        }
    }

    std::size_t start(int side, std::int32_t arc) {
        const Draft& from = draft(side);
        const std::size_t at = Draft::index(arc) - 1;
        joined_.add(from.types[at], from.places[at], from.marks[at]);
        numbers_[side].push_back(joined_.arcs());
        const std::size_t first = joined_.before.size();
        connect(side, arc, first);
        return first;
    }

    void connect(int side, std::int32_t arc, std::size_t first) {
        const Draft& from = draft(side);
        for (const Step* step = from.begin(arc); step != from.end(arc); ++step) {
            add_step(joined_.before, first, {number(side, step->arc), step->mask});
        }
    }

    void choose(const Sequence& hypothesis) {
        // a whole edit weighs more than any difference in length
        double step = 0.5;
        for (auto rest = merged_.arcs() + hypothesis.size; rest > 0; rest /= 2) step /= 2;
        const double costs[3] = {1 - step, 0.0, 0.0};
        const auto size = static_cast<std::size_t>(hypothesis.size);
        singles_.assign(size, 1 + step);
        nulls_.assign(size, word);
        Network heard;
        heard.arcs = hypothesis.size;
        heard.types = hypothesis.data;
        heard.finals.push_back(static_cast<std::int32_t>(hypothesis.size));
        heard.nulls = nulls_.data();
        heard.singles = singles_.data();
        const NetworkPath path =
            align(left_.network(merged_, costs), heard, Pricing::errors, nullptr, watch_);
        follow(path);
    }

    void follow(const NetworkPath& path) {
        const auto utterance = static_cast<std::int32_t>(paths_.whole.size());
        const std::size_t first = paths_.places.size();
        Mask every = ~Mask{0};
        Mask mask = every;
        std::int32_t last = 0;
        std::int32_t place = 0;
        for (const auto& [arc, facing] : path.steps) {
            if (facing != 0) ++place;
            if (arc == 0) {
                if (last != 0 && merged_.marks[Draft::index(last) - 1] == wildcard) {
                    paths_.cuts.back() = place;
                }
                continue;
            }
            const Mask step = merged_.mask(last, arc);
            every &= step;
            if ((mask & step) == 0) {
                paths_.sources.resize(paths_.places.size(), lowest(mask));
                mask = ~Mask{0};
            }
            mask &= step;
            last = arc;
            const std::uint8_t mark = merged_.marks[Draft::index(arc) - 1];
            const auto words = static_cast<std::int32_t>(paths_.places.size() - first);
            if (mark == wildcard) {
                paths_.cuts.insert(paths_.cuts.end(), {utterance, words, place, place});
            } else if (mark == word) {
                paths_.places.push_back(merged_.places[Draft::index(arc) - 1]);
            }
        }
        const Mask end = merged_.final_mask(last);
        paths_.sources.resize(paths_.places.size(),
                              lowest((mask & end) != 0 ? mask & end : mask));
        paths_.whole.push_back((every & end) != 0 ? lowest(every & end) : -1);
    }

    Paths& paths_;
    Watch& watch_;
    std::vector<Row> rows_;
    std::vector<Level> levels_;
    std::vector<std::int32_t> arriving_;
    std::vector<std::int32_t> words_;
    std::vector<std::int32_t> numbers_[2];
    std::vector<double> singles_;
    std::vector<std::uint8_t> nulls_;
    Draft merged_;
    Draft next_;
    Draft joined_;
    Costed left_;
    Costed right_;
};

}  // namespace

Paths best_paths(const Rows& references, const Rows& hypotheses, std::int64_t utterances,
                 std::int64_t number, Watch& watch) {
    Paths paths;
    Merger merger(paths, watch);
    for (std::int64_t utterance = 0; utterance < utterances; ++utterance) {
        merger.add(references, utterance * number, number, hypotheses[utterance]);
    }
    return paths;
}

}  // namespace alignment
