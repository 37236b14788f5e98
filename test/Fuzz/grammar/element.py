# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What an element of a tile is: its type, the vectors that it is loaded by, how
# it becomes a float, how its source is filled.
from .axis import Axis

TYPE = Axis("type")


class Element:
    """`vectors` maps a vector type to the number of elements in it; `parts` is
    how many values of type `base` make up one element in the source."""

    def __init__(self, spelled, vectors, value, zero, one, base=None, parts=1):
        self.spelled, self.vectors, self.value = spelled, vectors, value
        self.zero, self.one = zero, one
        self.base, self.parts = base or spelled, parts

    @property
    def scalar(self):
        return self.parts == 1

    def source(self, name, count):
        return f'in<{self.base}>("{name}", {count} * {self.parts})' \
            if self.parts > 1 else f'in<{self.base}>("{name}", {count})'

    def argument(self, name):
        return name if self.scalar else f"{name}.as<{self.spelled}>()"


ELEMENTS = {
    "float": Element("float", {"float4": 4, "float2": 2}, "{}", "0.0f", "1.0f"),
    "half": Element("half", {"float2": 4, "uint4": 8, "half2": 2},
                    "__half2float({})", "__float2half(0.0f)",
                    "__float2half(1.0f)"),
    "double": Element("double", {"double2": 2}, "float({})", "0.0", "1.0"),
    "int": Element("int", {"int4": 4, "int2": 2}, "float({})", "0", "1"),
    "int8": Element("signed char", {"char4": 4, "int": 4, "int4": 16},
                    "float(int({}))", "0", "1"),
    "float4": Element("float4", {}, "({0}.x - {0}.w)",
                      "make_float4(0.0f, 0.0f, 0.0f, 0.0f)",
                      "make_float4(1.0f, 2.0f, 3.0f, 4.0f)", "float", 4),
    "float2": Element("float2", {"float4": 2}, "({0}.x - {0}.y)",
                      "make_float2(0.0f, 0.0f)", "make_float2(1.0f, 2.0f)",
                      "float", 2),
    "struct": Element("{name}_pair", {}, "({0}.a + 2 * {0}.b)", "{name}_pair{{}}",
                      "{name}_pair{{1.0f, 2.0f}}", "float", 2),
}
TYPE.names(*ELEMENTS)


def element(view, name="p"):
    found = ELEMENTS[view["type"]]
    if view["type"] != "struct":
        return found
    return Element(found.spelled.format(name=name), {}, found.value,
                   found.zero.format(name=name), found.one.format(name=name),
                   found.base, found.parts)
