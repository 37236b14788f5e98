# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How one unit is copied from global to shared memory, and what guards it: the
# load forms of real kernels, each with the fills that it can have. The axis
# UNIT comes first, since how a tile is walked depends on it.
from . import place, shape
from .axis import Axis
from .element import element

UNIT = Axis("unit", plain=0.55)
BYTES = {"float": 4, "half": 2, "double": 8, "int": 4, "int8": 1, "float2": 8}


def _vectors(view, width):
    """Can this many elements be loaded at once, everywhere aligned?"""
    rows, columns = shape.extents(view)
    half_tile = shape.depth(view) // 2  # sizes come in half tiles
    return (width in element(view).vectors.values() and
            columns % width == 0 and place.contiguous(view) and
            (view["layout"] == "columns" or half_tile % width == 0) and
            ("padded" not in view["place"] or
             (columns + 4) * BYTES[view["type"]] % (width *
                                                    BYTES[view["type"]]) == 0))


UNIT.names("1")
for _width in (4, 2, 8, 16):
    UNIT.option(str(_width), lambda v, w=_width: _vectors(v, w),
                3)(lambda d, a: None)

ACCESS = Axis("access")


def _one(view):
    return view["unit"] == "1"


def _wide(view):
    return view["unit"] != "1"


def _plain_type(*types):
    return lambda view: _one(view) and view["type"] in types


ACCESS.option("direct", _one, 3)(lambda d, a: None)
ACCESS.option("cast", _wide, 3)(lambda d, a: None)
ACCESS.option("register", _one, 2)(lambda d, a: None)
ACCESS.option("ldg", _plain_type("float", "int", "double", "float4"))(
    lambda d, a: None)
ACCESS.option("put", _one, 0.3)(lambda d, a: None)
ACCESS.option("get", _one)(lambda d, a: None)
ACCESS.option("scaled", _plain_type("float", "int", "double"))(
    lambda d, a: None)
ACCESS.option("from-half", _plain_type("float"))(lambda d, a: None)
ACCESS.option("from-int8", _plain_type("float", "int"))(lambda d, a: None)
ACCESS.option("gathered", _one)(lambda d, a: None)
ACCESS.option("c-cast", _wide)(lambda d, a: None)
ACCESS.option("macro", _wide, 2)(lambda d, a: None)
ACCESS.option("vector-register", _wide)(lambda d, a: None)
ACCESS.option("scattered", lambda v: v["type"] == "float" and
              v["unit"] == "4", 2)(lambda d, a: None)

# Walks that are loops which step by themselves.
LOOPS = ("from-thread", "strided", "blocked", "nested", "rows")

FILL = Axis("fill")
FILL.names("none")


def _scalar(view):
    return view["access"] in ("direct", "register", "ldg", "put", "get",
                              "scaled", "from-half", "from-int8")


FILL.option("ternary", lambda v: _scalar(v) and v["type"] != "half", 2)(
    lambda d, a: None)
FILL.option("if-else", weight=2)(lambda d, a: None)
for _name in ("guard", "guard-fixed", "zero-first"):
    FILL.option(_name)(lambda d, a: None)
# A jump of the copy loop instead of a guard.
for _name in ("skip", "skip-zero", "stop"):
    FILL.option(_name, lambda v: v["walk"] in LOOPS, 0.7)(lambda d, a: None)
FILL.option("clamped", _scalar)(lambda d, a: None)
FILL.option("zero-after", _scalar)(lambda d, a: None)
FILL.option("other-value", _scalar, 0.5)(lambda d, a: None)

# Those that keep every access inside the source when the last tile is partial.
PARTIAL = ("ternary", "if-else", "guard", "zero-first", "clamped",
           "zero-after", "other-value", "skip", "skip-zero", "stop")
# Those that leave elements as they were: the array needs values before.
STALE = ("guard", "guard-fixed", "skip", "stop")


def source_type(view, name):
    """What the elements come from, where that differs from what they are."""
    if view["access"] == "from-half":
        return "half"
    if view["access"] == "from-int8":
        return "signed char"
    return element(view, name).spelled


def copy(draft, array, row, column):
    """The statements that bring one unit of a tile."""
    view = array.view
    guard = f"{array.along(row, column)} < n"
    if view["fill"] == "guard-fixed":
        rows, columns = shape.extents(view)
        guard = f"{column} < {columns - int(view['unit'])}"
    clamp = view["fill"] in ("clamped", "zero-after")
    to, value = array.at(row, column), array.source(row, column, clamp)
    fill, jump = view["fill"], []
    if fill in ("skip", "stop"):
        word = "continue" if fill == "skip" else "break"
        fill, jump = "none", [f"if (!({guard}))", f"  {word};"]
    if fill == "skip-zero":
        zeros = [array.at(row, f"{column} + {j}" if j else column)
                 for j in range(int(view["unit"]))]
        fill, jump = "none", [f"if (!({guard})) {{"] + [
            f"  {zero} = {array.element.zero};" for zero in zeros] + [
                "  continue;", "}"]
    if view["unit"] == "1":
        return jump + _scalar_copy(draft, array, fill, to, value, guard)
    return jump + _vector_copy(draft, array, fill, row, column, to, value,
                               guard)


def _scalar_copy(draft, array, fill, to, value, guard):
    view, kind = array.view, array.element
    access = view["access"]
    if access == "ldg":
        value = f"__ldg(&{value})"
    elif access == "scaled":
        value = f"{kind.one} * 3 * {value}"
    elif access == "from-half":
        value = f"__half2float({value})"
    elif access == "from-int8":
        value = f"{kind.spelled}({value})"
    elif access == "get":
        value = f"{draft.name}_get_{array.name}(&{value})"
        draft.helper(f"{draft.name}_get_{array.name}",
                     f"__device__ {kind.spelled} {{name}}(const "
                     f"{kind.spelled} *from) {{{{\n  return *from;\n}}}}")

    def store(what):
        if access == "put":
            helper = f"{draft.name}_put_{array.name}"
            draft.helper(helper, f"__device__ void {{name}}({kind.spelled} "
                         f"*to, {kind.spelled} v) {{{{\n  *to = v;\n}}}}")
            return [f"{helper}(&{to}, {what});"]
        return [f"{to} = {what};"]

    filler = kind.one if fill == "other-value" else kind.zero
    if access == "register":
        v = draft.fresh("v")
        if fill in ("none", "clamped"):
            return [f"const {kind.spelled} {v} = {value};"] + store(v)
        if fill in ("guard", "guard-fixed"):
            return [f"if ({guard}) {{",
                    f"  const {kind.spelled} {v} = {value};"] + [
                        f"  {line}" for line in store(v)] + ["}"]
        if fill == "zero-after":
            return [f"{kind.spelled} {v} = {value};", f"if (!({guard}))",
                    f"  {v} = {filler};"] + store(v)
        return [f"{kind.spelled} {v} = {filler};", f"if ({guard})",
                f"  {v} = {value};"] + store(v)
    return _filled(fill, guard, store, value, filler)


def _filled(fill, guard, store, value, filler):
    """A copy with its guard and its fill, from the parts of which they are."""
    if fill in ("none", "clamped"):
        return store(value)
    if fill in ("ternary", "other-value"):
        return store(f"{guard} ? {value} : {filler}")
    if fill == "if-else":
        return [f"if ({guard})", f"  {store(value)[0]}", "else",
                f"  {store(filler)[0]}"]
    if fill in ("guard", "guard-fixed"):
        return [f"if ({guard})", f"  {store(value)[0]}"]
    if fill == "zero-first":
        return store(filler) + [f"if ({guard})", f"  {store(value)[0]}"]
    assert fill == "zero-after", fill
    return store(value) + [f"if (!({guard}))", f"  {store(filler)[0]}"]


def _vector_copy(draft, array, fill, row, column, to, value, guard):
    view, kind = array.view, array.element
    width = int(view["unit"])
    vector = next(v for v, w in kind.vectors.items() if w == width)
    access = view["access"]
    zero = f"{vector}{{}}" if vector != "half2" else "half2()"
    if vector == "int":
        zero = "0"

    def wide(what, const=""):
        if access == "macro":
            draft.macro(f"{draft.name.upper()}_WIDE_{array.name.upper()}(p)",
                        f"(*({const}{vector} *)&(p))")
            return f"{draft.name.upper()}_WIDE_{array.name.upper()}({what})"
        if access == "c-cast":
            return f"*({const}{vector} *)&{what}"
        return f"*reinterpret_cast<{const}{vector} *>(&{what})"

    load = wide(value, "" if access == "macro" else "const ")
    if access == "scattered":
        v = draft.fresh("v")
        stores = [f"{array.at(row, f'{column} + {j}')} = {v}.{part};"
                  for j, part in enumerate("xyzw")]
        if fill in ("guard", "guard-fixed"):
            return [f"if ({guard}) {{", f"  const {vector} {v} = {load};"] + [
                f"  {line}" for line in stores] + ["}"]
        if fill == "none":
            return [f"const {vector} {v} = {load};"] + stores
        return [f"{vector} {v} = {zero};", f"if ({guard})",
                f"  {v} = {load};"] + stores
    if access == "vector-register":
        v = draft.fresh("v")
        to = wide(to)
        if fill == "none":
            return [f"const {vector} {v} = {load};", f"{to} = {v};"]
        if fill in ("guard", "guard-fixed"):
            return [f"if ({guard}) {{", f"  const {vector} {v} = {load};",
                    f"  {to} = {v};", "}"]
        return [f"{vector} {v} = {zero};", f"if ({guard})", f"  {v} = {load};",
                f"{to} = {v};"]
    return _filled(fill, guard, lambda what: [f"{wide(to)} = {what};"], load,
                   zero)
