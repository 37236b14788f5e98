# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How a tile lies in shared memory: one, two or three dimensions, padded,
# transposed.
from . import shape
from .axis import Axis

PLACE = Axis("place")


def _matrix(view):
    return view["layout"] != "vector"


PLACE.names("flat")
PLACE.option("grid", _matrix, 3)(lambda d, a: None)
for _name in ("flat-padded", "grid-padded", "transposed", "transposed-padded",
              "flat-transposed", "cube"):
    PLACE.option(_name, _matrix)(lambda d, a: None)

def bounds(view):
    """The array's extents, as declared."""
    rows, columns = shape.extents(view)
    return {
        "flat": (rows * columns,),
        "flat-padded": (rows * (columns + 4),),
        "flat-transposed": (rows * columns,),
        "grid": (rows, columns),
        "grid-padded": (rows, columns + 4),
        "transposed": (columns, rows),
        "transposed-padded": (columns, rows + 1),
        "cube": (2, rows // 2, columns),
    }[view["place"]]


def total(view):
    product = 1
    for bound in bounds(view):
        product *= bound
    return product


def element_at(view, name, row, column):
    """The element at (row, column) of a tile, as C++ spells it."""
    rows, columns = shape.extents(view)
    if rows == 1:
        return f"{name}[{column}]"
    return {
        "flat": f"{name}[{row} * {columns} + {column}]",
        "flat-padded": f"{name}[{row} * {columns + 4} + {column}]",
        "flat-transposed": f"{name}[{column} * {rows} + {row}]",
        "grid": f"{name}[{row}][{column}]",
        "grid-padded": f"{name}[{row}][{column}]",
        "transposed": f"{name}[{column}][{row}]",
        "transposed-padded": f"{name}[{column}][{row}]",
        "cube": f"{name}[{row} / {max(1, rows // 2)}]"
                f"[{row} % {max(1, rows // 2)}][{column}]",
    }[view["place"]]


def contiguous(view):
    """Do neighbours of a row lie side by side, for vectors to be stored?"""
    return view["place"] in ("flat", "flat-padded", "grid", "grid-padded",
                             "cube")
