// The cheapest path through a grid with one axis for every speaker and every stream of words, and
// of several cheapest ones the path that asclite takes. No Python here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../common/watch.hpp"

namespace asclite {

using Cost = std::int32_t;
constexpr Cost never = 1 << 29;  // twice as much still fits

enum class Part : std::uint8_t { whole, beginning, end };

// The words of one axis; a word's number counts from 1, 0 stands before the first.
struct Axis {
    std::int64_t words = 0;
    const std::int32_t* texts = nullptr;
    const std::int64_t* begins = nullptr;  // negative: unknown
    const std::int64_t* ends = nullptr;
    const std::int64_t* singles = nullptr;  // what a word alone costs
    const std::uint8_t* loose = nullptr;    // its times are those of its segment
    const std::int64_t* offsets = nullptr;  // of `before`, one more than words
    const std::int32_t* before = nullptr;   // the words a word may follow, smaller ones
    const std::int32_t* lasts = nullptr;    // where a path may end
    std::int64_t last_count = 0;

    bool chained() const;
    std::int64_t window() const;  // how far back a word looks at most
};

struct Prices {
    std::int64_t substitution, wrong_speaker, nearness, duration, widest, prune, divider, optional;
    bool letters, fragments, multiple;
};

struct Problem {
    std::vector<Axis> axes;
    std::size_t streams = 0;  // the first axes are hypotheses
    Prices prices{};
    std::vector<std::string_view> texts;
    const Part* parts = nullptr;         // of each text
    const std::uint8_t* wrong = nullptr;  // streams times speakers: another speaker's
    std::size_t slow = 0, fast = 0;       // the axes of layers and of rows
    std::int64_t block = 0;               // layers between those that are kept
};

class Grid {
public:
    Grid(const Problem& problem, Watch& watch);

    // Its cost; `path` gets a row of axes for every step, the number of the word it takes or 0.
    std::int64_t align(std::vector<std::int32_t>& path);

private:
    using Place = std::vector<std::int32_t>;

    Cost pair(std::size_t a, std::int64_t i, std::size_t b, std::int64_t j);
    std::int64_t difference(std::int32_t left, std::int32_t right);
    bool same(std::int32_t left, std::int32_t right) const;
    bool prunable(const Place& at, std::size_t axis) const;
    // Every step that leads to a place, in the order in which asclite looks at them.
    template <class Visit>
    void steps(const Place& at, Visit visit);
    template <class Visit>
    void multiple_steps(const Place& at, Visit visit);
    Cost together(const Place& at, const Place& from);

    Cost cost_at(const Place& at) const;
    bool opposite(std::size_t a, std::size_t b) const {
        return (a < problem_.streams) != (b < problem_.streams);
    }
    void fill(std::int64_t layer);
    void fill_row(std::int64_t layer, const Place& at, Cost* row);
    void fill_slowly(const Place& at, Cost* row);
    void leave(std::int64_t layer);
    bool kept(std::int64_t layer) const;
    void want(std::int64_t layer);

    const Problem& problem_;
    Watch& watch_;
    std::vector<Axis> axes_;
    std::vector<std::size_t> middle_;
    std::vector<std::int64_t> strides_;  // within a layer
    std::int64_t size_ = 1, width_ = 1, window_ = 1, block_ = 1, start_ = 0;
    bool chained_ = true;
    std::vector<std::unique_ptr<Cost[]>> layers_;
    // Prices of pairs: of two axes none of which is slow, and of the slow axis' word of this layer.
    std::vector<std::vector<Cost>> pairs_;
    std::vector<std::vector<Cost>> slow_pairs_;
    std::unordered_map<std::uint64_t, std::int64_t> differences_;
};

}  // namespace asclite
