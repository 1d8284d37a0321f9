#include "sets.hpp"

#include <algorithm>
#include <stdexcept>

namespace rover {
namespace {

// The arcs of a network and their costs, in columns that are used again for each file.
class Arcs {
public:
    // The words of sets: each may follow every word of the set before.
    void take_sets(const Words& words, const TextCosts& costs, const Sets& sets) {
        take(words, words.voted, costs, sets.members.data(), sets.members.data() + sets.members.size());
        set_of_arc_.clear();
        offsets_.assign(1, 0);
        predecessors_.clear();
        set_of_arc_.reserve(sets.members.size());
        offsets_.reserve(sets.members.size() + 1);
        for (std::int64_t set = 0; set < sets.size(); ++set) {
            const auto at = static_cast<std::size_t>(set);
            for (std::int64_t arc = sets.offsets[at]; arc < sets.offsets[at + 1]; ++arc) {
                set_of_arc_.push_back(set);
                if (set == 0) {
                    predecessors_.push_back(0);
                } else {
                    append_arcs(sets, at - 1, predecessors_);
                }
                offsets_.push_back(static_cast<std::int32_t>(predecessors_.size()));
            }
        }
        network_.finals.clear();
        if (sets.size() == 0) {
            network_.finals.push_back(0);
        } else {
            append_arcs(sets, static_cast<std::size_t>(sets.size()) - 1, network_.finals);
        }
        const bool is_chain = static_cast<std::int64_t>(sets.members.size()) == sets.size();
        network_.predecessor_offsets = is_chain ? nullptr : offsets_.data();
        network_.predecessor_list = is_chain ? nullptr : predecessors_.data();
    }

    // The words of a file, one after the other.
    void take_file(const Words& words, const TextCosts& costs, const Range& range) {
        file_.resize(static_cast<std::size_t>(range.end - range.begin));
        for (std::size_t k = 0; k < file_.size(); ++k) {
            file_[k] = static_cast<std::int32_t>(range.begin + static_cast<std::int64_t>(k));
        }
        take(words, words.compared, costs, file_.data(), file_.data() + file_.size());
        network_.finals.assign(1, static_cast<std::int32_t>(file_.size()));
    }

    const alignment::Network& network() const { return network_; }
    std::int64_t set_of_arc(std::int32_t arc) const { return set_of_arc_[static_cast<std::size_t>(arc) - 1]; }

private:
    static void append_arcs(const Sets& sets, std::size_t set, std::vector<std::int32_t>& arcs) {
        for (std::int64_t arc = sets.offsets[set]; arc < sets.offsets[set + 1]; ++arc) {
            arcs.push_back(static_cast<std::int32_t>(arc + 1));
        }
    }

    void take(const Words& words, const std::int32_t* texts, const TextCosts& costs, const std::int32_t* first,
              const std::int32_t* last) {
        const auto size = static_cast<std::size_t>(last - first);
        types_.resize(size), singles_.resize(size), weights_.resize(size), starts_.resize(size), ends_.resize(size);
        for (std::size_t k = 0; k < size; ++k) {
            const std::int32_t word = first[k];
            const std::int32_t text = texts[word];
            types_[k] = text;
            weights_[k] = costs.weights[text];
            starts_[k] = words.starts[word];
            ends_[k] = words.finishes[word];
            const bool is_timed = costs.by_time && text != costs.null_text;
            singles_[k] = is_timed ? ends_[k] - starts_[k] : costs.singles[text];
        }
        nulls_.assign(size, 0);
        network_.arcs = static_cast<std::int64_t>(types_.size());
        network_.types = types_.data();
        network_.nulls = nulls_.data();
        network_.singles = singles_.data();
        network_.weights = weights_.data();
        network_.starts = starts_.data();
        network_.ends = ends_.data();
    }

    alignment::Network network_;
    std::vector<std::int32_t> types_, offsets_, predecessors_, file_;
    std::vector<std::int64_t> set_of_arc_;
    std::vector<std::uint8_t> nulls_;
    std::vector<double> singles_, weights_, starts_, ends_;
};

// The sets with the words of a file along a path; `files` were combined before it.
Sets merged(const Sets& sets, const Arcs& arcs, const Range& range, const alignment::NetworkPath& path,
            std::int64_t files) {
    Sets all;
    all.uncombined = sets.uncombined;
    all.members.reserve(sets.members.size() + path.steps.size() * static_cast<std::size_t>(files + 1));
    all.offsets.reserve(path.steps.size() + 1);
    for (const auto& [arc, added] : path.steps) {
        const auto word = added == 0 ? no_word : static_cast<std::int32_t>(range.begin + added - 1);
        if (arc != 0) {
            const auto set = static_cast<std::size_t>(arcs.set_of_arc(arc));
            all.members.insert(all.members.end(), sets.members.begin() + sets.offsets[set],
                               sets.members.begin() + sets.offsets[set + 1]);
        }
        all.members.push_back(word);
        if (arc == 0) all.members.insert(all.members.end(), static_cast<std::size_t>(files), no_word);
        all.offsets.push_back(static_cast<std::int64_t>(all.members.size()));
    }
    return all;
}

// A text of a set, with sums over the words that have it; a sum is never -0.0.
struct Candidate {
    Candidate(std::int32_t number, double start, double finish, double confidence)
        : text(number),
          starts(0.0 + start),
          finishes(0.0 + finish),
          confidences(0.0 + confidence),
          largest(confidence < 0.0 ? 0.0 : confidence) {}

    void add(double start, double finish, double confidence) {
        ++count;
        starts += start;
        finishes += finish;
        confidences += confidence;
        if (!(largest > confidence)) largest = confidence;
    }

    double score(Rule rule, double alpha, double size, double total) const {
        const double votes = alpha * (static_cast<double>(count) / size);
        const double rest = 1.0 - alpha;
        if (rule == Rule::mean) return votes + rest * (confidences / static_cast<double>(count));
        if (rule == Rule::largest) return votes + rest * largest;
        return votes + rest * confidences / total;
    }

    std::int32_t text;
    std::int64_t count = 1;
    double starts, finishes, confidences;
    double largest;  // confidence, at least 0
};

}  // namespace

Sets aligned(const Words& words, const TextCosts& costs, const std::vector<Range>& files, std::int64_t most_arcs,
             Watch& watch) {
    Sets sets;
    sets.members.reserve(static_cast<std::size_t>(files[0].end - files[0].begin));
    sets.offsets.reserve(sets.members.capacity() + 1);
    for (std::int64_t word = files[0].begin; word < files[0].end; ++word) {
        sets.members.push_back(static_cast<std::int32_t>(word));
        sets.offsets.push_back(static_cast<std::int64_t>(sets.members.size()));
    }
    const auto pricing = costs.by_time ? alignment::Pricing::times : alignment::Pricing::weights;
    Arcs left;
    Arcs right;
    for (std::size_t file = 1; file < files.size(); ++file) {
        const std::int64_t longest = std::max(static_cast<std::int64_t>(sets.members.size()), files[file].end - files[file].begin);
        if (longest > most_arcs) throw std::overflow_error("the networks are too large to align");
        left.take_sets(words, costs, sets);
        right.take_file(words, costs, files[file]);
        const alignment::NetworkPath path = alignment::align(left.network(), right.network(), pricing, nullptr, watch);
        if (path.steps.empty()) {  // nothing to align, or no path is affordable
            sets.uncombined += right.network().arcs;
        } else {
            sets = merged(sets, left, files[file], path, static_cast<std::int64_t>(file));
        }
    }
    return sets;
}

std::vector<Winner> winners(const Words& words, const std::int32_t* members, const std::int64_t* offsets,
                            std::int64_t sets, Rule rule, double alpha) {
    std::vector<Winner> found;
    std::vector<Candidate> candidates;
    for (std::int64_t set = 0; set < sets; ++set) {
        candidates.clear();
        double total = 0.0;
        for (std::int64_t at = offsets[set]; at < offsets[set + 1]; ++at) {
            const std::int32_t word = members[at];
            const std::int32_t text = words.voted[word];
            const double confidence = words.confidences[word];
            const auto known = std::find_if(candidates.begin(), candidates.end(),
                                            [text](const Candidate& candidate) { return candidate.text == text; });
            if (known == candidates.end()) {
                if (candidates.size() == most_texts) return found;
                candidates.emplace_back(text, words.starts[word], words.finishes[word], confidence);
            } else {
                known->add(words.starts[word], words.finishes[word], confidence);
            }
            total += confidence;
        }
        const auto size = static_cast<double>(offsets[set + 1] - offsets[set]);
        double best = -1.0;
        const Candidate* winner = nullptr;
        for (const Candidate& candidate : candidates) {
            const double score = candidate.score(rule, alpha, size, total);
            if (score > best) {
                best = score;
                winner = &candidate;
            }
        }
        if (winner == nullptr) return found;
        const auto count = static_cast<double>(winner->count);
        found.push_back({winner->text, winner->starts / count, (winner->finishes - winner->starts) / count,
                         winner->confidences / count});
    }
    return found;
}

}  // namespace rover
