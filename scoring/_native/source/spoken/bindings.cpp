// Python's view of forms.hpp.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "counting.hpp"
#include "forms.hpp"

namespace {

using namespace spoken;

py::str text_of(const std::string& text) {
    auto made = py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "strict"));
    if (!made) throw py::error_already_set();
    return made;
}

// The words of which Python has not yet said what begins and ends forms, or what they are in the end.
py::list words_from(FormPairs& pairs, std::size_t begin) {
    py::list words;
    for (std::size_t number = begin; number < pairs.words().size(); ++number) words.append(text_of(pairs.words()[number]));
    return words;
}

py::list walk(FormPairs& pairs, bool right, py::handle sizes) {
    const Buffer<std::int32_t> known(sizes, "sizes");
    Watch watch = watch_of_call();
    py::list windows;
    for (const Window& window : pairs.walk(right, known.data(), static_cast<std::size_t>(known.size()), watch)) {
        py::list words;
        for (const std::int32_t word : window.words) words.append(text_of(pairs.words()[static_cast<std::size_t>(word)]));
        windows.append(py::make_tuple(window.before, py::tuple(words), window.capitals, window.is_closed));
    }
    return windows;
}

py::tuple settle(FormPairs& pairs, py::handle choices, std::int64_t substitution, std::int64_t deletion,
                 std::int64_t insertion) {
    const Buffer<std::int32_t> numbers(choices, "choices");
    Watch watch = watch_of_call();
    const Settled settled = pairs.settle(numbers.data(), {substitution, deletion, insertion}, watch);
    py::list texts;
    for (const std::string& text : settled.texts) texts.append(text_of(text));
    return py::make_tuple(packed(settled.states), py::bytes(settled.data), packed(settled.ends),
                          packed(settled.forms), texts);
}

py::bytes counted(py::handle edits, py::handle offsets, py::handle counts, py::handle rows, py::handle bounds,
                  py::handle forms, py::handle lengths) {
    const Buffer<std::uint8_t> codes(edits, "edits");
    const Buffer<std::int64_t> begins(offsets, "offsets"), settled(rows, "rows");
    const Buffer<std::int32_t> before(counts, "counts"), firsts(bounds, "bounds"), numbers(forms, "forms"),
        words(lengths, "lengths");
    const auto is_row = [&](std::int64_t row) { return 0 <= row && row + 1 < begins.size() && 4 * row < before.size(); };
    require(std::all_of(settled.data(), settled.data() + settled.size(), is_row), "rows: expected rows of the counts");
    require(firsts.size() == settled.size() + 1 &&
                static_cast<std::int64_t>(form_numbers) * firsts.data()[settled.size()] <= numbers.size(),
            "bounds: expected the first form of each row");
    NumberBytes<std::int32_t> after(before.size());
    std::copy(before.data(), before.data() + before.size(), after.data());
    const std::string_view text(reinterpret_cast<const char*>(codes.data()), static_cast<std::size_t>(codes.size()));
    count_places({text, begins.data()},
                 {settled.data(), settled.size(), firsts.data(), numbers.data(), words.data()}, after.data());
    return after.take();
}

}  // namespace

void define_spoken(py::module_ module) {
    using py::arg;
    module.def("count_places", &counted, arg("edits"), arg("offsets"), arg("counts"), arg("rows"), arg("bounds"),
               arg("forms"), arg("lengths"));
    py::class_<FormPairs>(module, "FormPairs")
        .def(py::init<arrow::Texts, arrow::Texts, std::int32_t>(), arg("left"), arg("right"), arg("longest"))
        .def("turned", &FormPairs::turned)
        .def("number",
             [](FormPairs& pairs) {
                 Watch watch = watch_of_call();
                 pairs.number(watch);
             })
        .def("touched",
             [](FormPairs& pairs) {
                 Watch watch = watch_of_call();
                 return packed(pairs.touched(watch));
             })
        .def("open",
             [](FormPairs& pairs, py::handle rows) {
                 const Buffer<std::int64_t> column(rows, "rows");
                 Watch watch = watch_of_call();
                 pairs.open({column.data(), column.data() + column.size()}, watch);
             },
             arg("rows"))
        .def("unflagged", [](FormPairs& pairs) { return words_from(pairs, pairs.flagged()); })
        .def("set_flags", [](FormPairs& pairs, py::handle flags) { pairs.set_flags(bytes_of(flags, "flags")); },
             arg("flags"))
        .def("walk", &walk, arg("right"), arg("sizes"))
        .def("add_pattern", &FormPairs::add_pattern, arg("lines"))
        .def("add_choices", &FormPairs::add_choices, arg("lines"), arg("pattern"))
        .def("forget", &FormPairs::forget)
        .def("unfinished", [](FormPairs& pairs) { return words_from(pairs, pairs.finals()); })
        .def("set_finals",
             [](FormPairs& pairs, const py::list& texts) {
                 for (const py::handle text : texts) pairs.add_final(text.cast<std::string_view>());
             },
             arg("texts"))
        .def("settle", &settle, arg("choices"), arg("substitution"), arg("deletion"), arg("insertion"));
}
