#include "references.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "network.hpp"

namespace alignment {
namespace {

using Mask = std::uint64_t;

std::int32_t lowest(Mask mask) {
    std::int32_t bit = 0;
    for (; (mask & 1) == 0; mask >>= 1) ++bit;
    return bit;
}

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// A word network under construction; arcs are numbered from 1, arc 0 is the beginning. The end has
// the number after the last arc.
class Draft {
public:
    void clear() {
        types.clear();
        places.clear();
        marks.clear();
        before.clear();
        masks.clear();
        offsets.assign(1, 0);
    }

    std::int32_t arcs() const { return static_cast<std::int32_t>(types.size()); }
    std::int32_t end() const { return arcs() + 1; }

    // Starts an arc, to which steps are added next.
    void add(Type type, std::int32_t place, std::uint8_t mark) {
        types.push_back(type);
        places.push_back(place);
        marks.push_back(mark);
    }
    // Adds a step that some references have, to the arc that was started or to the end.
    void step(std::int32_t from, Mask mask) {
        for (std::size_t at = index(offsets.back()); at < before.size(); ++at) {
            if (before[at] == from) {
                masks[at] |= mask;
                return;
            }
        }
        before.push_back(from);
        masks.push_back(mask);
    }
    void finish() { offsets.push_back(static_cast<std::int32_t>(before.size())); }

    // The first step to an arc or to the end, and the first to the one after it.
    std::size_t first(std::int32_t arc) const { return index(offsets[index(arc) - 1]); }
    std::size_t last(std::int32_t arc) const { return index(offsets[index(arc)]); }

    Mask mask(std::int32_t from, std::int32_t arc) const {
        std::size_t at = first(arc);
        while (before[at] != from) ++at;
        return masks[at];
    }

    std::int32_t shortest(std::vector<std::int32_t>& words) const {
        words.assign(1, 0);
        for (std::int32_t arc = 1; arc <= end(); ++arc) {
            std::int32_t least = words[index(before[first(arc)])];
            for (std::size_t at = first(arc); at < last(arc); ++at) {
                least = std::min(least, words[index(before[at])]);
            }
            words.push_back(least + (arc < end() && marks[index(arc) - 1] == word ? 1 : 0));
        }
        return words.back();
    }

    // The network, alive as long as the draft stays as it is.
    Network network(const double (&costs)[3]) {
        singles.clear();
        for (const std::uint8_t mark : marks) singles.push_back(costs[mark]);
        Network network;
        network.arcs = arcs();
        network.types = types.data();
        network.predecessor_offsets = offsets.data();
        network.predecessor_list = before.data();
        network.finals.assign(before.begin() + offsets[types.size()], before.end());
        network.nulls = marks.data();
        network.singles = singles.data();
        return network;
    }

    std::vector<Type> types;
    std::vector<std::int32_t> places;
    std::vector<std::uint8_t> marks;
    std::vector<std::int32_t> before;
    std::vector<Mask> masks;
    std::vector<std::int32_t> offsets{0};
    std::vector<double> singles;
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
        for (const std::int32_t arc : arriving) draft.step(arc, mask);
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
        for (const std::int32_t arc : arriving) draft.step(arc, row.mask);
        draft.finish();
    }

    // Merges `next_` with `merged_`: equal words that face each other are shared.
    void join() {
        constexpr double costs[3] = {3.0, 0.001, 3.0};
        const Network left = merged_.network(costs);
        const Network right = next_.network(costs);
        const NetworkPath path = align(left, right, Pricing::standard, nullptr, watch_);
        joined_.clear();
        numbers_[0].assign(1, 0);
        numbers_[1].assign(1, 0);
        for (const auto& [a, b] : path.steps) {
            if (a == 0 || b == 0 || left.types[a - 1] != right.types[b - 1]) continue;
            copy(0, a);
            copy(1, b);
            start(0, a);
            numbers_[1].push_back(joined_.arcs());
            connect(1, b);
            joined_.finish();
        }
        for (const int side : {0, 1}) copy(side, draft(side).end());
        for (const int side : {0, 1}) connect(side, draft(side).end());
        joined_.finish();
    }

    const Draft& draft(int side) const { return side == 0 ? merged_ : next_; }

    // Copies the arcs of a side before this one.
    void copy(int side, std::int32_t end) {
        for (auto arc = static_cast<std::int32_t>(numbers_[side].size()); arc < end; ++arc) {
            start(side, arc);
            joined_.finish();
        }
    }

    void start(int side, std::int32_t arc) {
        const Draft& from = draft(side);
        const std::size_t at = index(arc) - 1;
        joined_.add(from.types[at], from.places[at], from.marks[at]);
        numbers_[side].push_back(joined_.arcs());
        connect(side, arc);
    }

    void connect(int side, std::int32_t arc) {
        const Draft& from = draft(side);
        for (std::size_t at = from.first(arc); at < from.last(arc); ++at) {
            joined_.step(numbers_[side][index(from.before[at])], from.masks[at]);
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
            align(merged_.network(costs), heard, Pricing::errors, nullptr, watch_);
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
                if (last != 0 && merged_.marks[index(last) - 1] == wildcard) {
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
            const std::uint8_t mark = merged_.marks[index(arc) - 1];
            const auto words = static_cast<std::int32_t>(paths_.places.size() - first);
            if (mark == wildcard) {
                paths_.cuts.insert(paths_.cuts.end(), {utterance, words, place, place});
            } else if (mark == word) {
                paths_.places.push_back(merged_.places[index(arc) - 1]);
            }
        }
        const Mask end = merged_.mask(last, merged_.end());
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
