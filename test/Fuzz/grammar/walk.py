# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the threads of a block share the elements of a tile: one each, counted
# copy loops, loops that start at the thread's index, nests over rows and
# columns. A unit is what a thread takes at once: an element, or a vector.
from text import indent

from . import shape
from .axis import Axis

WALK = Axis("walk")


def units(view):
    return shape.size(view) // int(view["unit"])


def _exact(view):
    return units(view) == shape.threads(view)


def _counted(view):
    return units(view) % shape.threads(view) == 0


def _nested(view):
    extents = shape.dimensions(view)
    return len(extents) == 2 and view["unit"] == "1"


def _rows(view):
    columns = shape.extents(view)[1]
    return (shape.threads(view) % columns == 0 and columns > 1 and
            view["unit"] == "1" and view["layout"] != "vector")


WALK.option("one", _exact, 4)(lambda d, a: None)
# Takes any size, and so always fits.
WALK.option("from-thread")(lambda d, a: None)
WALK.option("some", lambda v: units(v) < shape.threads(v))(lambda d, a: None)
WALK.option("strided", _counted, 2)(lambda d, a: None)
WALK.option("blocked", _counted)(lambda d, a: None)
WALK.option("written-out", lambda v: units(v) == 2 * shape.threads(v))(
    lambda d, a: None)
WALK.option("nested", _nested, 3)(lambda d, a: None)
# Not counted at compile time: only asynchronous copies can take these.
WALK.option("while", weight=0.2)(lambda d, a: None)
WALK.option("block-dim", weight=0.2)(lambda d, a: None)
WALK.option("nested-block-dim", _nested, 0.3)(lambda d, a: None)
WALK.option("rows", _rows, 2)(lambda d, a: None)


def cover(draft, view, statements):
    """Lines that run `statements(row, column)` for each unit of a tile. A name
    of the counters' own keeps two walks apart."""
    count, every = units(view), shape.threads(view)
    rows, columns = shape.extents(view)
    unit = int(view["unit"])

    def at(number):
        """The statements for the unit of this number."""
        start = number if unit == 1 else f"{number} * {unit}"
        if rows == 1:
            return statements("0", start)
        r, c = draft.fresh("r"), draft.fresh("c")
        start = f"({start})" if " " in start else start
        return [f"const int {r} = {start} / {columns}, {c} = {start} % "
                f"{columns};"] + statements(r, c)

    walk, i = view["walk"], draft.fresh("i")
    if walk == "one":
        if view["layout"] == "columns" and _square(view) and unit == 1:
            return statements("threadIdx.y", "threadIdx.x")
        return at("tid")
    if walk == "some":
        return [f"if (tid < {count}) {{"] + indent(at("tid")) + ["}"]
    if walk == "strided":
        inner = [f"const int {i} = tid + {draft.counter} * {every};"] + at(i)
    elif walk == "blocked":
        inner = [f"const int {i} = tid * {count // every} + {draft.counter};"]
        inner += at(i)
    if walk in ("strided", "blocked"):
        return [f"for (int {draft.counter} = 0; {draft.counter} < "
                f"{count // every}; ++{draft.counter}) {{"] + indent(inner) + [
                    "}"]
    if walk == "written-out":
        return at("tid") + at(f"(tid + {every})")
    if walk == "while":
        return [f"int {i} = tid;", f"while ({i} < {count}) {{"] + indent(
            at(i) + [f"{i} += {every};"]) + ["}"]
    if walk in ("nested", "nested-block-dim"):
        r, c = draft.fresh("r"), draft.fresh("c")
        wide, high = shape.dimensions(view) if walk == "nested" else (
            "blockDim.x", "blockDim.y")
        return [f"for (int {r} = threadIdx.y; {r} < {rows}; {r} += {high})",
                f"  for (int {c} = threadIdx.x; {c} < {columns}; "
                f"{c} += {wide}) {{"] + indent(
                    indent(statements(r, c))) + ["  }"]
    if walk == "rows":
        r = draft.fresh("r")
        return [f"for (int {r} = tid / {columns}; {r} < {rows}; "
                f"{r} += {every // columns}) {{"] + indent(
                    statements(r, f"tid % {columns}")) + ["}"]
    step = "blockDim.x" if walk == "block-dim" and len(
        shape.dimensions(view)) == 1 else str(every)
    return [f"for (int {i} = tid; {i} < {count}; {i} += {step}) {{"] + indent(
        at(i)) + ["}"]


def _square(view):
    extents = shape.dimensions(view)
    return len(extents) == 2 and shape.extents(view) == (extents[1],
                                                         extents[0])
