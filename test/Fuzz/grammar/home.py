# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where the arrays' memory comes from: arrays of their own, or parts of one block,
# static or dynamic, that get their names before the loop. And how a function that
# the loop stands in takes them.
from . import place
from .axis import Axis
from .delivery import FUNCTIONS, OWN

HOME = Axis("home", plain=0.3)
HOME.names("static", "extern", "carved")
# Parts by reference; members of one object; an array of elements as the block.
HOME.names("references", "members", "extern-references")
HOME.option("elements", lambda v: len({a["type"] for a in v.arrays}) == 1)(
    lambda d: None)
# More than the tiles need: what follows the loop uses all of it, or nobody does.
HOME.names("extern-larger", "extern-reused")
# Right only in one buffer, if at all: a name is given again in each iteration.
HOME.option("given-again", weight=0.4)(lambda d: None)

_DYNAMIC = ("extern", "extern-references", "extern-larger", "extern-reused")
_BY_REFERENCE = ("references", "extern-references")
_BYTES = {"float": 4, "half": 2, "double": 8, "int": 4, "int8": 1, "float4": 16,
          "float2": 8, "struct": 8}

PASSED = Axis("passed", plain=0.5)
PASSED.names("pointers")
PASSED.option("references", lambda v: v["wrap"] in FUNCTIONS and v["wrap"] not in
              OWN and v["home"] in ("static", "members", *_BY_REFERENCE), 3)(
                  lambda d: None)
PASSED.option("unsized", lambda v: v["wrap"] in FUNCTIONS and v["wrap"] not in
              OWN)(lambda d: None)


def dynamic(view):
    return view["home"] in _DYNAMIC


def passed(array, how):
    """How a function takes the array."""
    bounds = "".join(f"[{b}]" for b in place.bounds(array.view))
    spelled = array.element.spelled
    if how == "references":
        return f"{spelled} (&{{}}){bounds}"
    if how == "unsized":
        return f"{spelled} {{}}[]" + bounds[bounds.index("]") + 1:]
    return array.parameter()


def storage(d, view):
    """The declarations of the arrays, and the bytes of a launch."""
    home, block = view["home"], f"{d.name}_memory"
    aligned = any(a.view["unit"] != "1" for a in d.arrays)
    if home == "static":
        align = "__align__(16) " if aligned else ""
        return [f"__shared__ {align}{a.declaration()};" for a in d.arrays], 0
    if home == "members":
        return _members(d), 0
    parts, at = [], 0
    for a in d.arrays:
        parts.append((a, at))
        at += (place.total(a.view) * _BYTES[a.view["type"]] + 15) // 16 * 16
    if home == "elements":
        return _elements(d, parts, at), 0
    names = [_name(a, f"{block} + {offset}", home in _BY_REFERENCE)
             for a, offset in parts]
    d.scope[block] = "unsigned char *{}"
    if home == "given-again":
        d.slots["top"] += [f"{a.name} = reinterpret_cast<"
                           f"{a.parameter().format('')}>({block} + {offset});"
                           for a, offset in parts]
    if not dynamic(view):
        return [f"__shared__ __align__(16) unsigned char {block}[{at}];",
                *names], 0
    if home in ("extern-larger", "extern-reused"):
        at = max(3 * at, 4 * d.threads)
    if home == "extern-reused":
        _reuse(d, block)
    return [f"extern __shared__ __align__(16) unsigned char {block}[];",
            *names], at


def _name(a, where, reference):
    pointer = a.parameter()
    if not reference:
        return (f"{pointer.format(a.name)} = reinterpret_cast<"
                f"{pointer.format('')}>({where});")
    bounds = "".join(f"[{b}]" for b in place.bounds(a.view))
    return (f"{a.element.spelled} (&{a.name}){bounds} = *reinterpret_cast<"
            f"{a.element.spelled} (*){bounds}>({where});")


def _members(d):
    fields = "".join("  __align__(16) " + a.declaration().replace(
        f" {a.name}[", f" {a.name}_part[", 1) + ";\n" for a in d.arrays)
    tiles = f"{d.name}_tiles"
    extent = "template <int BK>\n" if "[BK]" in fields else ""
    d.helpers[tiles] = f"{extent}struct {tiles} {{\n{fields}}};"
    kind = f"{tiles}<BK>" if extent else tiles
    return [f"__shared__ {kind} whole_tiles;"] + [
        f"auto &{a.name} = whole_tiles.{a.name}_part;" for a in d.arrays]


def _elements(d, parts, size):
    """An array of the elements' own type, and pointers into it."""
    each = _BYTES[d.arrays[0].view["type"]]
    spelled = d.arrays[0].element.spelled
    lines = [f"__shared__ __align__(16) {spelled} whole[{size // each}];"]
    for a, at in parts:
        where = f"whole + {at // each}" if at else "whole"
        pointer = a.parameter()
        lines.append(f"{pointer.format(a.name)} = {where};"
                     if "(*" not in pointer else
                     f"{pointer.format(a.name)} = reinterpret_cast<"
                     f"{pointer.format('')}>({where});")
    return lines


def _reuse(d, block):
    """The whole block is scratch of what follows the loop."""
    near = f"[(tid + 5) % {d.threads}]"
    d.after += [d.barrier(), f"float *const rest = reinterpret_cast<float *>("
                f"{block});", "rest[tid] = sum;", d.barrier(),
                f"sum += 0.5f * rest{near};", d.barrier()]
