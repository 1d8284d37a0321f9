#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/interruption.hpp"
#include "batch.hpp"
#include "branches.hpp"
#include "characters.hpp"
#include "checks.hpp"
#include "columns.hpp"
#include "compounds.hpp"
#include "direct.hpp"
#include "linear.hpp"
#include "network.hpp"
#include "network_arguments.hpp"
#include "reference_rows.hpp"
#include "short.hpp"
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
                       py::handle substitution, py::handle deletion, py::handle insertion,
                       py::handle ties, py::handle threads) {
    const SideArguments left(reference_types, reference_begins, reference_ends, "reference");
    const SideArguments right(hypothesis_types, hypothesis_begins, hypothesis_ends, "hypothesis");
    check_lengths(static_cast<std::size_t>(left.begins.size()),
                  static_cast<std::size_t>(right.begins.size()));
    const Pairs pairs{left.begins.size(),
                      left.types.data(), left.begins.data(), left.ends.data(),
                      right.types.data(), right.begins.data(), right.ends.data()};
    const Costs costs = checked_costs(substitution, deletion, insertion);
    const Ties order = checked_ties(ties);
    const int most = checked_threads(threads);
    for (std::int64_t k = 0; k < pairs.count; ++k) {
        costs.check(pairs.reference(k).size + pairs.hypothesis(k).size);
    }
    const Columns columns(pairs);  // outlives the threads of the batch
    Answer answer(pairs.count, true);
    Watch watch = watch_of_call();
    Batch batch(costs, order, most, answer.offsets(), answer.counts(), watch);
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
    Watch watch = watch_of_call();
    {
        const Tokens left(reference, "reference", -1);
        const Tokens right(hypothesis, "hypothesis", -1);
        Numbering(watch).append(left, right, references, hypotheses);
    }
    const Sequence left{references.data(), static_cast<std::int64_t>(references.size())};
    const Sequence right{hypotheses.data(), static_cast<std::int64_t>(hypotheses.size())};
    costs.check(left.size + right.size);
    Aligner aligner(costs, ties, watch);
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

// The three costs, in the order of `Costs`.
py::tuple three_costs(py::handle costs) {
    const auto three = py::reinterpret_steal<py::tuple>(PySequence_Tuple(costs.ptr()));
    if (!three) PyErr_Clear();
    if (!three || three.size() != 3) throw unexpected("costs", "three whole numbers", costs);
    return three;
}

// What can be read twice.
py::object kept(py::handle tokens) {
    PyObject* const object = tokens.ptr();
    const auto found = py::reinterpret_steal<py::object>(PyIter_Check(object) ? PySequence_Tuple(object)
                                                                              : Py_NewRef(object));
    if (!found) throw py::error_already_set();
    return found;
}

py::object align_tokens(py::handle reference, py::handle hypothesis, py::handle costs,
                        py::handle ties, py::handle kind) {
    const py::tuple three = three_costs(costs);
    const Costs prices = checked_costs(three[0], three[1], three[2]);
    const Ties order = checked_ties(ties);
    const py::object left = kept(reference);
    const py::object right = kept(hypothesis);
    const Single single = align_one(left, right, prices, order);
    if (kind.is_none()) return py::make_tuple(single.edits, single.counts);
    const auto& counts = single.counts;
    const py::object cost = counts[1] * three[0] + counts[2] * three[1] + counts[3] * three[2];
    return kind(single.edits, py::tuple(left), py::tuple(right), py::float_(cost));
}

py::object count_tokens(py::handle reference, py::handle hypothesis, py::handle costs,
                        py::handle ties, py::handle kind) {
    const py::tuple three = three_costs(costs);
    const Costs prices = checked_costs(three[0], three[1], three[2]);
    const py::tuple counts = align_one(reference, hypothesis, prices, checked_ties(ties)).counts;
    return kind.is_none() ? py::object(counts) : kind(*counts);
}

// Takes the arguments without a dispatcher, which would cost as much as a short pair; every other
// pair, and every error, is the business of `count_tokens`, which is `self`. A fifth argument is
// the subclass of tuple that is wanted: Python needs as long to make one of a tuple.
PyObject* count_tokens_quickly(PyObject* self, PyObject* const* arguments, py::ssize_t size,
                               PyObject* names) {
    NoPath path;
    std::int64_t counts[4];
    std::int64_t cost = 0;
    const bool has_kind = size == 5 && PyType_Check(arguments[4]) != 0 &&
                          PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(arguments[4]), &PyTuple_Type) != 0;
    if (names != nullptr || !(size == 4 || has_kind) || !align_short(arguments, counts, cost, path)) {
        return PyObject_Vectorcall(self, arguments, static_cast<std::size_t>(size), names);
    }
    auto* const kind = has_kind ? reinterpret_cast<PyTypeObject*>(arguments[4]) : &PyTuple_Type;
    return filled(kind == &PyTuple_Type ? PyTuple_New(4) : kind->tp_alloc(kind, 4), counts, 4);
}

// Does the same for `align_tokens`, which is `self`; its fifth argument is the class of the result.
PyObject* align_tokens_quickly(PyObject* self, PyObject* const* arguments, py::ssize_t size,
                               PyObject* names) {
    SlottedKind& kind = SlottedKind::instance();
    ShortPath path;
    std::int64_t counts[4];
    std::int64_t cost = 0;
    if (names != nullptr || size < 4 || size > 5 || (size == 5 && !kind.knows(arguments[4])) ||
        !align_short(arguments, counts, cost, path)) {
        return PyObject_Vectorcall(self, arguments, static_cast<std::size_t>(size), names);
    }
    if (size == 5) {
        PyObject* const made = kind.make(arguments[0], arguments[1], path, cost);
        return made != nullptr || PyErr_Occurred() != nullptr ? made
                                                              : PyObject_Vectorcall(self, arguments, 5, names);
    }
    PyObject* const edits = PyBytes_FromStringAndSize(
        reinterpret_cast<const char*>(path.begin()), static_cast<py::ssize_t>(path.size()));
    PyObject* const numbers = filled(PyTuple_New(4), counts, 4);
    PyObject* const answer =
        edits == nullptr || numbers == nullptr ? nullptr : PyTuple_Pack(2, edits, numbers);
    Py_XDECREF(edits);
    Py_XDECREF(numbers);
    return answer;
}

using QuickFunction = PyObject* (*)(PyObject*, PyObject* const*, py::ssize_t, PyObject*);

PyMethodDef quick_method(const char* name, QuickFunction function, const char* text) {
    // as Python's own headers cast functions with keywords
    const auto method = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
    return {name, method, METH_FASTCALL | METH_KEYWORDS, text};
}

// Numbers tokens, piece by piece, while others align the pieces before.
template <class Items>
std::vector<Piece> align_many(const Tokens& references, const Tokens& hypotheses,
                              const Costs& costs, Batch& batch, Watch& watch) {
    std::conditional_t<std::is_same_v<Items, Characters>, CharacterNumbering, Numbering> numbering(watch);
    Piece piece;
    const std::size_t count = references.size();
    for (std::size_t k = 0; k < count; ++k) {
        const auto position = static_cast<std::int64_t>(k);
        const Items left(references.begin()[k], "references", position);
        const Items right(hypotheses.begin()[k], "hypotheses", position);
        const auto size = static_cast<std::int64_t>(left.size() + right.size());
        watch.spend(16 * size);
        numbering.append(left, right, piece.reference_types, piece.hypothesis_types);
        costs.check(size);
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

// `counted`: the counts alone are wanted.
template <class Items, bool counted>
py::object align_pairs(py::handle references, py::handle hypotheses, py::handle substitution,
                       py::handle deletion, py::handle insertion, py::handle ties,
                       py::handle threads) {
    const Tokens lefts(references, "references", -1, true);
    const Tokens rights(hypotheses, "hypotheses", -1, true);
    check_lengths(lefts.size(), rights.size());
    const Costs costs = checked_costs(substitution, deletion, insertion);
    const Ties order = checked_ties(ties);
    const int most = checked_threads(threads);
    Answer answer(static_cast<std::int64_t>(lefts.size()), !counted);
    Watch watch = watch_of_call();
    Batch batch(costs, order, most, answer.offsets(), answer.counts(), watch);
    const std::vector<Piece> pieces = align_many<Items>(lefts, rights, costs, batch, watch);
    if constexpr (counted) return answer.take_counts();
    return answer.take(pieces);
}

py::tuple character_distances(py::handle references, py::handle hypotheses) {
    const Tokens lefts(references, "references", -1, true);
    const Tokens rights(hypotheses, "hypotheses", -1, true);
    check_lengths(lefts.size(), rights.size());
    if (!lefts.text() || !rights.text()) {
        for (std::size_t k = 0; k < lefts.size(); ++k) {
            const auto position = static_cast<std::int64_t>(k);
            const Characters left(lefts[k], "references", position);
            const Characters right(rights[k], "hypotheses", position);
        }
    }
    NumberBytes<std::int32_t> numbers(static_cast<std::int64_t>(lefts.size()));
    std::int32_t* const into = numbers.data();
    std::int64_t sums[3] = {0, 0, 0};
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        CharacterDistances distances(watch);
        for (std::size_t k = 0; k < lefts.size(); ++k) {
            if (k + ahead < lefts.size()) prefetch(lefts[k + ahead]), prefetch(rights[k + ahead]);
            const auto position = static_cast<std::int64_t>(k);
            const Characters left(lefts[k], "references", position);
            const Characters right(rights[k], "hypotheses", position);
            distances.add(left, right, into + k);
            sums[1] += static_cast<std::int64_t>(left.size());
            sums[2] += static_cast<std::int64_t>(right.size());
        }
        distances.finish();
        sums[0] = std::accumulate(into, into + lefts.size(), std::int64_t{0});
    }
    return py::make_tuple(numbers.take(), sums[0], sums[1], sums[2]);
}

py::tuple align_network(py::handle reference, py::handle hypothesis, py::handle mode,
                        const py::object& matches, std::int64_t most_bytes, double substitution, double free) {
    const auto pricing = static_cast<Pricing>(whole(mode, "mode", 0, 3));
    const NetworkArguments left(reference, "reference", pricing);
    const NetworkArguments right(hypothesis, "hypothesis", pricing);
    for (const auto& [name, cost] : {std::pair{"substitution", substitution}, std::pair{"free", free}}) {
        require(cost >= 0 && cost <= 1e18, std::string(name) + ": expected a cost");
    }
    const Network first = left.network();
    const Network second = right.network();
    std::optional<Buffer<std::uint8_t>> table;
    if (!matches.is_none()) {
        table.emplace(matches, "matches");
        require(table->size() == first.arcs * second.arcs,
                "matches: expected a byte for each pair of arcs");
    }
    NetworkPath path;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        path = align(first, second, pricing, table ? table->data() : nullptr, watch, most_bytes, substitution,
                     free);
    }
    NumberBytes<std::int32_t> steps(2 * static_cast<std::int64_t>(path.steps.size()));
    std::int32_t* out = steps.data();
    for (const auto& [a, b] : path.steps) {
        *out++ = a;
        *out++ = b;
    }
    return py::make_tuple(steps.take(), path.cost);
}

py::tuple best_paths_of(py::handle references, py::handle hypotheses, py::handle number, py::handle substitution,
                        py::handle deletion, py::handle insertion, bool prefers_length, py::handle compounds) {
    const std::int64_t count = whole(number, "number", 1, most_references);
    const Costs costs = checked_costs(substitution, deletion, insertion);
    const auto kind = static_cast<Compounds>(whole(compounds, "compounds", 0, 2));
    Watch watch = watch_of_call();
    const TypedRows rows(references, hypotheses, count, kind != Compounds::none, watch);
    for (std::int64_t utterance = 0; utterance < rows.utterances(); ++utterance) {
        costs.check(rows.size(utterance, count));
    }
    const PathRules rules{static_cast<double>(costs.substitution), static_cast<double>(costs.deletion),
                          static_cast<double>(costs.insertion), prefers_length, kind};
    Paths paths;
    {
        const py::gil_scoped_release release;
        paths = best_paths(rows.references(), rows.hypotheses(), rows.utterances(), count, rules, 1, watch);
    }
    return py::make_tuple(packed(paths.whole), packed(paths.places), packed(paths.sources),
                          packed(paths.offsets), packed(paths.cuts), packed(paths.shortest),
                          packed(paths.heard), packed(paths.heard_offsets), packed(paths.costs));
}

py::tuple best_texts_of(py::handle references, py::handle hypotheses, py::handle compared_references,
                        py::handle compared_hypotheses, py::handle substitution, py::handle deletion,
                        py::handle insertion, py::handle compounds, bool by_sclite, py::handle threads) {
    const Costs costs = checked_costs(substitution, deletion, insertion);
    const auto kind = static_cast<Compounds>(whole(compounds, "compounds", 0, 2));
    Watch watch = watch_of_call();
    const std::int64_t most = checked_threads(threads);
    const std::int64_t processors = std::max(1U, std::thread::hardware_concurrency());
    const TypedRows rows(compared_references, compared_hypotheses, 1, kind != Compounds::none, watch, true);
    for (std::int64_t utterance = 0; utterance < rows.utterances(); ++utterance) {
        costs.check(rows.size(utterance, 1));
    }
    const PathRules rules{static_cast<double>(costs.substitution), static_cast<double>(costs.deletion),
                          static_cast<double>(costs.insertion), false, kind, by_sclite};
    Paths paths;
    {
        const py::gil_scoped_release release;
        paths = best_paths(rows.references(), rows.hypotheses(), rows.utterances(), 1, rules, most > 0 ? most : processors, watch);
    }
    const PathTexts left(references, "references", paths.places, paths.offsets);
    const PathTexts right(hypotheses, "hypotheses", paths.heard, paths.heard_offsets);
    return py::make_tuple(left.texts(), left.ends(), right.texts(), right.ends(),
                          packed(paths.edits), packed(paths.edit_offsets), packed(paths.counts),
                          packed(paths.places), packed(paths.offsets), packed(paths.heard),
                          packed(paths.heard_offsets));
}

py::tuple taken_branches(py::handle rows, py::handle places, py::handle offsets) {
    const Tokens all(rows, "rows", -1, true);
    const Buffer<std::int32_t> taken(places, "places");
    const Buffer<std::int64_t> bounds(offsets, "offsets");
    require(static_cast<std::size_t>(bounds.size()) == all.size() + 1, "offsets: expected one for each row, and the end");
    BranchReader reader;
    RowItems items;
    for (std::size_t row = 0; row < all.size(); ++row) {
        const std::int64_t begin = bounds.data()[row];
        const std::int64_t end = bounds.data()[row + 1];
        require(0 <= begin && begin <= end && end <= taken.size(), "offsets: expected numbers that rise");
        items.clear();
        items.append(all[row], "rows", static_cast<std::int64_t>(row), null_type, true);
        reader.read(items, taken.data() + begin, taken.data() + end);
    }
    return py::make_tuple(reader.branches(), reader.offsets());
}

// The alignments of pairs, as `align_linear` has them.
struct Aligned {
    Aligned(py::handle edited, py::handle places, py::handle numbers)
        : edits(edited, "edits"), offsets(places, "offsets"), counts(numbers, "counts") {
        require(counts.size() == 4 * (offsets.size() - 1), "counts: expected four for each pair");
        for (std::int64_t pair = 0; pair < size(); ++pair) {
            require(offsets.data()[pair] <= offsets.data()[pair + 1], "offsets: expected numbers that rise");
        }
        require(offsets.data()[0] == 0 && offsets.data()[size()] == edits.size(),
                "offsets: expected 0 to the number of edits");
    }

    std::int64_t size() const { return offsets.size() - 1; }
    std::int64_t edits_of(std::int64_t pair) const { return offsets.data()[pair + 1] - offsets.data()[pair]; }

    Buffer<std::uint8_t> edits;
    Buffer<std::int64_t> offsets;
    Buffer<std::int32_t> counts;
};

py::tuple replace_rows(py::handle edits, py::handle offsets, py::handle counts, py::handle rows,
                       py::handle other_edits, py::handle other_offsets, py::handle other_counts) {
    const Aligned all(edits, offsets, counts);
    const Aligned others(other_edits, other_offsets, other_counts);
    const Buffer<std::int64_t> wanted(rows, "rows");
    require(wanted.size() == others.size(), "rows: expected one for each other pair");
    std::int64_t total = all.edits.size();
    for (std::int64_t other = 0; other < others.size(); ++other) {
        const std::int64_t row = wanted.data()[other];
        require(row < all.size() && row > (other == 0 ? -1 : wanted.data()[other - 1]),
                "rows: expected numbers of pairs that rise");
        total += others.edits_of(other) - all.edits_of(row);
    }
    NumberBytes<std::uint8_t> new_edits(total);
    NumberBytes<std::int64_t> new_offsets(all.size() + 1);
    NumberBytes<std::int32_t> new_counts(4 * all.size());
    std::uint8_t* edit = new_edits.data();
    std::int64_t* offset = new_offsets.data();
    *offset++ = 0;
    std::int64_t other = 0;
    for (std::int64_t pair = 0; pair < all.size(); ++pair) {
        const bool is_other = other < others.size() && wanted.data()[other] == pair;
        const Aligned& from = is_other ? others : all;
        const std::int64_t row = is_other ? other++ : pair;
        const std::uint8_t* const first = from.edits.data() + from.offsets.data()[row];
        edit = std::copy(first, first + from.edits_of(row), edit);
        *offset++ = edit - new_edits.data();
        std::copy(from.counts.data() + 4 * row, from.counts.data() + 4 * (row + 1), new_counts.data() + 4 * pair);
    }
    return py::make_tuple(new_edits.take(), new_offsets.take(), new_counts.take());
}

py::tuple sum_counts(py::handle counts) {
    const Buffer<std::int32_t> numbers(counts, "counts");
    require(numbers.size() % 4 == 0,
            "counts: expected four for each pair, found " + std::to_string(numbers.size()));
    std::int64_t sums[4] = {0, 0, 0, 0};
    std::int64_t with[4] = {0, 0, 0, 0};
    std::int64_t wrong = 0;
    std::int64_t rated = 0;
    double rates = 0.0;
    for (std::int64_t at = 0; at < numbers.size(); at += 4) {
        const std::int32_t* const own = numbers.data() + at;
        for (int kind = 0; kind < 4; ++kind) {
            sums[kind] += own[kind];
            with[kind] += own[kind] != 0;
        }
        wrong += own[1] != 0 || own[2] != 0 || own[3] != 0;
        const std::int64_t lost = static_cast<std::int64_t>(own[1]) + own[2];
        const std::int64_t words = own[0] + lost;
        if (words == 0) continue;
        ++rated;
        rates += static_cast<double>(lost + own[3]) / static_cast<double>(words);
    }
    return py::make_tuple(sums[0], sums[1], sums[2], sums[3], wrong, rated, rates, with[1], with[2], with[3]);
}

// The numbers of the pairs that have at least `fewest` insertions, or insertions only.
py::bytes rows_of_insertions(py::handle counts, py::handle fewest) {
    const Buffer<std::int32_t> numbers(counts, "counts");
    require(numbers.size() % 4 == 0,
            "counts: expected four for each pair, found " + std::to_string(numbers.size()));
    const std::int64_t least = whole(fewest, "fewest", 1, std::numeric_limits<std::int32_t>::max());
    std::vector<std::int64_t> rows;
    for (std::int64_t at = 0; at < numbers.size(); at += 4) {
        const std::int32_t* const own = numbers.data() + at;
        const bool are_all = own[3] > 0 && (own[0] | own[1] | own[2]) == 0;
        if (are_all || own[3] >= least) rows.push_back(at / 4);
    }
    return packed(rows);
}

// The texts of a list of strings, which `held` keeps.
Texts texts(py::handle words, const char* name, py::object& held) {
    if (!PyList_Check(words.ptr())) throw unexpected(name, "a list of strings", words);
    held = py::reinterpret_steal<py::object>(PyList_AsTuple(words.ptr()));
    if (!held) throw py::error_already_set();
    Texts all;
    for (const py::handle word : held) {
        if (!PyUnicode_Check(word.ptr())) throw unexpected(name, "a list of strings", word);
        py::ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(word.ptr(), &size);
        if (data == nullptr) throw py::error_already_set();
        all.emplace_back(data, static_cast<std::size_t>(size));
    }
    return all;
}

py::bytes align_texts(py::handle reference, py::handle hypothesis, py::handle substitution,
                      py::handle deletion, py::handle insertion, bool several, std::size_t most_bytes) {
    const Costs costs = checked_costs(substitution, deletion, insertion);
    py::object references;
    py::object hypotheses;
    const Texts left = texts(reference, "reference", references);
    const Texts right = texts(hypothesis, "hypothesis", hypotheses);
    costs.check(static_cast<std::int64_t>(left.size() + right.size()));
    std::vector<Group> groups;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        const Vocabulary vocabulary(left, right);
        const std::vector<Compound> found = compounds(left, right, vocabulary, several, watch);
        if (!found.empty()) {
            groups = CompoundTable(left, right, vocabulary, found, costs, most_bytes, watch).groups();
        }
    }
    return packed(groups);
}

}  // namespace

void define_alignment(py::module_ module) {
    using py::arg;
    module.def("align_linear", &align_linear, arg("reference_types"), arg("reference_begins"),
               arg("reference_ends"), arg("hypothesis_types"), arg("hypothesis_begins"),
               arg("hypothesis_ends"), arg("substitution"), arg("deletion"), arg("insertion"),
               arg("ties"), arg("threads"));
    module.def("align_compounds", &align_texts, arg("reference"), arg("hypothesis"),
               arg("substitution"), arg("deletion"), arg("insertion"), py::kw_only(),
               arg("several") = false, arg("most_bytes") = std::size_t{64} << 20);
    module.def("align_network", &align_network, arg("reference"), arg("hypothesis"), arg("mode"),
               arg("matches") = py::none(), arg("most_bytes") = std::int64_t{64} << 20,
               arg("substitution") = 1.0, arg("free") = 1.0);
    module.def("align_tokens", &align_tokens, arg("reference"), arg("hypothesis"), arg("costs"),
               arg("ties"), arg("kind") = py::none());
    module.def("count_tokens", &count_tokens, arg("reference"), arg("hypothesis"), arg("costs"),
               arg("ties"), arg("kind") = py::none());
    static PyMethodDef quick_align = quick_method("align_tokens", &align_tokens_quickly, "Align one pair.");
    static PyMethodDef quick_count =
        quick_method("count_tokens", &count_tokens_quickly, "Count the edits of one pair.");
    for (PyMethodDef* const quick : {&quick_align, &quick_count}) {
        const py::object slow = module.attr(quick->ml_name);
        module.attr(quick->ml_name) = py::reinterpret_steal<py::object>(
            PyCFunction_NewEx(quick, slow.ptr(), module.attr("__name__").ptr()));
    }
    module.def("direct_function", &DirectFunction::make, arg("function"), arg("core"), arg("costs"),
               arg("ties"), arg("kind"));
    module.def("best_paths", &best_paths_of, arg("references"), arg("hypotheses"), arg("number"),
               arg("substitution") = 1, arg("deletion") = 1, arg("insertion") = 1,
               arg("prefers_length") = true, arg("compounds") = 0);
    module.def("best_texts", &best_texts_of, arg("references"), arg("hypotheses"),
               arg("compared_references"), arg("compared_hypotheses"), arg("substitution"), arg("deletion"),
               arg("insertion"), arg("compounds"), arg("by_sclite"), arg("threads"));
    module.def("taken_branches", &taken_branches, arg("rows"), arg("places"), arg("offsets"));
    module.def("replace_rows", &replace_rows, arg("edits"), arg("offsets"), arg("counts"), arg("rows"),
               arg("other_edits"), arg("other_offsets"), arg("other_counts"));
    module.def("sum_counts", &sum_counts, arg("counts"));
    module.def("rows_of_insertions", &rows_of_insertions, arg("counts"), arg("fewest"));
    module.def("align_token_pairs", &align_pairs<Tokens, false>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("align_text_pairs", &align_pairs<Words, false>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("align_character_pairs", &align_pairs<Characters, false>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("text_kind", [](py::handle texts) {
        return static_cast<int>(text_kind(Tokens(texts, "texts", -1)));
    }, arg("texts"));
    module.def("character_distances", &character_distances, arg("references"), arg("hypotheses"));
    module.def("count_token_pairs", &align_pairs<Tokens, true>, arg("references"), arg("hypotheses"),
               arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
}
