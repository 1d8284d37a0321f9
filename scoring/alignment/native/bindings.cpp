#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "buffers.hpp"
#include "chain_arguments.hpp"
#include "checks.hpp"
#include "columns.hpp"
#include "compounds.hpp"
#include "linear.hpp"
#include "network.hpp"
#include "network_arguments.hpp"
#include "python.hpp"
#include "tokens.hpp"

namespace {

using namespace alignment;

constexpr std::int64_t quick_cells = 20'000;  // not worth handing the interpreter over

// Columns of results under construction.
class Answer {
public:
    Answer(std::int64_t pairs, bool edits)
        : counts_(4 * pairs), offsets_(edits ? pairs + 1 : 0), edited_(edits), pairs_(pairs) {}

    std::int64_t* offsets() { return edited_ ? offsets_.data() : nullptr; }
    std::int32_t* counts() { return counts_.data(); }

    py::bytes take_counts() { return counts_.take(); }

    py::tuple take(const std::vector<Piece>& pieces) {
        std::int64_t* offsets = offsets_.data();
        offsets[0] = 0;
        for (std::int64_t k = 0; k < pairs_; ++k) offsets[k + 1] += offsets[k];
        NumberBytes<std::uint8_t> edits(offsets[pairs_]);
        std::uint8_t* out = edits.data();
        for (const Piece& piece : pieces) {
            out = std::copy(piece.edits.begin(), piece.edits.end(), out);
        }
        return py::make_tuple(edits.take(), offsets_.take(), counts_.take());
    }

private:
    NumberBytes<std::int32_t> counts_;
    NumberBytes<std::int64_t> offsets_;
    bool edited_;
    std::int64_t pairs_;
};

// Hands the pairs over in pieces of consecutive pairs.
std::vector<Piece> align_columns(const Columns& columns, Batch& batch) {
    const Pairs& all = columns.pairs();
    std::int64_t first = 0;
    std::int64_t words = 0;
    for (std::int64_t k = 0; k < all.count; ++k) {
        words += all.reference(k).size + all.hypothesis(k).size;
        if (words < Piece::good_size && k + 1 < all.count) continue;
        Piece piece;
        piece.first = first;
        piece.words = words;
        piece.types = columns.types();
        piece.pairs = all.from(first, k + 1 - first);
        batch.give(std::move(piece));
        first = k + 1;
        words = 0;
    }
    return batch.finish();
}

py::tuple align_linear(py::handle reference_types, py::handle reference_begins,
                       py::handle reference_ends, py::handle hypothesis_types,
                       py::handle hypothesis_begins, py::handle hypothesis_ends,
                       std::int64_t substitution, std::int64_t deletion, std::int64_t insertion,
                       int ties, int threads) {
    const Buffer<Type> reference(reference_types, "reference_types");
    const Buffer<std::int64_t> from(reference_begins, "reference_begins");
    const Buffer<std::int64_t> to(reference_ends, "reference_ends");
    const Buffer<Type> hypothesis(hypothesis_types, "hypothesis_types");
    const Buffer<std::int64_t> hypothesis_from(hypothesis_begins, "hypothesis_begins");
    const Buffer<std::int64_t> hypothesis_to(hypothesis_ends, "hypothesis_ends");
    check_ranges(reference, from, to, "reference");
    check_ranges(hypothesis, hypothesis_from, hypothesis_to, "hypothesis");
    check_lengths(static_cast<std::size_t>(from.size()),
                  static_cast<std::size_t>(hypothesis_from.size()));
    const Pairs pairs{from.size(),
                      reference.data(), from.data(), to.data(),
                      hypothesis.data(), hypothesis_from.data(), hypothesis_to.data()};
    const Columns columns(pairs);  // outlives the threads of the batch
    Answer answer(pairs.count, true);
    Batch batch(checked_costs(substitution, deletion, insertion), checked_ties(ties),
                checked_threads(threads), answer.offsets(), answer.counts());
    std::vector<Piece> pieces;
    {
        const py::gil_scoped_release release;
        pieces = align_columns(columns, batch);
    }
    return answer.take(pieces);
}

struct Single {
    py::bytes edits;
    py::tuple counts;
};

Single align_one(py::handle reference, py::handle hypothesis, const Costs& costs, Ties ties) {
    std::vector<Type> references;
    std::vector<Type> hypotheses;
    {
        const Tokens left(reference, "reference", -1);
        const Tokens right(hypothesis, "hypothesis", -1);
        Numbering().append(left, right, references, hypotheses);
    }
    const Sequence left{references.data(), static_cast<std::int64_t>(references.size())};
    const Sequence right{hypotheses.data(), static_cast<std::int64_t>(hypotheses.size())};
    Aligner aligner(costs, ties);
    aligner.expect_types(references.size() + 1);
    std::int32_t counts[4];
    const auto run = [&] { return aligner.align(left, right, counts); };
    const auto run_released = [&] {
        const py::gil_scoped_release release;
        return run();
    };
    const Path path = left.size * right.size < quick_cells ? run() : run_released();
    return {py::bytes(reinterpret_cast<const char*>(path.first),
                      static_cast<std::size_t>(aligner.end() - path.first)),
            py::make_tuple(counts[0], counts[1], counts[2], counts[3])};
}

py::tuple align_tokens(py::handle reference, py::handle hypothesis, std::int64_t substitution,
                       std::int64_t deletion, std::int64_t insertion, int ties) {
    const Single single =
        align_one(reference, hypothesis, checked_costs(substitution, deletion, insertion),
                  checked_ties(ties));
    return py::make_tuple(single.edits, single.counts);
}

py::tuple count_tokens(py::handle reference, py::handle hypothesis, std::int64_t substitution,
                       std::int64_t deletion, std::int64_t insertion, int ties) {
    return align_one(reference, hypothesis, checked_costs(substitution, deletion, insertion),
                     checked_ties(ties))
        .counts;
}

// Numbers tokens, piece by piece, while others align the pieces before.
template <class Items>
std::vector<Piece> align_many(const Tokens& references, const Tokens& hypotheses, Batch& batch) {
    Numbering numbering;
    Piece piece;
    const std::size_t count = references.size();
    for (std::size_t k = 0; k < count; ++k) {
        const auto position = static_cast<std::int64_t>(k);
        const Items left(references.begin()[k], "references", position);
        const Items right(hypotheses.begin()[k], "hypotheses", position);
        numbering.append(left, right, piece.reference_types, piece.hypothesis_types);
        piece.reference_bounds.push_back(static_cast<std::int64_t>(piece.reference_types.size()));
        piece.hypothesis_bounds.push_back(static_cast<std::int64_t>(piece.hypothesis_types.size()));
        piece.types = std::max(piece.types, left.size() + 1);
        const std::int64_t words = piece.reference_bounds.back() + piece.hypothesis_bounds.back();
        if (words < Piece::good_size && k + 1 < count) continue;
        piece.own();
        const py::gil_scoped_release release;
        piece = batch.give(std::move(piece));
        piece.first = position + 1;
    }
    const py::gil_scoped_release release;
    return batch.finish();
}

template <class Items>
py::tuple align_pairs(py::handle references, py::handle hypotheses, std::int64_t substitution,
                      std::int64_t deletion, std::int64_t insertion, int ties, int threads) {
    const Tokens lefts(references, "references", -1);
    const Tokens rights(hypotheses, "hypotheses", -1);
    check_lengths(lefts.size(), rights.size());
    Answer answer(static_cast<std::int64_t>(lefts.size()), true);
    Batch batch(checked_costs(substitution, deletion, insertion), checked_ties(ties),
                checked_threads(threads), answer.offsets(), answer.counts());
    return answer.take(align_many<Items>(lefts, rights, batch));
}

py::bytes count_token_pairs(py::handle references, py::handle hypotheses,
                            std::int64_t substitution, std::int64_t deletion,
                            std::int64_t insertion, int ties, int threads) {
    const Tokens lefts(references, "references", -1);
    const Tokens rights(hypotheses, "hypotheses", -1);
    check_lengths(lefts.size(), rights.size());
    Answer answer(static_cast<std::int64_t>(lefts.size()), false);
    Batch batch(checked_costs(substitution, deletion, insertion), checked_ties(ties),
                checked_threads(threads), nullptr, answer.counts());
    align_many<Tokens>(lefts, rights, batch);
    return answer.take_counts();
}

Pricing checked_pricing(int mode) {
    if (mode < 0 || mode > 2) {
        throw py::value_error("mode: expected 0, 1 or 2, found " + std::to_string(mode));
    }
    return static_cast<Pricing>(mode);
}

py::tuple align_chains(const py::sequence& reference, const py::sequence& hypothesis, int mode) {
    const Pricing pricing = checked_pricing(mode);
    const ChainArguments left(reference, "reference", pricing);
    const ChainArguments right(hypothesis, "hypothesis", pricing);
    check_lengths(static_cast<std::size_t>(left.count()), static_cast<std::size_t>(right.count()));
    NumberBytes<std::int64_t> offsets(left.count() + 1);
    std::int64_t* out = offsets.data();
    std::vector<std::uint8_t> edits;
    {
        const py::gil_scoped_release release;
        ChainAligner aligner(pricing);
        *out++ = 0;
        for (std::int64_t k = 0; k < left.count(); ++k) {
            aligner.align(left.chain(k), right.chain(k), edits);
            *out++ = static_cast<std::int64_t>(edits.size());
        }
    }
    return py::make_tuple(py::bytes(reinterpret_cast<const char*>(edits.data()), edits.size()),
                          offsets.take());
}

py::tuple align_network(const py::sequence& reference, const py::sequence& hypothesis, int mode,
                        py::handle matches) {
    const Pricing pricing = checked_pricing(mode);
    const NetworkArguments left(reference, "reference");
    const NetworkArguments right(hypothesis, "hypothesis");
    const Network first = left.network(pricing);
    const Network second = right.network(pricing);
    const Buffer<std::uint8_t> table(matches, "matches");
    if (!matches.is_none() && table.size() != first.arcs * second.arcs) {
        throw py::value_error("matches: expected a byte for each pair of arcs");
    }
    NetworkPath path;
    {
        const py::gil_scoped_release release;
        path = align(first, second, pricing, matches.is_none() ? nullptr : table.data());
    }
    NumberBytes<std::int32_t> steps(2 * static_cast<std::int64_t>(path.steps.size()));
    std::int32_t* out = steps.data();
    for (const auto& [a, b] : path.steps) {
        *out++ = a;
        *out++ = b;
    }
    return py::make_tuple(steps.take(), static_cast<double>(path.cost));
}

Texts texts(py::handle words, const char* name) {
    const auto expected = [name](py::handle found) {
        return py::type_error(std::string(name) + ": expected a list of strings, found " +
                              Py_TYPE(found.ptr())->tp_name);
    };
    if (!PyList_Check(words.ptr())) throw expected(words);
    Texts all;
    all.reserve(static_cast<std::size_t>(PyList_GET_SIZE(words.ptr())));
    for (py::ssize_t at = 0; at < PyList_GET_SIZE(words.ptr()); ++at) {
        PyObject* word = PyList_GET_ITEM(words.ptr(), at);
        if (!PyUnicode_Check(word)) throw expected(word);
        py::ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(word, &size);
        if (data == nullptr) throw py::error_already_set();
        all.emplace_back(data, static_cast<std::size_t>(size));
    }
    return all;
}

py::bytes align_texts(py::handle reference, py::handle hypothesis, std::int64_t substitution,
                      std::int64_t deletion, std::int64_t insertion) {
    const Costs costs = checked_costs(substitution, deletion, insertion);
    const Texts left = texts(reference, "reference");
    const Texts right = texts(hypothesis, "hypothesis");
    const std::vector<Compound> found = compounds(left, right);
    if (found.empty()) return py::bytes();
    const std::vector<Group> groups = CompoundTable(left, right, found, costs).groups();
    return py::bytes(reinterpret_cast<const char*>(groups.data()), groups.size() * sizeof(Group));
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    using py::arg;
    module.doc() = "Compiled aligners; the same functions as scoring.alignment.plain.";
    module.def("align_linear", &align_linear, arg("reference_types"), arg("reference_begins"),
               arg("reference_ends"), arg("hypothesis_types"), arg("hypothesis_begins"),
               arg("hypothesis_ends"), arg("substitution"), arg("deletion"), arg("insertion"),
               arg("ties"), arg("threads"));
    module.def("align_chains", &align_chains, arg("reference"), arg("hypothesis"), arg("mode"));
    module.def("align_compounds", &align_texts, arg("reference"), arg("hypothesis"),
               arg("substitution"), arg("deletion"), arg("insertion"));
    module.def("align_network", &align_network, arg("reference"), arg("hypothesis"), arg("mode"),
               arg("matches") = py::none());
    module.def("align_tokens", &align_tokens, arg("reference"), arg("hypothesis"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"));
    module.def("count_tokens", &count_tokens, arg("reference"), arg("hypothesis"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"));
    module.def("align_token_pairs", &align_pairs<Tokens>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("align_text_pairs", &align_pairs<Words>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("count_token_pairs", &count_token_pairs, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
}
