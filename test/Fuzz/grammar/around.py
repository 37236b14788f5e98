# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What stands around the loop: code that uses the arrays after it, loops that
# enter it again, names that collide, how parameters are declared, directives.
from . import shape
from .access import PARTIAL
from .axis import Axis
from .effect import trailing
from .header import CEILING
from .walk import cover

QUALIFIER = Axis("qualifier")
QUALIFIER.names("restrict", "const", "plain", "members", "assume")

OUTER = Axis("outer", plain=0.7)
OUTER.names("none", "repeat", "persistent", "range-for", "while", "do",
            "goto-back", "closure")

NAMES = Axis("names", plain=0.6)
NAMES.names("ordinary", "taken", "source-macro", "tile-macro")
NAMES.option("shadowed-parameter", lambda v: v["header"] in (
    "step", "inclusive-step", "not-equal", "fits-whole", "grid-stride",
    "unsigned"))(lambda d: d.shadow())

DIRECTIVE = Axis("directive", plain=0.85)
DIRECTIVE.names("none", "stages=3", "variant=ldg", "stages=1")

PRAGMA = Axis("pragma", plain=0.85)
PRAGMA.names("none", "unroll 1", "unroll 1 and comment")

AFTER = Axis("after", plain=0.5)
AFTER.option("nothing")(lambda d: None)


def _reading(d):
    """Lines that add up one element of each array."""
    return [f"sum += {a.read('0', f'((tid + 1) % {shape.extents(a.view)[1]})')};"
            for a in d.arrays]


def _every_block_has_a_tile(view):
    return view["header"] != "grid-stride"


@AFTER.option("read", _every_block_has_a_tile)
def _(d):
    """The last tile. A barrier first where the body does not end with one."""
    d.after += [d.barrier(), "if (n > 0) {"] + [
        f"  {line}" for line in _reading(d)] + ["}"]


@AFTER.option("write")
def _(d):
    x = d.array("xs")
    d.after += [d.barrier()] + cover(
        d, x.view.plain(),
        lambda r, c: [f"{x.at(r, c)} = {x.element.one};"]) + [
            d.barrier(), _reading(d)[0]]


@AFTER.option("write-at-once", trailing)
def _(d):
    """The body's last barrier is the one that the writes need."""
    x = d.array("xs")
    d.after += cover(d, x.view.plain(),
                     lambda r, c: [f"{x.at(r, c)} = {x.element.one};"]) + [
                         d.barrier(), _reading(d)[0]]


@AFTER.option("part", lambda v: v["outer"] == "none" and
              v.of("xs")["place"] == "flat" and _every_block_has_a_tile(v))
def _(d):
    """A part of the last tile is overwritten, the rest of it is read."""
    x = d.array("xs")
    d.after += [d.barrier(), "if (n > 0) {", "  if (tid < 3)",
                f"    xs[tid] = {x.element.one};", f"  {d.barrier()}",
                f"  sum += {x.element.value.format('xs[tid % 7]')};", "}"]


@AFTER.option("live", lambda v: v["header"] in ("outside", "outside-started",
                                                "while", "while-count", "do"))
def _(d):
    d.after.append(f"sum += float({d.loop.live});")


@AFTER.option("second-loop", lambda v: v["header"] != "pointer" and
              all(a["address"] == "direct" for a in v.arrays))
def _(d):
    """Another tile loop fills the same arrays, from the same sources."""
    d.after += [d.barrier(), "for (int k1 = 0; k1 < n; k1 += "
                f"{d.depth}) {{"] + [f"  {line}" for line in d.second_body(
                    "k1")] + ["}"]


def partial(view):
    """May n be no multiple of the tile's depth?"""
    return view["header"] in CEILING and all(
        a["fill"] in PARTIAL for a in view.arrays)
