// Python's view of blocks.hpp, paths.hpp and sums.hpp.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "paths.hpp"
#include "python.hpp"
#include "sums.hpp"

namespace py = pybind11;

namespace {

// A contiguous buffer, released with this object.
class View {
public:
    explicit View(py::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_ND | PyBUF_FORMAT) != 0) {
            throw py::error_already_set();
        }
    }
    ~View() { PyBuffer_Release(&view_); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // Whether the items are of one of these struct letters and this size, where a number can be.
    bool holds(const char* kinds, std::size_t size) const {
        const char* format = view_.format == nullptr ? "B" : view_.format;
        if (*format == '@' || *format == '=') ++format;
        return format[0] != '\0' && format[1] == '\0' && std::strchr(kinds, *format) != nullptr &&
               static_cast<std::size_t>(view_.itemsize) == size &&
               reinterpret_cast<std::uintptr_t>(view_.buf) % size == 0;
    }
    const void* data() const { return view_.buf; }
    std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
};

// Turns Python columns into views and keeps all they look at.
class Keeper {
public:
    Keeper() = default;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // A buffer of int32 or int64 as it lies; anything else is copied number by number.
    report::Integers integers(py::handle column) {
        report::Integers numbers;
        if (PyObject_CheckBuffer(column.ptr())) {
            const View& view = keep(column);
            if (view.holds("il", sizeof(std::int32_t))) {
                numbers.narrow = static_cast<const std::int32_t*>(view.data());
                numbers.size = view.bytes() / sizeof(std::int32_t);
                return numbers;
            }
            if (view.holds("lq", sizeof(std::int64_t))) {
                numbers.wide = static_cast<const std::int64_t*>(view.data());
                numbers.size = view.bytes() / sizeof(std::int64_t);
                return numbers;
            }
        }
        auto copied = std::make_unique<std::vector<std::int64_t>>();
        for (const py::handle number : column) copied->push_back(number.cast<std::int64_t>());
        numbers.wide = copied->data();
        numbers.size = copied->size();
        integer_copies_.push_back(std::move(copied));
        return numbers;
    }

    // None is an empty column.
    report::Doubles doubles(py::handle column) {
        report::Doubles numbers;
        if (column.is_none()) return numbers;
        if (PyObject_CheckBuffer(column.ptr())) {
            const View& view = keep(column);
            if (view.holds("d", sizeof(double))) {
                numbers.data = static_cast<const double*>(view.data());
                numbers.size = view.bytes() / sizeof(double);
                return numbers;
            }
        }
        auto copied = std::make_unique<std::vector<double>>();
        for (const py::handle number : column) copied->push_back(number.cast<double>());
        numbers.data = copied->data();
        numbers.size = copied->size();
        double_copies_.push_back(std::move(copied));
        return numbers;
    }

    // Strings of one byte per character; None is a text without data. None for all: no texts.
    report::Texts texts(py::handle column) {
        report::Texts views;
        if (column.is_none()) return views;
        const auto items = py::reinterpret_steal<py::object>(
            PySequence_Fast(column.ptr(), "expected a sequence of texts"));
        if (!items) throw py::error_already_set();
        objects_.append(items);
        const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
        views.reserve(static_cast<std::size_t>(size));
        for (Py_ssize_t item = 0; item < size; ++item) {
            views.push_back(text(PySequence_Fast_GET_ITEM(items.ptr(), item)));
        }
        return views;
    }

    std::string_view bytes(py::handle column) {
        const View& view = keep(column);
        return {static_cast<const char*>(view.data()), view.bytes()};
    }

private:
    const View& keep(py::handle column) {
        views_.push_back(std::make_unique<View>(column));
        return *views_.back();
    }

    static std::string_view text(PyObject* object) {
        if (object == Py_None) return {};
        if (!PyUnicode_Check(object)) throw py::type_error("expected a text or None");
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(object) != 0) throw py::error_already_set();
#endif
        if (PyUnicode_KIND(object) != PyUnicode_1BYTE_KIND) {
            throw py::value_error("expected byte text, found a character beyond U+00FF");
        }
        return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(object)),
                static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
    }

    py::list objects_;
    std::vector<std::unique_ptr<View>> views_;
    std::vector<std::unique_ptr<std::vector<std::int64_t>>> integer_copies_;
    std::vector<std::unique_ptr<std::vector<double>>> double_copies_;
};

report::Words words(Keeper& keeper, const py::tuple& side) {
    report::Words columns;
    columns.types = keeper.integers(side[0]);
    columns.begins = keeper.integers(side[1]);
    columns.ends = keeper.integers(side[2]);
    columns.starts = keeper.doubles(side[3]);
    columns.finishes = keeper.doubles(side[4]);
    columns.confidences = keeper.doubles(side[5]);
    columns.weights = keeper.doubles(side[6]);
    return columns;
}

report::Utterances utterances(Keeper& keeper, const py::object& columns, const py::object& counts) {
    report::Utterances all;
    all.identifiers = keeper.texts(columns.attr("identifiers"));
    all.labels = keeper.texts(columns.attr("labels"));
    all.files = keeper.texts(columns.attr("files"));
    all.channels = keeper.texts(columns.attr("channels"));
    all.attributes = keeper.integers(columns.attr("attributes"));
    all.counts = keeper.integers(counts);
    all.span_begins = keeper.doubles(columns.attr("span_begins"));
    all.span_ends = keeper.doubles(columns.attr("span_ends"));
    all.hypothesis_span_begins = keeper.doubles(columns.attr("hypothesis_span_begins"));
    all.hypothesis_span_ends = keeper.doubles(columns.attr("hypothesis_span_ends"));
    return all;
}

class BlockRenderer {
public:
    BlockRenderer(const py::object& texts, const py::object& upper, const py::object& weights,
                  const py::object& columns, const py::tuple& reference,
                  const py::tuple& hypothesis, const py::object& edits, const py::object& offsets,
                  const py::object& counts)
        : blocks_(keeper_.texts(texts), keeper_.texts(upper), keeper_.doubles(weights),
                  utterances(keeper_, columns, counts), words(keeper_, reference),
                  words(keeper_, hypothesis), {keeper_.bytes(edits), keeper_.integers(offsets)}) {}

    py::bytes render(const py::object& chosen, std::int64_t line_width, bool full) {
        Keeper keeper;
        const report::Integers positions = keeper.integers(chosen);
        out_.clear();
        for (std::size_t number = 0; number < positions.size; ++number) {
            blocks_.draw(position(positions[number]), line_width, full, out_);
            out_.append("\n");
        }
        return drawn();
    }

    py::bytes block(std::int64_t utterance, std::int64_t line_width, bool full) {
        out_.clear();
        blocks_.draw(position(utterance), line_width, full, out_);
        return drawn();
    }

private:
    static std::size_t position(std::int64_t utterance) {
        if (utterance < 0) throw py::index_error("expected the position of an utterance from 0");
        return static_cast<std::size_t>(utterance);
    }
    py::bytes drawn() const { return py::bytes(out_.text().data(), out_.text().size()); }

    Keeper keeper_;
    report::Blocks blocks_;
    report::Output out_;
};

class PathWriter {
public:
    PathWriter(const py::object& quoted, const py::object& weights, const py::object& columns,
               const py::tuple& reference, const py::tuple& hypothesis, const py::object& edits,
               const py::object& offsets, const py::object& counts, char slots, char fields)
        : paths_(keeper_.texts(quoted), keeper_.doubles(weights),
                 utterances(keeper_, columns, counts),
                 keeper_.integers(columns.attr("sequences")), words(keeper_, reference),
                 words(keeper_, hypothesis), {keeper_.bytes(edits), keeper_.integers(offsets)},
                 slots, fields) {}

    py::bytes write(const py::object& chosen) {
        Keeper keeper;
        const report::Integers positions = keeper.integers(chosen);
        out_.clear();
        for (std::size_t number = 0; number < positions.size; ++number) {
            const std::int64_t utterance = positions[number];
            if (utterance < 0) throw py::index_error("expected positions of utterances from 0");
            paths_.draw(static_cast<std::size_t>(utterance), out_);
        }
        return py::bytes(out_.text().data(), out_.text().size());
    }

private:
    Keeper keeper_;
    report::Paths paths_;
    report::Output out_;
};

py::list sum_by_speaker(const py::object& counts, const py::object& speakers,
                        std::size_t number_of_speakers) {
    Keeper keeper;
    py::list rows;
    const report::Integers fours = keeper.integers(counts);
    const report::Integers owners = keeper.integers(speakers);
    for (const report::Tally& own : report::sum_by_speaker(fours, owners, number_of_speakers)) {
        py::tuple row(own.size());
        for (std::size_t field = 0; field < own.size(); ++field) row[field] = own[field];
        rows.append(std::move(row));
    }
    return rows;
}

py::list confidence_sums(const py::object& confidences, const py::object& begins,
                         const py::object& edits, const py::object& offsets,
                         const py::object& speakers, std::size_t number_of_speakers) {
    Keeper keeper;
    py::list rows;
    const report::Doubles values = keeper.doubles(confidences);
    const report::Integers firsts = keeper.integers(begins);
    const report::Edits alignments{keeper.bytes(edits), keeper.integers(offsets)};
    const report::Integers owners = keeper.integers(speakers);
    for (const report::ConfidenceSums& own :
         report::confidence_sums(values, firsts, alignments, owners, number_of_speakers)) {
        rows.append(py::make_tuple(own.words, own.correct, own.incorrect, own.outside));
    }
    return rows;
}

}  // namespace

NATIVE_MODULE(_native, module) {
    module.doc() = "Compiled twins of the slow parts of the reports.";
    py::class_<BlockRenderer>(module, "BlockRenderer")
        .def(py::init<const py::object&, const py::object&, const py::object&, const py::object&,
                      const py::tuple&, const py::tuple&, const py::object&, const py::object&,
                      const py::object&>(),
             py::arg("texts"), py::arg("upper"), py::arg("weights"), py::arg("utterances"),
             py::arg("reference"), py::arg("hypothesis"), py::arg("edits"), py::arg("offsets"),
             py::arg("counts"))
        .def("render", &BlockRenderer::render, py::arg("utterances"), py::arg("line_width"),
             py::arg("full"))
        .def("block", &BlockRenderer::block, py::arg("utterance"), py::arg("line_width"),
             py::arg("full"));
    py::class_<PathWriter>(module, "PathWriter")
        .def(py::init<const py::object&, const py::object&, const py::object&, const py::tuple&,
                      const py::tuple&, const py::object&, const py::object&, const py::object&,
                      char, char>(),
             py::arg("quoted"), py::arg("weights"), py::arg("utterances"), py::arg("reference"),
             py::arg("hypothesis"), py::arg("edits"), py::arg("offsets"), py::arg("counts"),
             py::arg("slot_separator"), py::arg("field_separator"))
        .def("write", &PathWriter::write, py::arg("utterances"));
    module.def("sum_by_speaker", &sum_by_speaker, py::arg("counts"), py::arg("speakers"),
               py::arg("number_of_speakers"));
    module.def("confidence_sums", &confidence_sums, py::arg("confidences"), py::arg("begins"),
               py::arg("edits"), py::arg("edit_offsets"), py::arg("speakers"),
               py::arg("number_of_speakers"));
}
