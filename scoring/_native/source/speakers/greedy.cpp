#include <algorithm>
#include <numeric>

#include "speakers.hpp"

namespace speakers {

namespace {

constexpr int most_passes = 49;

// A stream where times matter: the costs up to each of its places, or from each of them on.
class TimedStream {
public:
    using Column = std::vector<std::int32_t>;

    TimedStream(const Words& stream, std::int64_t, const std::vector<Words>& segments) : stream_(stream) {
        const Reach reach(stream);
        for (const Words& segment : segments) {
            Window window{0, stream.count};
            if (segment.timed() && segment.count > 0) {
                window.first = reach.first(*std::min_element(segment.begins, segment.begins + segment.count));
                window.last = reach.last(*std::max_element(segment.ends, segment.ends + segment.count));
                window.last = std::max(window.first, window.last);
            }
            windows_.push_back(window);
        }
    }

    // Before any segment; `mirrored`: after all of them.
    Column start(bool mirrored) const {
        Column column(static_cast<std::size_t>(stream_.count) + 1);
        std::iota(column.begin(), column.end(), 0);
        if (mirrored) std::reverse(column.begin(), column.end());
        return column;
    }

    std::int64_t steps(const Words& segment, std::size_t k) const {
        return segment.count * (windows_[k].last - windows_[k].first) * 2 + stream_.count;
    }

    // The same with the words of a segment, too.
    void advance(Column& column, const Words& segment, std::size_t number, std::int32_t substitution, bool backwards) const {
        const Words& stream = stream_;
        const Window window = windows_[number];
        const auto at = [&](std::int64_t place) -> std::int32_t& { return column[static_cast<std::size_t>(place)]; };
        const std::int64_t step = backwards ? -1 : 1;
        const std::int64_t from = backwards ? window.last : window.first;
        const std::int64_t to = backwards ? window.first : window.last;
        const auto added = static_cast<std::int32_t>(segment.count);
        for (std::int64_t k = 0; k < segment.count; ++k) {
            const std::int64_t word = backwards ? segment.count - 1 - k : k;
            std::int32_t corner = at(from);
            at(from) += 1;
            std::int32_t before = at(from);
            for (std::int64_t place = from; place != to; place += step) {
                const std::int64_t heard = backwards ? place - 1 : place;
                std::int32_t& cell = at(place + step);
                const std::int32_t above = cell;
                before = std::min(above, before) + 1;
                if (may_pair(segment, word, stream, heard)) {
                    const bool same = segment.ids[word] == stream.ids[heard];
                    before = std::min(before, corner + (same ? 0 : substitution));
                }
                cell = before;
                corner = above;
            }
        }
        const std::int64_t end = backwards ? 0 : stream.count, start = backwards ? stream.count : 0;
        for (std::int64_t place = start; place != from; place += step) at(place) += added;
        for (std::int64_t place = to; place != end; place += step) {
            at(place + step) = std::min(at(place + step) + added, at(place) + 1);
        }
    }

    static Column unmirrored(const Column& column) { return column; }
    static std::int32_t first(const Column& column) { return column[0]; }

    // The least sum of what a column says up to a place and the other from it on.
    static std::int32_t cheapest(const Column& forward, const Column& backward) {
        std::int32_t best = forward[0] + backward[0];
        for (std::size_t k = 1; k < forward.size(); ++k) best = std::min(best, forward[k] + backward[k]);
        return best;
    }

private:
    // The words that a segment's may be paired with: from `first` and before `last`.
    struct Window {
        std::int64_t first, last;
    };

    const Words stream_;
    std::vector<Window> windows_;
};

std::uint64_t mirrored_bits(std::uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555U) | (bits & 0x5555555555555555U) << 1;
    bits = (bits >> 2 & 0x3333333333333333U) | (bits & 0x3333333333333333U) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fU) | (bits & 0x0f0f0f0f0f0f0f0fU) << 4;
    bits = (bits >> 8 & 0x00ff00ff00ff00ffU) | (bits & 0x00ff00ff00ff00ffU) << 8;
    bits = (bits >> 16 & 0x0000ffff0000ffffU) | (bits & 0x0000ffff0000ffffU) << 16;
    return bits >> 32 | bits << 32;
}

// A stream where any words may be paired: neighbouring costs differ by 1 at most, so that 64 of
// them are worked out at a time.
class PlainStream {
public:
    struct Column {
        std::int32_t head;
        std::vector<Changes> changes;
    };

    PlainStream(const Words& stream, std::int64_t known, const std::vector<Words>&)
        : count_(stream.count), begins_(static_cast<std::size_t>(known) + 1, 0), places_(static_cast<std::size_t>(stream.count)) {
        for (std::int64_t k = 0; k < count_; ++k) ++begins_[static_cast<std::size_t>(stream.ids[k]) + 1];
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        std::vector<std::int32_t> next(begins_.begin(), begins_.end() - 1);
        for (std::int64_t k = 0; k < count_; ++k) {
            places_[static_cast<std::size_t>(next[static_cast<std::size_t>(stream.ids[k])]++)] = static_cast<std::int32_t>(k);
        }
    }

    Column start(bool) const {
        Column column{0, std::vector<Changes>(static_cast<std::size_t>((count_ + 63) / 64))};
        clear_beyond(column);
        return column;
    }

    std::int64_t steps(const Words& segment, std::size_t) const { return (segment.count * 5 + 5) * (count_ / 64 + 1); }

    void advance(Column& column, const Words& segment, std::size_t, std::int32_t substitution, bool mirrored) const {
        for (std::int64_t k = 0; k < segment.count; ++k) {
            const auto id = static_cast<std::size_t>(segment.ids[mirrored ? segment.count - 1 - k : k]);
            std::int32_t at = mirrored ? begins_[id + 1] - 1 : begins_[id];
            const std::int32_t end = mirrored ? begins_[id] - 1 : begins_[id + 1], step = mirrored ? -1 : 1;
            int across = 1;
            std::uint64_t carry = 0;
            std::int64_t last = 0;
            for (Changes& changes : column.changes) {
                std::uint64_t same = 0;
                last += 64;
                for (; at != end; at += step) {
                    const std::int64_t heard = places_[static_cast<std::size_t>(at)], place = mirrored ? count_ - 1 - heard : heard;
                    if (place >= last) break;
                    same |= std::uint64_t{1} << (place & 63);
                }
                if (substitution == 1) {
                    across = changes.take(same, across, 64);
                    continue;
                }
                // two edits: costs only rise or fall, and fall where a word is found that is the same
                const std::uint64_t found = changes.rises & same, sum = changes.rises + found;
                const std::uint64_t whole = sum + carry;
                carry = sum < found || whole < sum ? 1 : 0;
                changes.rises = whole | (changes.rises & ~same);
                changes.falls = ~changes.rises;
            }
            ++column.head;
        }
        clear_beyond(column);
    }

    // From each place on, where the column counts places from the end.
    Column unmirrored(const Column& column) const {
        const std::size_t size = column.changes.size();
        Column found{last(column), std::vector<Changes>(size)};
        const int spare = static_cast<int>(static_cast<std::int64_t>(size) * 64 - count_);
        for (std::size_t k = 0; k < size; ++k) {
            const auto part = [&](std::uint64_t Changes::* bits) {
                const std::uint64_t low = mirrored_bits(column.changes[size - 1 - k].*bits);
                if (spare == 0) return low;
                const std::uint64_t high = k + 1 < size ? mirrored_bits(column.changes[size - 2 - k].*bits) : 0;
                return low >> spare | high << (64 - spare);
            };
            found.changes[k].rises = part(&Changes::falls);
            found.changes[k].falls = part(&Changes::rises);
        }
        return found;
    }

    static std::int32_t first(const Column& column) { return column.head; }

    static std::int32_t cheapest(const Column& forward, const Column& backward) {
        std::int32_t sum = forward.head + backward.head, best = sum;
        for (std::size_t k = 0; k < forward.changes.size(); ++k) {
            const Changes& one = forward.changes[k];
            const Changes& other = backward.changes[k];
            // what rises in one and falls in the other does not change the sum
            const std::uint64_t rises = one.rises & ~other.falls, more = other.rises & ~one.falls;
            const std::uint64_t falls = other.falls & ~one.rises, less = one.falls & ~other.rises;
            if (sum - ones(falls) - ones(less) < best) {
                std::int32_t here = sum;
                for (int bit = 0; bit < 64; ++bit) {
                    here += static_cast<std::int32_t>((rises >> bit & 1U) + (more >> bit & 1U));
                    here -= static_cast<std::int32_t>((falls >> bit & 1U) + (less >> bit & 1U));
                    best = std::min(best, here);
                }
            }
            sum += ones(rises) + ones(more) - ones(falls) - ones(less);
        }
        return best;
    }

private:
    static std::int32_t last(const Column& column) {
        std::int32_t cost = column.head;
        for (const Changes& one : column.changes) cost += ones(one.rises) - ones(one.falls);
        return cost;
    }

    void clear_beyond(Column& column) const {
        if (count_ % 64 == 0) return;
        const std::uint64_t kept = (std::uint64_t{1} << (count_ % 64)) - 1;
        column.changes.back().rises &= kept;
        column.changes.back().falls &= kept;
    }

    const std::int64_t count_;
    std::vector<std::int32_t> begins_, places_;  // where each word stands, in ascending order
};

template <class Stream>
std::int64_t moved_one_by_one(const std::vector<Words>& segments, const std::vector<Words>& words, std::int64_t known,
                              std::vector<std::int32_t>& choice, Watch& watch) {
    using Column = typename Stream::Column;
    const std::size_t count = words.size();
    std::vector<Stream> streams;
    for (const Words& one : words) streams.emplace_back(one, known, segments);
    std::vector<std::int32_t> costs(count), with(count), without(count);
    std::vector<Column> updated(count);
    for (const std::int32_t substitution : {2, 1}) {
        for (int pass = 0; pass < most_passes; ++pass) {
            std::vector<Column> forward, mirrored;
            std::vector<std::vector<Column>> backward(count);  // the last of a stream: from its begin on
            for (std::size_t s = 0; s < count; ++s) {
                forward.push_back(streams[s].start(false));
                mirrored.push_back(streams[s].start(true));
                backward[s].push_back(streams[s].unmirrored(mirrored[s]));
            }
            for (std::size_t k = segments.size(); k-- > 0;) {
                const auto s = static_cast<std::size_t>(choice[k]);
                watch.spend(streams[s].steps(segments[k], k));
                streams[s].advance(mirrored[s], segments[k], k, substitution, true);
                backward[s].push_back(streams[s].unmirrored(mirrored[s]));
            }
            for (std::size_t s = 0; s < count; ++s) costs[s] = Stream::first(backward[s].back());
            bool moved = false;
            for (std::size_t k = 0; k < segments.size(); ++k) {
                const auto current = static_cast<std::size_t>(choice[k]);
                for (std::size_t s = 0; s < count; ++s) {
                    updated[s] = forward[s];
                    watch.spend(streams[s].steps(segments[k], k));
                    streams[s].advance(updated[s], segments[k], k, substitution, false);
                    if (s == current) {
                        with[s] = costs[s];
                        without[s] = Stream::cheapest(forward[s], backward[s][backward[s].size() - 2]);
                    } else {
                        without[s] = costs[s];
                        with[s] = Stream::cheapest(updated[s], backward[s].back());
                    }
                }
                std::size_t best = current;
                for (std::size_t s = 0; s < count; ++s) {
                    if (with[s] - without[s] < with[best] - without[best]) best = s;
                }
                std::swap(forward[best], updated[best]);
                backward[current].pop_back();
                if (best == current) continue;
                moved = true;
                choice[k] = static_cast<std::int32_t>(best);
                costs[best] = with[best];
                costs[current] = without[current];
            }
            if (!moved) break;
        }
    }
    return std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
}

}  // namespace

std::int64_t combine_greedily(const std::vector<Words>& segments, const std::vector<Words>& streams, std::int64_t known,
                              std::vector<std::int32_t>& choice, Watch& watch) {
    const bool timed = std::any_of(streams.begin(), streams.end(), [](const Words& one) { return one.timed(); });
    const auto move = timed ? &moved_one_by_one<TimedStream> : &moved_one_by_one<PlainStream>;
    return move(segments, streams, known, choice, watch);
}

}  // namespace speakers
