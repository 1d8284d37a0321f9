// Python's view of stream.hpp, texts.hpp, pairs.hpp, lines.hpp and rewriting.hpp.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "../alignment/checks.hpp"
#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "rewriting.hpp"
#include "stream.hpp"

namespace {

using namespace arrow;

std::int64_t column_number(const Stream& stream, py::handle number) {
    return whole(number, "column", 0, stream.width() - 1);
}

py::list names(const Stream& stream) {
    py::list all;
    for (std::int64_t number = 0; number < stream.width(); ++number) {
        const char* const name = stream.field(number).name;
        const std::string_view text = name == nullptr ? "" : name;
        const auto known = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
            text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
        if (!known) throw py::error_already_set();
        all.append(known);
    }
    return all;
}

py::object text_of(const Text& text) {
    if (!text) return py::none();
    const auto made = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
        text->data(), static_cast<py::ssize_t>(text->size()), "strict"));
    if (!made) throw py::error_already_set();
    return made;
}

py::list some_texts(const Texts& texts, py::handle begin, py::handle end) {
    const std::int64_t first = whole(begin, "begin", 0, texts.size());
    const std::int64_t last = whole(end, "end", first, texts.size());
    py::list all;
    for (std::int64_t row = first; row < last; ++row) all.append(text_of(texts[row]));
    return all;
}

py::bytes nulls(const Texts& texts) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < texts.size(); ++row) {
        if (!texts[row]) rows.push_back(row);
    }
    return packed(rows);
}

py::bytes wordless(const Texts& texts) {
    std::vector<std::int64_t> rows;
    Watch watch = watch_of_call();
    for (std::int64_t row = 0; row < texts.size(); ++row) {
        watch.spend(10);
        const Text text = texts[row];
        if (!text || next_byte<false>(*text, 0) == text->size()) rows.push_back(row);
    }
    return packed(rows);
}

std::unique_ptr<Rewriting> rewriting(const py::function& word) {
    return std::make_unique<Rewriting>([word](std::string_view text) {
        return word(text_of(text)).cast<std::string>();
    });
}

py::tuple rewritten(const py::object& self, const Texts& texts, py::handle begin) {
    const py::scoped_critical_section alone(self);
    std::string data;
    std::vector<std::int32_t> ends{0};
    Watch watch = watch_of_call();
    const bool is_other = self.cast<Rewriting&>().rows(texts, whole(begin, "begin", 0, texts.size()), data, ends, watch);
    return py::make_tuple(py::bytes(data), packed(ends), is_other);
}

Texts chosen(const Texts& texts, py::handle rows) {
    if (PyRange_Check(rows.ptr())) {
        const auto count = static_cast<std::int64_t>(py::len(rows));
        if (count == 0) return texts.chosen({});
        const std::int64_t first = whole(rows.attr("start"), "rows", -1, texts.size() - 1);
        // the step of a single row leads nowhere, and may be any
        const std::int64_t step = count == 1 ? 1 : whole(rows.attr("step"), "rows", -texts.size(), texts.size());
        return texts.chosen(first, step, count);
    }
    const Buffer<std::int64_t> column(rows, "rows");
    return texts.chosen({column.data(), column.data() + column.size()});
}

Texts replaced(const Texts& texts, py::handle rows, const Texts& others) {
    const Buffer<std::int64_t> column(rows, "rows");
    require(column.size() == others.size(), "rows: expected one for each text");
    return texts.replaced(column.data(), others);
}

bool is_distinct(const Texts& texts) {
    Watch watch = watch_of_call();
    const py::gil_scoped_release release;
    return texts.is_distinct(watch);
}

bool equals(const Texts& texts, const Texts& others) {
    Watch watch = watch_of_call();
    const py::gil_scoped_release release;
    return texts.equals(others, watch);
}

py::bytes find(const Texts& texts, const Texts& others) {
    NumberBytes<std::int64_t> all(others.size());
    std::int64_t* const into = all.data();
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        texts.find(others, into, watch);
    }
    return all.take();
}

py::object ends_of_lines(py::handle data, bool identifier_first) {
    const std::string_view lines = bytes_of(data, "data");
    require(lines.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
            "data: expected at most 2147483647 bytes, found " + std::to_string(lines.size()));
    const LineForm form = identifier_first ? LineForm::identifier_first : LineForm::identifier_last;
    NumberBytes<std::int32_t> ends(1 + 4 * count_lines(lines));
    std::int32_t* const into = ends.data();
    *into = 0;
    Lines found;
    bool is_cut = false;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        is_cut = cut_lines(lines, form, into + 1, found, watch);
    }
    if (!is_cut) return py::none();
    return py::make_tuple(ends.take(), packed(found.irregular), found.is_rising, found.are_marked, found.tabular,
                          packed(found.braced));
}

Folds folds_of(const py::object& folds) {
    Folds table;
    if (folds.is_none()) return table;
    for (const py::handle fold : folds) {
        const py::tuple pair = py::cast<py::tuple>(fold);
        require(pair.size() == 2, "folds: expected pairs");
        const auto code = static_cast<std::uint32_t>(whole(pair[0], "folds", 0, 0x10FFFF));
        table.emplace(code, std::string(bytes_of(pair[1], "folds")));
    }
    return table;
}

py::bytes rows_with_compounds(const Texts& references, const Texts& hypotheses, const py::object& folds, bool several,
                              py::handle counts) {
    alignment::check_lengths(static_cast<std::size_t>(references.size()),
                             static_cast<std::size_t>(hypotheses.size()));
    const Buffer<std::int32_t> numbers(counts, "counts");
    require(numbers.size() == 4 * references.size(), "counts: expected four for each row");
    const Folds table = folds_of(folds);
    std::vector<std::int64_t> rows;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        rows = rows_of_compounds(references, hypotheses, folds.is_none() ? nullptr : &table, several, numbers.data(),
                                 watch);
    }
    return packed(rows);
}

Unit checked_unit(py::handle unit) { return static_cast<Unit>(whole(unit, "unit", 0, 2)); }

template <bool counted>
py::object align_columns(const Texts& references, const Texts& hypotheses, py::handle unit,
                         const py::object& folds, py::handle substitution, py::handle deletion,
                         py::handle insertion, py::handle ties, py::handle threads) {
    alignment::check_lengths(static_cast<std::size_t>(references.size()),
                             static_cast<std::size_t>(hypotheses.size()));
    const Folds table = folds_of(folds);
    const int most = alignment::checked_threads(threads);
    const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const Manner manner{checked_unit(unit), folds.is_none() ? nullptr : &table,
                        alignment::checked_costs(substitution, deletion, insertion),
                        alignment::checked_ties(ties), most > 0 ? most : processors};
    const std::int64_t rows = references.size();
    NumberBytes<std::int32_t> counts(4 * rows);
    NumberBytes<std::int64_t> offsets(counted ? 0 : rows + 1);
    std::int32_t* const into = counts.data();
    std::int64_t* const places = counted ? nullptr : offsets.data();
    std::vector<std::vector<std::uint8_t>> edits;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        edits = align(references, hypotheses, manner, counted ? nullptr : places + 1, into, watch);
    }
    if (counted) return counts.take();
    places[0] = 0;
    for (std::int64_t row = 0; row < rows; ++row) places[row + 1] += places[row];
    NumberBytes<std::uint8_t> all(places[rows]);
    std::uint8_t* const out = all.data();
    {
        const py::gil_scoped_release release;
        join(std::move(edits), places, manner.threads, out, watch);
    }
    return py::make_tuple(all.take(), offsets.take(), counts.take());
}

py::capsule stream_of(const py::list& fields, const py::object& batches) {
    std::vector<Field> all;
    for (const py::handle given : fields) {
        const py::tuple pair = py::cast<py::tuple>(given);
        require(pair.size() == 2, "fields: expected pairs");
        Field field;
        if (py::isinstance<Stream>(pair[0])) {
            const auto& from = pair[0].cast<const Stream&>();
            field.held = from.schema();
            field.kept = &from.field(column_number(from, pair[1]));
            field.name = field.kept->name == nullptr ? "" : field.kept->name;
        } else {
            field.name = py::cast<std::string>(pair[0]);
            field.format = py::cast<std::string>(pair[1]);
            require(field.format == "i" || field.format == "l" || field.format == "g" || field.format == "u" ||
                        field.format == "U",
                    field.name + ": expected the format i, l, g, u or U, found " + field.format);
        }
        all.push_back(std::move(field));
    }
    return capsule_of(std::move(all), batches);
}

}  // namespace

void define_arrow(py::module_ module) {
    using py::arg;
    py::register_local_exception_translator([](std::exception_ptr raised) {
        try {
            if (raised) std::rethrow_exception(raised);
        } catch (const RowError& error) {
            const py::object kind = py::module_::import("scoring.model.special_errors").attr("RowError");
            PyErr_SetObject(kind.ptr(), kind(error.row, error.problem).ptr());
        }
    });
    py::class_<Batch>(module, "Batch").def("__len__", &Batch::size);
    py::class_<Stream>(module, "Stream")
        .def(py::init<py::handle>(), arg("stream"))
        .def(py::init<py::handle, py::handle>(), arg("schema"), arg("array"))
        .def("names", &names)
        .def("kinds",
             [](const Stream& stream) {
                 py::list all;
                 for (std::int64_t number = 0; number < stream.width(); ++number) {
                     const ArrowSchema& field = stream.field(number);
                     all.append(py::make_tuple(is_text(field), kind_of(field)));
                 }
                 return all;
             })
        .def("is_table", [](const Stream& stream) {
            return std::string_view(stream.schema()->here.format) == "+s";
        })
        .def("next", [](Stream& stream) -> py::object {
            Batch batch = stream.next();
            if (batch.array == nullptr) return py::none();
            return py::cast(std::move(batch));
        });
    py::class_<Texts>(module, "Texts")
        .def(py::init<>())
        .def("add",
             [](Texts& texts, const Stream& stream, const Batch& batch, py::handle column) {
                 const std::int64_t number = column_number(stream, column);
                 require(batch.schema == stream.schema(), "expected a batch of this stream");
                 const ArrowSchema& field = stream.field(number);
                 require(is_text(field), "expected texts, found " + kind_of(field));
                 Watch watch = watch_of_call();
                 Chunk chunk = batch.chunk(field, number);
                 {
                     const py::gil_scoped_release release;
                     chunk.check(texts.size(), watch);
                 }
                 texts.add(std::move(chunk));
             },
             arg("stream"), arg("batch"), arg("column"))
        .def("__len__", &Texts::size)
        .def("texts", &some_texts, arg("begin"), arg("end"))
        .def("nulls", &nulls)
        .def("wordless", &wordless)
        .def("chosen", &chosen, arg("rows"))
        .def("replaced", &replaced, arg("rows"), arg("others"))
        .def("is_distinct", &is_distinct)
        .def("equals", &equals, arg("others"))
        .def("find", &find, arg("others"));
    py::class_<Rewriting>(module, "Rewriting")
        .def(py::init(&rewriting), arg("word"))
        .def("rows", &rewritten, arg("texts"), arg("begin"));
    module.def("align_columns", &align_columns<false>, arg("references"), arg("hypotheses"), arg("unit"),
               arg("folds"), arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("count_columns", &align_columns<true>, arg("references"), arg("hypotheses"), arg("unit"),
               arg("folds"), arg("substitution"), arg("deletion"), arg("insertion"), arg("ties"),
               arg("threads"));
    module.def("rows_of_compounds", &rows_with_compounds, arg("references"), arg("hypotheses"), arg("folds"),
               arg("several"), arg("counts"));
    module.def("cut_lines", &ends_of_lines, arg("data"), arg("identifier_first"));
    module.def("stream_of", &stream_of, arg("fields"), arg("batches"));
}
