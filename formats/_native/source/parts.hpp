// The parts of the compiled module of formats.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../../scoring/_native/source/common/python.hpp"

// The decimal seconds of formats.schema.times.plain_time in nanoseconds; -1 for all that wants a closer look.
std::int64_t plain_time(std::string_view text);

void add_json(py::module_& module);
void add_textgrid(py::module_& module);
void add_values(py::module_& module);
