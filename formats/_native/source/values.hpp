// Frozen values with fields in slots; formats/values.py says what they are.
#pragma once

#include "../../../scoring/_native/source/common/python.hpp"

void add_values(py::module_& module);
