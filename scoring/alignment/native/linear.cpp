#include "linear.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "blocks.hpp"
#include "table.hpp"

namespace alignment {

Aligner::Aligner(const Costs& costs, Ties ties)
    : costs_(reduced(costs)), family_(family(costs_)), ties_(ties) {}

// A common factor changes no choice.
Costs Aligner::reduced(Costs costs) {
    const std::int64_t factor =
        std::gcd(costs.substitution, std::gcd(costs.deletion, costs.insertion));
    if (factor < 2) return costs;
    return {costs.substitution / factor, costs.deletion / factor, costs.insertion / factor};
}

Aligner::Family Aligner::family(const Costs& costs) {
    if (costs.substitution == 4 && costs.deletion == 3 && costs.insertion == 3) {
        return Family::sclite;
    }
    if (costs.substitution == 1 && costs.deletion == 1 && costs.insertion == 1) return Family::unit;
    return Family::other;
}

Path Aligner::align(Sequence reference, Sequence hypothesis, std::int32_t* counts) {
    const auto room = static_cast<std::size_t>(reference.size + hypothesis.size);
    if (edits_.size() < room) edits_.resize(2 * room);
    Path path{edits_.data() + edits_.size()};
    if (ties_ == Ties::sclite) choose<Ties::sclite>(reference, hypothesis, path);
    if (ties_ == Ties::align_text) choose<Ties::align_text>(reference, hypothesis, path);
    if (ties_ == Ties::compute_wer) choose<Ties::compute_wer>(reference, hypothesis, path);
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
        Blocks<Step, ties>(reference, hypothesis, scratch_).align(path);
    }
}

template <Ties ties>
void Aligner::by_table(Sequence reference, Sequence hypothesis, Path& path) const {
    const std::int64_t dearest = std::max({costs_.substitution, costs_.deletion, costs_.insertion});
    const std::int64_t words = reference.size + hypothesis.size + 2;
    if (dearest <= std::numeric_limits<std::int32_t>::max() / words) {
        Table<std::int32_t, ties>(reference, hypothesis, costs_).align(path);
    } else if (dearest <= (std::int64_t{1} << 62) / words) {
        Table<std::int64_t, ties>(reference, hypothesis, costs_).align(path);
    } else {
        throw std::overflow_error("costs are too large for sequences of this length");
    }
}

}  // namespace alignment
