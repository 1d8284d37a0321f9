// Aligns pairs of plain word sequences.
#pragma once

#include <cstdint>
#include <vector>

#include "../common/watch.hpp"
#include "word.hpp"

namespace alignment {

// Pair k aligns reference_types[reference_begins[k] .. reference_ends[k]) with the hypothesis's.
struct Pairs {
    std::int64_t count;
    const Type* reference_types;
    const std::int64_t* reference_begins;
    const std::int64_t* reference_ends;
    const Type* hypothesis_types;
    const std::int64_t* hypothesis_begins;
    const std::int64_t* hypothesis_ends;

    Sequence reference(std::int64_t k) const {
        return {reference_types + reference_begins[k], reference_ends[k] - reference_begins[k]};
    }
    Sequence hypothesis(std::int64_t k) const {
        return {hypothesis_types + hypothesis_begins[k], hypothesis_ends[k] - hypothesis_begins[k]};
    }
    Pairs from(std::int64_t first, std::int64_t number) const {
        return {number,
                reference_types, reference_begins + first, reference_ends + first,
                hypothesis_types, hypothesis_begins + first, hypothesis_ends + first};
    }
};

// The storage of one thread that aligns pair after pair.
class Aligner {
public:
    // The costs have no factor in common and stand Costs::check for every pair.
    Aligner(const Costs& costs, Ties ties, Watch& watch);

    // Makes ready for word types 0 .. types - 1.
    void expect_types(std::size_t types) {
        if (scratch_.by_type.size() < types) scratch_.by_type.resize(types);
    }

    // Receives correct, substitutions, deletions, insertions in `counts`. The edits returned hold
    // until the next call.
    Path align(Sequence reference, Sequence hypothesis, std::int32_t* counts);

    // The end of the edits of the last pair.
    const std::uint8_t* end() const { return edits_.data() + edits_.size(); }

private:
    enum class Family { sclite, unit, other };

    static Family family(const Costs& costs);

    template <Ties ties>
    void choose(Sequence reference, Sequence hypothesis, Path& path);
    template <class Step, Ties ties>
    void by_bits(Sequence reference, Sequence hypothesis, Path& path);
    template <Ties ties>
    void by_table(Sequence reference, Sequence hypothesis, Path& path);

    Costs costs_;
    Family family_;
    Ties ties_;
    Watch& watch_;
    Scratch scratch_;
    std::vector<std::uint8_t> edits_;
};

}  // namespace alignment
