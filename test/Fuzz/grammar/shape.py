# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sizes: the block of threads, the depth of a tile along K, how many arrays are
# staged, and how rows and columns of each lie in its source. Small, since every
# access of every thread is executed and checked.
from .axis import Axis

BLOCK = Axis("block")
BLOCK.names("64", "32", "16x4", "8x8", "8x4x2")
DEPTH = Axis("depth", plain=0)
DEPTH.names("16", "8", "32", "64")
COUNT = Axis("arrays")
COUNT.names("1", "2", "3")

LAYOUT = Axis("layout")
# x[k]; A[row][k] of a matrix M x K; B[k][column] of a matrix K x N.
LAYOUT.names("vector", "rows", "columns")
PER_THREAD = Axis("per-thread")
PER_THREAD.names("1", "2", "4")

# The program's first questions, and the first ones about each array.
PROGRAM, ARRAY = [BLOCK, DEPTH, COUNT], [LAYOUT, PER_THREAD]


def dimensions(view):
    return [int(d) for d in view["block"].split("x")]


def threads(view):
    product = 1
    for extent in dimensions(view):
        product *= extent
    return product


def depth(view):
    return int(view["depth"])


def extents(view):
    """Rows and columns of an array's tile."""
    deep = depth(view)
    other = max(2, threads(view) * int(view["per-thread"]) // deep)
    return {"vector": (1, deep), "rows": (other, deep),
            "columns": (deep, other)}[view["layout"]]


def size(view):
    rows, columns = extents(view)
    return rows * columns
