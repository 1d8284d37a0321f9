// Python's view of sets.hpp and lines.hpp.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "lines.hpp"
#include "sets.hpp"

namespace rover {
namespace {

constexpr double least_cost = -1e18;

void check_word(const Words& words, const TextCosts& costs, std::int64_t word, const std::int32_t* texts,
                std::int64_t known) {
    const std::int32_t text = texts[word];
    require(0 <= text && text < known, "texts: expected numbers of texts");
    require(costs.singles[text] >= least_cost && costs.weights[text] >= least_cost,
            "costs: expected at least -1e18");
    if (!costs.by_time) return;
    require(std::isfinite(words.starts[word]) && std::isfinite(words.finishes[word]) &&
                words.finishes[word] - words.starts[word] >= least_cost,
            "times: expected finite numbers");
}

py::tuple align_files(py::handle begins, py::handle ends, py::handle compared, py::handle voted, py::handle starts,
                      py::handle finishes, py::handle singles, py::handle weights, py::handle null_text,
                      bool by_time, py::handle most_arcs) {
    const Buffer<std::int64_t> firsts(begins, "begins");
    const Buffer<std::int64_t> lasts(ends, "ends");
    const Buffer<std::int32_t> added(compared, "compared");
    const Buffer<std::int32_t> facing(voted, "voted");
    const Buffer<double> begin_times(starts, "starts");
    const Buffer<double> end_times(finishes, "finishes");
    const Buffer<double> alone(singles, "singles");
    const Buffer<double> weight(weights, "weights");
    const std::int64_t size = added.size();
    require(size > 0 && size < std::numeric_limits<std::int32_t>::max() && facing.size() == size &&
                begin_times.size() == size && end_times.size() == size,
            "words: expected columns of equal length, with the null word");
    require(alone.size() == weight.size(), "singles and weights differ in length");
    require(firsts.size() > 0 && firsts.size() == lasts.size(), "begins: expected as many as ends");
    const Words words{added.data(), facing.data(), begin_times.data(), end_times.data(), nullptr};
    const auto null = static_cast<std::int32_t>(whole(null_text, "null_text", 0, alone.size() - 1));
    const TextCosts costs{alone.data(), weight.data(), null, by_time};
    check_word(words, costs, no_word, words.voted, alone.size());
    std::vector<Range> files;
    for (std::int64_t file = 0; file < firsts.size(); ++file) {
        files.push_back({firsts.data()[file], lasts.data()[file]});
        const Range& range = files.back();
        require(0 <= range.begin && range.begin <= range.end && range.end <= size, "begins: expected ranges of words");
        for (std::int64_t word = range.begin; word < range.end; ++word) {
            check_word(words, costs, word, words.voted, alone.size());
            check_word(words, costs, word, words.compared, alone.size());
        }
    }
    const std::int64_t most = whole(most_arcs, "most_arcs", 1, std::numeric_limits<std::int32_t>::max() - 1);
    Sets sets;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        sets = aligned(words, costs, files, most, watch);
    }
    return py::make_tuple(packed(sets.members), packed(sets.offsets), sets.uncombined);
}

py::tuple vote_on_sets(py::handle members, py::handle offsets, py::handle voted, py::handle starts,
                       py::handle finishes, py::handle confidences, py::handle rule, double alpha,
                       const py::list& texts, py::handle null_text, py::handle lead) {
    const Buffer<std::int32_t> all(members, "members");
    const Buffer<std::int64_t> bounds(offsets, "offsets");
    const Buffer<std::int32_t> numbers(voted, "voted");
    const Buffer<double> begin_times(starts, "starts");
    const Buffer<double> end_times(finishes, "finishes");
    const Buffer<double> sureness(confidences, "confidences");
    const std::int64_t size = numbers.size();
    require(begin_times.size() == size && end_times.size() == size && sureness.size() == size,
            "words: expected columns of equal length");
    require(bounds.size() > 0 && bounds.data()[0] == 0 && bounds.data()[bounds.size() - 1] == all.size(),
            "offsets: expected 0 to the number of members");
    for (std::int64_t set = 1; set < bounds.size(); ++set) {
        require(bounds.data()[set - 1] < bounds.data()[set], "offsets: expected numbers that rise");
    }
    const auto known = static_cast<std::int64_t>(texts.size());
    for (std::int64_t at = 0; at < all.size(); ++at) {
        const std::int32_t word = all.data()[at];
        require(0 <= word && word < size, "members: expected numbers of words");
        require(0 <= numbers.data()[word] && numbers.data()[word] < known, "voted: expected numbers of texts");
    }
    const auto null = static_cast<std::int32_t>(whole(null_text, "null_text", 0, known - 1));
    const std::string_view begin = bytes_of(lead, "lead");
    const Words words{nullptr, numbers.data(), begin_times.data(), end_times.data(), sureness.data()};
    const auto chosen = static_cast<Rule>(whole(rule, "rule", 0, 2));
    const std::vector<Winner> found = winners(words, all.data(), bounds.data(), bounds.size() - 1, chosen, alpha);
    std::string lines;
    for (const Winner& winner : found) {
        if (winner.text == null) continue;
        lines += begin;
        append_fixed(lines, winner.start, 3);
        lines += ' ';
        append_fixed(lines, winner.duration, 3);
        lines += ' ';
        lines += byte_text(texts, winner.text);
        lines += ' ';
        append_fixed(lines, winner.confidence, 6);
        lines += '\n';
    }
    auto text = py::reinterpret_steal<py::str>(
        PyUnicode_DecodeLatin1(lines.data(), static_cast<py::ssize_t>(lines.size()), nullptr));
    if (!text) throw py::error_already_set();
    return py::make_tuple(text, found.size());
}

}  // namespace
}  // namespace rover

void define_rover(py::module_ module) {
    module.def("align_files", &rover::align_files, py::arg("begins"), py::arg("ends"), py::arg("compared"),
               py::arg("voted"), py::arg("starts"), py::arg("finishes"), py::arg("singles"), py::arg("weights"),
               py::arg("null_text"), py::arg("by_time"), py::arg("most_arcs"));
    module.def("vote_on_sets", &rover::vote_on_sets, py::arg("members"), py::arg("offsets"), py::arg("voted"),
               py::arg("starts"), py::arg("finishes"), py::arg("confidences"), py::arg("rule"), py::arg("alpha"),
               py::arg("texts"), py::arg("null_text"), py::arg("lead"));
}
