// Python's view of blocks.hpp, paths.hpp, path_reader.hpp and deviates.hpp.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "blocks.hpp"
#include "deviates.hpp"
#include "path_reader.hpp"
#include "paths.hpp"

namespace {

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

// Turns Python columns into views and keeps all they look at.
class Keeper {
public:
    Keeper() = default;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // A buffer of int32 or int64 as it lies; anything else is copied number by number.
    report::Integers integers(py::handle column, const std::string& name) {
        report::Integers numbers;
        const View& view = keep(column);
        if (ready<std::int32_t>(view)) {
            numbers.narrow = static_cast<const std::int32_t*>(view.data());
            numbers.size = view.bytes() / sizeof(std::int32_t);
        } else if (ready<std::int64_t>(view)) {
            numbers.wide = static_cast<const std::int64_t*>(view.data());
            numbers.size = view.bytes() / sizeof(std::int64_t);
        } else {
            auto copied = std::make_unique<std::vector<std::int64_t>>();
            for_each(column, name, "whole numbers", [&](py::handle number) {
                copied->push_back(whole(number, name, -greatest - 1, greatest));
            });
            numbers.wide = copied->data();
            numbers.size = copied->size();
            integer_copies_.push_back(std::move(copied));
        }
        return numbers;
    }

    // None is an empty column.
    report::Doubles doubles(py::handle column, const std::string& name) {
        report::Doubles numbers;
        if (column.is_none()) return numbers;
        const View& view = keep(column);
        if (ready<double>(view)) {
            numbers.data = static_cast<const double*>(view.data());
            numbers.size = view.bytes() / sizeof(double);
            return numbers;
        }
        auto copied = std::make_unique<std::vector<double>>();
        for_each(column, name, "numbers", [&](py::handle number) {
            const double value = PyFloat_AsDouble(number.ptr());
            if (value == -1.0 && PyErr_Occurred() != nullptr) {
                if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
                PyErr_Clear();
                throw unexpected(name, "numbers", number);
            }
            copied->push_back(value);
        });
        numbers.data = copied->data();
        numbers.size = copied->size();
        double_copies_.push_back(std::move(copied));
        return numbers;
    }

    // Strings of one byte per character; None is a text without data. None for all: no texts.
    report::Texts texts(py::handle column, const std::string& name) {
        report::Texts views;
        if (column.is_none()) return views;
        for_each(column, name, "texts", [&](py::handle item) {
            views.push_back(text(item, name));
            objects_.append(item);
        });
        return views;
    }

    std::string_view bytes(py::handle column, const std::string& name) {
        const View& view = keep(column);
        if (!view.held() || !view.holds<std::uint8_t>() || view.dimensions() != 1) {
            throw unexpected(name, "a contiguous buffer of bytes", column);
        }
        return {static_cast<const char*>(view.data()), view.bytes()};
    }

private:
    const View& keep(py::handle column) {
        views_.push_back(std::make_unique<View>(column));
        return *views_.back();
    }

    template <class Number>
    static bool ready(const View& view) {
        return view.held() && view.dimensions() == 1 && view.holds<Number>() &&
               reinterpret_cast<std::uintptr_t>(view.data()) % sizeof(Number) == 0;
    }

    template <class Each>
    static void for_each(py::handle column, const std::string& name, const char* expected,
                         Each each) {
        const auto items = py::reinterpret_steal<py::object>(PyObject_GetIter(column.ptr()));
        if (!items) {
            if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
            PyErr_Clear();
            throw unexpected(name, expected, column);
        }
        while (const auto item = py::reinterpret_steal<py::object>(PyIter_Next(items.ptr()))) {
            each(item);
        }
        if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    }

    static std::string_view text(py::handle object, const std::string& name) {
        if (object.is_none()) return {};
        if (!PyUnicode_Check(object.ptr())) throw unexpected(name, "texts", object);
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(object.ptr()) != 0) throw py::error_already_set();
#endif
        require(PyUnicode_KIND(object.ptr()) == PyUnicode_1BYTE_KIND,
                name + ": expected byte text, found a character beyond U+00FF");
        return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(object.ptr())),
                static_cast<std::size_t>(PyUnicode_GET_LENGTH(object.ptr()))};
    }

    py::list objects_;
    std::vector<std::unique_ptr<View>> views_;
    std::vector<std::unique_ptr<std::vector<std::int64_t>>> integer_copies_;
    std::vector<std::unique_ptr<std::vector<double>>> double_copies_;
};

report::Words words(Keeper& keeper, const py::object& fields, const std::string& name) {
    if (!py::isinstance<py::tuple>(fields)) throw unexpected(name, "a tuple of columns", fields);
    const auto side = fields.cast<py::tuple>();
    require(side.size() == 7, name + ": expected seven columns");
    report::Words columns;
    columns.types = keeper.integers(side[0], name);
    columns.begins = keeper.integers(side[1], name);
    columns.ends = keeper.integers(side[2], name);
    columns.starts = keeper.doubles(side[3], name);
    columns.finishes = keeper.doubles(side[4], name);
    columns.confidences = keeper.doubles(side[5], name);
    columns.weights = keeper.doubles(side[6], name);
    return columns;
}

report::Utterances utterances(Keeper& keeper, const py::object& columns, const py::object& counts) {
    const auto texts = [&](const char* name) { return keeper.texts(columns.attr(name), name); };
    const auto doubles = [&](const char* name) { return keeper.doubles(columns.attr(name), name); };
    report::Utterances all;
    all.identifiers = texts("identifiers");
    all.labels = texts("labels");
    all.files = texts("files");
    all.channels = texts("channels");
    all.attributes = keeper.integers(columns.attr("attributes"), "attributes");
    all.counts = keeper.integers(counts, "counts");
    all.span_begins = doubles("span_begins");
    all.span_ends = doubles("span_ends");
    all.hypothesis_span_begins = doubles("hypothesis_span_begins");
    all.hypothesis_span_ends = doubles("hypothesis_span_ends");
    return all;
}

std::size_t position(std::int64_t utterance) {
    if (utterance < 0) throw py::index_error("expected the position of an utterance from 0");
    return static_cast<std::size_t>(utterance);
}

bool truth(py::handle value) {
    const int answer = PyObject_IsTrue(value.ptr());
    if (answer < 0) throw py::error_already_set();
    return answer != 0;
}

// Draws each of the chosen utterances, after the head if there are any. A renderer reuses its storage, so no two
// threads may use one at a time.
template <class Draw>
py::bytes drawn(const py::object& chosen, Draw draw, py::handle heads = py::none()) {
    Keeper keeper;
    const report::Integers positions = keeper.integers(chosen, "utterances");
    const report::Texts before_each = keeper.texts(heads, "heads");
    require(before_each.empty() || before_each.size() == positions.size,
            "heads: expected one for each utterance");
    Watch watch = watch_of_call();
    report::Output out;
    for (std::size_t number = 0; number < positions.size; ++number) {
        const std::size_t before = out.text().size();
        if (!before_each.empty()) out.append(before_each[number]);
        draw(position(positions[number]), out);
        watch.spend(static_cast<std::int64_t>(out.text().size() - before));
    }
    return py::bytes(out.text().data(), out.text().size());
}

class BlockRenderer {
public:
    BlockRenderer(const py::object& texts, const py::object& upper, const py::object& weights,
                  const py::object& columns, const py::object& reference,
                  const py::object& hypothesis, const py::object& edits, const py::object& offsets,
                  const py::object& counts)
        : blocks_(keeper_.texts(texts, "texts"), keeper_.texts(upper, "upper"),
                  keeper_.doubles(weights, "weights"), utterances(keeper_, columns, counts),
                  words(keeper_, reference, "reference"), words(keeper_, hypothesis, "hypothesis"),
                  {keeper_.bytes(edits, "edits"), keeper_.integers(offsets, "offsets")}) {}

    static py::bytes render(const py::object& self, const py::object& chosen, py::handle line_width,
                            py::handle full, py::handle heads) {
        const bool all = truth(full);
        const std::int64_t width = whole(line_width, "line_width", -greatest - 1, greatest);
        const py::scoped_critical_section alone(self);
        auto& blocks = self.cast<BlockRenderer&>().blocks_;
        const auto draw = [&](std::size_t utterance, report::Output& out) {
            blocks.draw(utterance, width, all, out);
            out.append("\n");
        };
        return drawn(chosen, draw, heads);
    }

    static py::bytes block(const py::object& self, py::handle utterance, py::handle line_width,
                           py::handle full) {
        const bool all = truth(full);
        const std::int64_t width = whole(line_width, "line_width", -greatest - 1, greatest);
        const std::int64_t chosen = whole(utterance, "utterance", -greatest - 1, greatest);
        const py::scoped_critical_section alone(self);
        report::Output out;
        self.cast<BlockRenderer&>().blocks_.draw(position(chosen), width, all, out);
        return py::bytes(out.text().data(), out.text().size());
    }

private:
    Keeper keeper_;
    report::Blocks blocks_;
};

class PathWriter {
public:
    PathWriter(const py::object& quoted, const py::object& weights, const py::object& columns,
               const py::object& reference, const py::object& hypothesis, const py::object& edits,
               const py::object& offsets, const py::object& counts, char slots, char fields)
        : paths_(keeper_.texts(quoted, "quoted"), keeper_.doubles(weights, "weights"),
                 utterances(keeper_, columns, counts),
                 keeper_.integers(columns.attr("sequences"), "sequences"),
                 words(keeper_, reference, "reference"), words(keeper_, hypothesis, "hypothesis"),
                 {keeper_.bytes(edits, "edits"), keeper_.integers(offsets, "offsets")}, slots,
                 fields) {}

    py::bytes write(const py::object& chosen) const {
        return drawn(chosen, [&](std::size_t utterance, report::Output& out) {
            paths_.draw(utterance, out);
        });
    }

private:
    Keeper keeper_;
    report::Paths paths_;
};

// Reads the elements of one system, whose words have their numbers in a dictionary.
class PathReader {
public:
    PathReader(py::bytes data, py::dict lexicon)
        : data_(std::move(data)),
          lexicon_(std::move(lexicon)),
          numbers_([this](std::string_view word) { return number_of(word); }) {}
    PathReader(const PathReader&) = delete;
    PathReader& operator=(const PathReader&) = delete;

    // The elements from a position on, as the fields of scoring.nist.sgml.system_builder.PathColumns; what comes
    // after them is at the position that they begin with. `measures` are triples: whether of the reference, the kind,
    // the bit. `sizes`: how many edits, words of the reference and words of the hypothesis were read before. With
    // `speakers`, it reads on where a speaker ends and the next one begins.
    static py::tuple read(const py::object& self, py::handle at, py::handle listed,
                          py::handle measures,
                          const std::tuple<std::int64_t, std::int64_t, std::int64_t>& sizes,
                          py::handle speakers) {
        const bool several = truth(speakers);
        const py::scoped_critical_section alone(self);
        auto& reader = self.cast<PathReader&>();
        const std::string_view data = bytes_of(reader.data_, "data");
        const auto begin = static_cast<std::size_t>(
            whole(at, "at", 0, static_cast<std::int64_t>(data.size())));
        report::PathColumns& columns = reader.columns_;
        columns.clear();
        report::PathReader paths(data.substr(begin), bytes_of(listed, "listed"),
                                 measures_of(measures),
                                 {std::get<0>(sizes), std::get<1>(sizes), std::get<2>(sizes)},
                                 reader.numbers_, columns);
        Watch watch = watch_of_call();
        const char* const start = paths.at();
        for (const char* before = start; paths.at() - start < most_at_once &&
                                         (paths.next() || (several && paths.next_speaker()));
             before = paths.at()) {
            watch.spend(paths.at() - before);
        }
        py::tuple spans(columns.span.size());
        for (std::size_t place = 0; place < columns.span.size(); ++place) {
            spans[place] = packed(columns.span[place]);
        }
        return py::make_tuple(
            paths.at() - data.data(), texts(columns.text[0], false), texts(columns.text[1], true),
            texts(columns.text[2], true), texts(columns.text[3], true), spans,
            packed(columns.attributes), packed(columns.sequences), packed(columns.edits),
            packed(columns.ends), packed(columns.counts), texts(columns.speakers, false),
            packed(columns.firsts), side(columns.sides[0]), side(columns.sides[1]));
    }

private:
    // Bytes that a call reads: its columns stay in the cache, and the next call uses their memory again.
    static constexpr std::ptrdiff_t most_at_once = std::ptrdiff_t{1} << 20U;

    static std::vector<report::Measure> measures_of(py::handle triples) {
        std::vector<report::Measure> measures;
        for (const py::handle item : triples) {
            const auto [of_reference, kind, bit] =
                item.cast<std::tuple<bool, std::string, std::int32_t>>();
            require(kind == "times" || kind == "confidences" || kind == "weights",
                    "measures: expected times, confidences or weights");
            measures.push_back({of_reference,
                                kind == "times"         ? report::Kind::times
                                : kind == "confidences" ? report::Kind::confidences
                                                        : report::Kind::weights,
                                bit});
        }
        return measures;
    }

    std::int32_t number_of(std::string_view word) const {
        const py::object key = text(word);
        const py::int_ next(lexicon_.size());
        PyObject* const number = PyDict_SetDefault(lexicon_.ptr(), key.ptr(), next.ptr());
        if (number == nullptr) throw py::error_already_set();
        return py::handle(number).cast<std::int32_t>();
    }

    static py::object text(std::string_view bytes) {
        auto made = py::reinterpret_steal<py::object>(
            PyUnicode_DecodeLatin1(bytes.data(), static_cast<py::ssize_t>(bytes.size()), nullptr));
        if (!made) throw py::error_already_set();
        return made;
    }

    static py::list texts(const std::vector<std::string_view>& column, bool optional) {
        py::list all(column.size());
        for (std::size_t place = 0; place < column.size(); ++place) {
            const bool none = optional && column[place].empty();
            py::object value = none ? py::none() : text(column[place]);
            PyList_SET_ITEM(all.ptr(), static_cast<py::ssize_t>(place), value.release().ptr());
        }
        return all;
    }

    static py::tuple side(const report::PathWords& words) {
        return py::make_tuple(packed(words.types), packed(words.ends), packed(words.numbers[0]),
                              packed(words.numbers[1]), packed(words.numbers[2]),
                              packed(words.numbers[3]));
    }

    py::bytes data_;
    py::dict lexicon_;
    WordNumbers numbers_;
    report::PathColumns columns_;  // of the elements that were read last
};

// The result of a function of confidences, and of a byte for each.
template <typename Made>
auto of_confidences(py::handle confidences, py::handle correct, Made made) {
    Keeper keeper;
    const report::Doubles values = keeper.doubles(confidences, "confidences");
    const std::string_view flags = keeper.bytes(correct, "correct");
    require(values.size == flags.size(), "correct: expected one for each confidence");
    return made(values, flags);
}

py::bytes det_data(py::handle confidences, py::handle correct) {
    return py::bytes(of_confidences(confidences, correct, report::det_data));
}

py::tuple ranked(py::handle confidences, py::handle correct) {
    const report::Ranked words = of_confidences(confidences, correct, report::ranked);
    return py::make_tuple(py::bytes(words.confidences), py::bytes(words.correct));
}

}  // namespace

void define_blocks(py::module_ module) {
    py::class_<BlockRenderer>(module, "BlockRenderer")
        .def(py::init<const py::object&, const py::object&, const py::object&, const py::object&,
                      const py::object&, const py::object&, const py::object&, const py::object&,
                      const py::object&>(),
             py::arg("texts"), py::arg("upper"), py::arg("weights"), py::arg("utterances"),
             py::arg("reference"), py::arg("hypothesis"), py::arg("edits"), py::arg("offsets"),
             py::arg("counts"))
        .def("render", &BlockRenderer::render, py::arg("utterances"), py::arg("line_width"),
             py::arg("full"), py::arg("heads") = py::tuple())
        .def("block", &BlockRenderer::block, py::arg("utterance"), py::arg("line_width"),
             py::arg("full"));
    py::class_<PathWriter>(module, "PathWriter")
        .def(py::init<const py::object&, const py::object&, const py::object&, const py::object&,
                      const py::object&, const py::object&, const py::object&, const py::object&,
                      char, char>(),
             py::arg("quoted"), py::arg("weights"), py::arg("utterances"), py::arg("reference"),
             py::arg("hypothesis"), py::arg("edits"), py::arg("offsets"), py::arg("counts"),
             py::arg("slot_separator"), py::arg("field_separator"))
        .def("write", &PathWriter::write, py::arg("utterances"));
    py::class_<PathReader>(module, "PathReader")
        .def(py::init<py::bytes, py::dict>(), py::arg("data"), py::arg("lexicon"))
        .def("read", &PathReader::read, py::arg("at"), py::arg("listed"), py::arg("measures"),
             py::arg("sizes"), py::arg("speakers"));
    module.def("det_data", &det_data, py::arg("confidences"), py::arg("correct"));
    module.def("ranked", &ranked, py::arg("confidences"), py::arg("correct"));
}
