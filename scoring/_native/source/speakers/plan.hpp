// The states of a search for the cheapest way to lay segments on streams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "speakers.hpp"

namespace speakers {

using Place = std::vector<std::int64_t>;
using Cuts = std::vector<std::uint8_t>;
constexpr double most_states = 5e6;

// The places of each stream in a state: from `offsets`, as many as `sizes`.
struct Window {
    Place offsets, sizes;
    double cells() const {
        return std::accumulate(sizes.begin(), sizes.end(), 1.0, [](double a, std::int64_t b) { return a * static_cast<double>(b); });
    }
};

// So many segments of each chain used: where that is known from, and what it says.
struct State {
    Place used;
    Window window;
    std::vector<std::pair<std::int32_t, std::size_t>> before;  // chain, state
    // costs along one stream, packed: those at its first place, and where they rise and fall from
    // there on, of all rows one after the other
    std::vector<std::int32_t> heads;
    std::vector<std::uint64_t> rises, falls;
};

// The states there are, and which places each of them knows.
class Plan {
public:
    // `cuts`: of each stream whether all its paths have a place, if it has several paths; a window
    // begins and ends at such places.
    Plan(const Segments& segments, const std::vector<Words>& streams, bool alone, const std::vector<Cuts>& cuts = {})
        : segments_(segments), streams_(streams), cuts_(cuts) {
        for (const Words& stream : streams) reaches_.emplace_back(stream);
        State first;
        first.used.assign(segments.chains.size(), 0);
        first.window = {Place(streams.size(), 0), Place(streams.size(), 1)};
        timed_ = std::any_of(streams.begin(), streams.end(), [](const Words& one) { return one.timed(); });
        if (!timed_) first.window.sizes = whole();
        states.push_back(first);
        fits = timed_ ? (alone ? add_in_order() : add_in_blocks()) : add_all();
    }

    std::vector<State> states;
    bool fits;

private:
    Place whole() const {
        Place sizes;
        for (const Words& stream : streams_) sizes.push_back(stream.count + 1);
        return sizes;
    }

    void add(const Place& used, const Window& window, const std::map<Place, std::size_t>& known) {
        State state;
        state.used = used;
        state.window = window;
        Place other = used;
        for (std::size_t chain = 0; chain < used.size(); ++chain) {
            if (used[chain] == 0) continue;
            --other[chain];
            const auto found = known.find(other);
            if (found != known.end()) state.before.emplace_back(static_cast<std::int32_t>(chain), found->second);
            ++other[chain];
        }
        states.push_back(std::move(state));
    }

    // Without times: all numbers of used segments, the first chain's fastest.
    bool add_all() {
        double count = 1;
        for (const auto& chain : segments_.chains) count *= static_cast<double>(chain.size() + 1);
        if (count > most_states) return false;
        const Window window{Place(streams_.size(), 0), whole()};
        std::map<Place, std::size_t> known{{states[0].used, 0}};
        Place used = states[0].used;
        for (double k = 1; k < count; ++k) {
            for (std::size_t chain = 0; chain < used.size(); ++chain) {
                if (++used[chain] <= static_cast<std::int64_t>(segments_.chains[chain].size())) break;
                used[chain] = 0;
            }
            add(used, window, known);
            known.emplace(used, states.size() - 1);
        }
        return true;
    }

    // Earliest begins of the segments of a chain from each on, and latest ends up to it.
    struct Spans {
        std::vector<std::int64_t> begins, ends;
    };

    static Spans spans_of(const std::vector<Words>& chain) {
        Spans spans;
        for (const Words& one : chain) {
            spans.begins.push_back(*std::min_element(one.begins, one.begins + one.count));
            spans.ends.push_back(*std::max_element(one.ends, one.ends + one.count));
        }
        for (std::size_t k = 1; k < chain.size(); ++k) spans.ends[k] = std::max(spans.ends[k], spans.ends[k - 1]);
        for (std::size_t k = chain.size(); k-- > 1;) spans.begins[k - 1] = std::min(spans.begins[k], spans.begins[k - 1]);
        return spans;
    }

    void move(Window& window, std::int64_t begin, std::int64_t end) const {
        for (std::size_t s = 0; s < streams_.size(); ++s) {
            const std::vector<std::int64_t>& ends = reaches_[s].ends;
            std::int64_t& offset = window.offsets[s];
            // a word that ends when the segment begins is still looked at, as meeteval does
            offset = std::max<std::int64_t>(offset, std::lower_bound(ends.begin(), ends.end(), begin) - ends.begin());
            std::int64_t last = std::max(offset, reaches_[s].last(end));
            if (!cuts_.empty()) {
                while (cuts_[s][index(offset)] == 0) --offset;
                while (cuts_[s][index(last)] == 0) ++last;
            }
            window.sizes[s] = last - offset + 1;
        }
    }

    bool add_in_order() {
        const Spans spans = spans_of(segments_.chains[0]);
        Window window = states[0].window;
        for (std::size_t k = 0; k < spans.begins.size(); ++k) {
            move(window, spans.begins[k], spans.ends[k]);
            const auto used = static_cast<std::int64_t>(k);
            add(Place{used + 1}, window, std::map<Place, std::size_t>{{Place{used}, k}});
        }
        return true;
    }

    // Several chains with times: segments are taken in any order only where that can matter.
    bool add_in_blocks() {
        const std::size_t count = segments_.chains.size();
        std::vector<Spans> spans;
        for (const auto& chain : segments_.chains) spans.push_back(spans_of(chain));
        // whether no words can be paired crosswise, the later one with what ends then, the earlier one
        // with what begins then
        const auto apart = [&](std::int64_t end, std::int64_t begin) {
            return std::all_of(reaches_.begin(), reaches_.end(), [&](const Reach& one) { return one.last(end) <= one.first(begin); });
        };
        Place first(count, 0), last(count, 0);
        std::map<Place, std::size_t> known{{states[0].used, 0}};
        Window window = states[0].window;
        std::int64_t block_end = std::numeric_limits<std::int64_t>::min();
        const auto size = [&](std::size_t chain) { return static_cast<std::int64_t>(segments_.chains[chain].size()); };
        for (;;) {
            std::size_t next = count;
            for (std::size_t chain = 0; chain < count; ++chain) {
                if (last[chain] == size(chain)) continue;
                if (next == count || spans[chain].begins[index(last[chain])] < spans[next].begins[index(last[next])]) next = chain;
            }
            if (next == count) return true;
            const std::int64_t begin = spans[next].begins[index(last[next])];
            for (std::size_t chain = 0; chain < count; ++chain) {
                while (first[chain] < last[chain] && apart(spans[chain].ends[index(first[chain])], begin)) ++first[chain];
            }
            ++last[next];
            block_end = std::max(block_end, spans[next].ends[index(last[next] - 1)]);
            std::int64_t block_begin = std::numeric_limits<std::int64_t>::max();
            for (std::size_t chain = 0; chain < count; ++chain) {
                if (first[chain] < size(chain)) block_begin = std::min(block_begin, spans[chain].begins[index(first[chain])]);
            }
            move(window, block_begin, block_end);
            Place used = first;
            used[next] = last[next];
            for (auto at = known.begin(); at != known.end();) {
                bool dead = false;
                for (std::size_t chain = 0; chain < count; ++chain) dead = dead || at->first[chain] < first[chain];
                at = dead ? known.erase(at) : std::next(at);
            }
            for (bool more = true; more;) {
                add(used, window, known);
                known.emplace(used, states.size() - 1);
                if (static_cast<double>(states.size()) > most_states) return false;
                more = false;
                for (std::size_t chain = 0; chain < count && !more; ++chain) {
                    if (chain == next) continue;
                    more = used[chain] < last[chain];
                    used[chain] = more ? used[chain] + 1 : first[chain];
                }
            }
        }
    }

    static std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }

    const Segments& segments_;
    const std::vector<Words>& streams_;
    const std::vector<Cuts> cuts_;
    bool timed_ = false;
    std::vector<Reach> reaches_;
};

}  // namespace speakers
