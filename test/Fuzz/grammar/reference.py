# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Storage that has a second name: references, pointers and closures that reach
# the loop's variable, an induction of the body, or an element of a tile.
import re

from . import side
from .axis import OFTEN_PLAIN, Axis

REFERENCE = Axis("reference", plain=OFTEN_PLAIN)
REFERENCE.names("no")

# The headers whose variable is declared before the loop, as k0.
OUTSIDE = ("outside", "outside-started", "while", "do", "while-count",
           "while-count-positive")


def _outside(view):
    return view["header"] in OUTSIDE


def reference(name, fits=lambda view: True, weight=1):
    return REFERENCE.option(name, fits, weight)


@reference("of-loop", _outside, 3)
def _(d):
    d.before.append("const int &at = k0;")
    side.load(d, f"{side.feed(d)}[at + tid]")


@reference("of-loop-in-body")
def _(d):
    variable = next(iter(d.loop.variables))
    d.slots["top"].append(f"const auto &here = {variable};")
    start = re.sub(rf"\b{variable}\b", "here", d.K)
    side.load(d, f"{side.feed(d)}[{start} + tid]")
    d.slots["compute"].append("sum += here == 0 ? 1.0f : 2.0f;")


@reference("pointer-to-loop", _outside, 3)
def _(d):
    d.before.append("const int *const where = &k0;")
    side.load(d, f"{side.feed(d)}[*where + tid]")


@reference("closure-of-loop", _outside, 3)
def _(d):
    d.before.append(f"auto at = [&](int j) {{ return {side.feed(d)}[k0 + j]; }};")
    side.load(d, "at(tid)")


@reference("closure-of-loop-in-compute", _outside, 3)
def _(d):
    d.before.append("auto here = [&] { return float(k0); };")
    d.slots["compute"].append("sum += here();")


@reference("closure-by-value")
def _(d):
    d.before.append("auto twice = [=](int j) { return j * 2 + (n & 1); };")
    side.load(d, f"{side.feed(d)}[{d.K} + twice(tid)]")


def induction(name, value, *declared, step="off += {by};", last="off",
              early=False):
    """A variable of the program's own that runs with the tiles: load and
    compute read it, the compute's end or the load steps it."""
    @reference(name)
    def _(d):
        d.before += [line.replace("@", side.feed(d)).replace(
            "{by}", d.depth).replace("{name}", d.name) for line in declared]
        side.load(d, value.replace("@", side.feed(d)).replace(
            "{name}", d.name))
        lines = [line.replace("{by}", d.depth).replace("{name}", d.name)
                 for line in step.split("\n")]
        if early:
            d.slots["load"] += lines
        else:
            d.slots["compute"].append(f"sum += float({last});")
            d.slots["behind-compute"] += lines
        d.after.append(f"sum += float({last});")
        if "{name}" not in " ".join([*declared, step]):
            return
        d.helpers[f"{d.name}_cursor"] = (
            f"struct {d.name}_cursor {{\n  int a, by;\n"
            "  __device__ void go() { a += by; }\n"
            "  __device__ int at(int j) const { return a + j; }\n};\n"
            f"struct {d.name}_link {{\n  int *p;\n}};\n"
            f"__device__ inline void {d.name}_go(int &i, int by) {{\n"
            "  i += by;\n}")


_OFF = "int off = 0;"
for _early in False, True:
    _at = "-early" if _early else ""
    induction(f"closure{_at}", "at(tid)", _OFF,
              "auto at = [&](int j) { return @[off + j]; };", early=_early)
    induction(f"alias{_at}", "@[other + tid]", _OFF, "int &other = off;",
              early=_early)
    induction(f"stepped-by-alias{_at}", "@[off + tid]", _OFF,
              "int &other = off;", step="other += {by};", early=_early)
    induction(f"stepped-by-pointer{_at}", "@[off + tid]", _OFF,
              "int *const other = &off;", step="*other += {by};", early=_early)
    induction(f"stepped-by-closure{_at}", "@[off + tid]", _OFF,
              "auto go = [&off] { off += {by}; };", step="go();", early=_early)
    induction(f"init-capture{_at}", "@[off + tid]", _OFF,
              "auto go = [&o = off](int by) { o += by; };", step="go({by});",
              early=_early)
    induction(f"stepped-by-helper{_at}", "@[off + tid]", _OFF,
              step="{name}_go(off, {by});", early=_early)
    induction(f"binding{_at}", "@[off + tid]",
              "auto [off, by] = {name}_cursor{0, {by}};", step="off += by;",
              early=_early)
    induction(f"binding-reference{_at}", "@[both.a + tid]",
              "{name}_cursor both{0, {by}};", "auto &[off, by] = both;",
              step="off += by;", early=_early)
    induction(f"member-pointer{_at}", "@[both.a + tid]",
              "{name}_cursor both{0, {by}};",
              "int {name}_cursor::*const which = &{name}_cursor::a;",
              step="both.*which += {by};", last="both.a", early=_early)
    induction(f"method{_at}", "@[both.at(tid)]", "{name}_cursor both{0, {by}};",
              step="both.go();", last="both.a", early=_early)
    induction(f"hidden-array{_at}", "@[at[0] + tid]", "int at[1] = {0};",
              "{name}_link link;", "link.p = at;", step="*link.p += {by};",
              last="at[0]", early=_early)
    induction(f"mutable-closure{_at}", "@[off + tid]", _OFF,
              "auto next = [o = 0]() mutable { o += {by}; return o; };",
              step="off = next();", early=_early)


@reference("closure-place")
def _(d):
    """A closure over what the load advances says where it stores."""
    d.before += ["int turn = 0;",
                 "auto place = [&](int j) { return (turn + j) % 32; };"]
    side.tile(d, ["if (tid < 32)", f"  @[place(tid)] = {side.feed(d)}[{d.K} + "
                  "tid];", "turn += 5;"])


@reference("place-set-behind")
def _(d):
    """Where the next tile goes is set, as a whole, behind the copy."""
    d.before.append("int turn = 0;")
    side.tile(d, ["if (tid < 32)", f"  @[(turn + tid) % 32] = {side.feed(d)}["
                  f"{d.K} + tid];", f"turn = ({side.number(d)} + 1) & 3;"])


@reference("element-reference")
def _(d):
    """A reference to an element of the tile, made before it is loaded."""
    name = side.tile(d, [f"float &cell = @[tid & 31];",
                         f"if (tid < 32)",
                         f"  cell = {side.feed(d)}[{d.K} + tid];"])
    d.slots["compute"].append("sum += tid < 32 ? cell : 0.0f;")


@reference("tile-alias")
def _(d):
    """The tile under another name, from before the loop."""
    name = side.tile(d, ["if (tid < 32)",
                         f"  cells[tid] = {side.feed(d)}[{d.K} + tid];"])
    d.before.append(f"float *const cells = {name};")


@reference("tile-closure")
def _(d):
    """A closure from before the loop reads the tile."""
    name = side.load(d, f"{side.feed(d)}[{d.K} + tid]")
    d.before.append(f"auto cell = [&](int j) {{ return {name}[j & 31]; }};")
    d.slots["compute"].append("sum += cell(tid + 7);")


@reference("bound-alias", lambda v: v["header"] in (
    "step", "while", "outside", "outside-started"))
def _(d):
    """The bound is a reference to a variable that somebody holds."""
    d.before += ["int limit = n;", "int &end = limit;"]
    d.loop.opening = d.loop.opening.replace("< n", "< end", 1)
    d.slots["compute"].append("sum += float(limit & 7);")
