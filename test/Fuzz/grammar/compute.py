# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the compute region makes of the tiles: which elements each thread reads
# and how they are summed up. Every element is read by somebody.
from . import place, shape
from .axis import Axis

READ = Axis("read")
READ.names("cross", "row", "column")
READ.option("wide", lambda v: v["type"] == "float" and place.contiguous(v) and
            shape.extents(v)[1] % 4 == 0 and v["unit"] == "4")(
                lambda d, a: None)
PRODUCT = Axis("product")
PRODUCT.names("no")
PRODUCT.option("yes", lambda v: len(v.arrays) > 1, 2)(lambda d: None)


def reads(draft, array):
    """Lines that add an array's elements to the sum."""
    view = array.view
    rows, columns = shape.extents(view)
    j, count = draft.fresh("j"), shape.size(view)
    if view["read"] == "wide":
        row, column = (("0", "0") if rows == 1 else
                       (f"tid % {rows}", f"{j} * 4"))
        v = draft.fresh("v")
        if rows == 1:
            column = f"{j} * 4"
        return [f"for (int {j} = 0; {j} < {columns // 4}; ++{j}) {{",
                f"  const float4 {v} = *reinterpret_cast<const float4 *>(&"
                f"{array.at(row, column)});",
                f"  sum += {v}.x - {v}.y * 2 + {v}.z * float(tid & 3) + {v}.w;",
                "}"]
    if view["read"] == "row" or rows == 1 and view["read"] == "column":
        loop, element = columns, (f"(tid % {rows})" if rows > 1 else "0", j)
    elif view["read"] == "column":
        loop, element = rows, (j, f"(tid % {columns})")
    else:
        loop = max(4, 2 * count // shape.threads(view))
        e = draft.fresh("e")
        return [f"for (int {j} = 0; {j} < {loop}; ++{j}) {{",
                f"  const int {e} = (tid * 3 + {j} * {count // loop} + 1) % "
                f"{count};",
                f"  sum += {array.read(f'({e} / {columns})', f'({e} % {columns})')}"
                f" * {weight(j)};", "}"]
    return [f"for (int {j} = 0; {j} < {loop}; ++{j})",
            f"  sum += {array.read(*element)} * {weight(j)};"]


def product(draft, left, right):
    """Lines that add a product of two arrays' elements."""
    j = draft.fresh("j")

    def factor(array):
        rows, columns = shape.extents(array.view)
        return array.read(f"({j} % {rows})" if rows > 1 else "0",
                          f"((tid + {j}) % {columns})")
    return [f"for (int {j} = 0; {j} < {shape.depth(draft.view)}; ++{j})",
            f"  sum += {factor(left)} * {factor(right)};"]


def weight(j):
    return f"float((tid ^ {j}) & 7)"


def lines(draft):
    arrays = list(draft.arrays)
    out = []
    if draft.view["product"] == "yes":
        out += product(draft, arrays[0], arrays[1])
        arrays = arrays[2:]
    for array in arrays:
        out += reads(draft, array)
    return out
