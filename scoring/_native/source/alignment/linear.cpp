#include "linear.hpp"

#include <algorithm>
#include <limits>

#include "blocks.hpp"
#include "table.hpp"

namespace alignment {

Aligner::Aligner(const Costs& costs, Ties ties, Watch& watch)
    : costs_(costs), family_(family(costs)), ties_(ties), watch_(watch) {}

Aligner::Family Aligner::family(const Costs& costs) {
    if (costs.substitution == 4 && costs.deletion == 3 && costs.insertion == 3) {
        return Family::sclite;
    }
    if (costs.substitution == 1 && costs.deletion == 1 && costs.insertion == 1) return Family::unit;
    return Family::other;
}

Path Aligner::align(Sequence reference, Sequence hypothesis, std::int32_t* counts) {
    watch_.spend(reference.size + hypothesis.size);
    const auto room = static_cast<std::size_t>(reference.size + hypothesis.size);
    if (edits_.size() < room) edits_.resize(2 * room);
    Path path{edits_.data() + edits_.size()};
    if (ties_ == Ties::sclite) choose<Ties::sclite>(reference, hypothesis, path);
    if (ties_ == Ties::align_text) choose<Ties::align_text>(reference, hypothesis, path);
    if (ties_ == Ties::compute_wer) choose<Ties::compute_wer>(reference, hypothesis, path);
    if (ties_ == Ties::rapidfuzz) {
        std::int64_t equal = 0;
        const std::int64_t shorter = std::min(reference.size, hypothesis.size);
        while (equal < shorter && reference[equal] == hypothesis[equal]) ++equal;
        choose<Ties::rapidfuzz>(reference.from(equal), hypothesis.from(equal), path);
        for (std::int64_t i = 0; i < equal; ++i) path.step_diagonal(true);
    }
    counts[0] = static_cast<std::int32_t>(path.correct);
    counts[1] = static_cast<std::int32_t>(path.diagonal - path.correct);
    counts[2] = static_cast<std::int32_t>(reference.size - path.diagonal);
    counts[3] = static_cast<std::int32_t>(hypothesis.size - path.diagonal);
    return path;
}

template <Ties ties>
void Aligner::choose(Sequence reference, Sequence hypothesis, Path& path) {
    // Equal last words make the diagonal optimal, so where it is preferred it is also taken.
    if constexpr (ties != Ties::compute_wer) {
        while (reference.size > 0 && hypothesis.size > 0 &&
               reference[reference.size - 1] == hypothesis[hypothesis.size - 1]) {
            --reference.size;
            --hypothesis.size;
            path.step_diagonal(true);
        }
    }
    if (reference.size == 0 || hypothesis.size == 0) {
        path.finish(reference.size, hypothesis.size);
    } else if (family_ == Family::sclite) {
        by_bits<ScliteCosts, ties>(reference, hypothesis, path);
    } else if (family_ == Family::unit) {
        by_bits<UnitCosts, ties>(reference, hypothesis, path);
    } else {
        by_table<ties>(reference, hypothesis, path);
    }
}

template <class Step, Ties ties>
void Aligner::by_bits(Sequence reference, Sequence hypothesis, Path& path) {
    if (reference.size <= word_bits) {
        align_word<Step, ties>(reference, hypothesis, scratch_, path);
    } else {
        Blocks<Step, ties>(reference, hypothesis, scratch_, watch_).align(path);
    }
}

template <Ties ties>
void Aligner::by_table(Sequence reference, Sequence hypothesis, Path& path) {
    const std::int64_t words = reference.size + hypothesis.size + 2;
    if (costs_.dearest() <= std::numeric_limits<std::int32_t>::max() / words) {
        Table<std::int32_t, ties>(reference, hypothesis, costs_, watch_).align(path);
    } else {
        Table<std::int64_t, ties>(reference, hypothesis, costs_, watch_).align(path);
    }
}

}  // namespace alignment
