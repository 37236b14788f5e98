# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The K-loop's header: how tiles are counted, where the variables live, how the
# end is spelled. Each option says where the current tile starts (`start`), where
# the first one does, by how much it moves, and what opens and steps the loop.
from . import shape
from .axis import Axis

HEADER = Axis("header")


class Loop:
    """`before` declares, `opening` is the header up to its brace, `step` are
    the last statements of the body, `closing` follows the brace."""

    def __init__(self, opening, start, first="0", move="BK", before=(),
                 step=(), closing="}", variables=None, live=None,
                 some_tiles=False):
        self.opening, self.start = opening, start
        self.first, self.move = first, move
        self.before, self.step, self.closing = list(before), list(step), closing
        self.variables = variables or {"k0": "int {}"}
        self.live = live  # an expression that is meaningful after the loop
        self.some_tiles = some_tiles  # launched with n > 0 only


# Headers that run a last partial tile as well, and those that do not go from
# tile to tile by the same step.
CEILING, UNEVEN = set(), set()
# Headers whose step is the body's last statement.
STEP_IN_BODY = {"step-in-body", "while", "do", "while-count",
                "while-count-positive", "while-bits", "while-assigned",
                "while-steps", "shared-span", "endless-while", "asked-behind"}


def header(name, ceiling=False, fits=lambda view: True, weight=1,
           uneven=False):
    def register(make):
        if ceiling:
            CEILING.add(name)
        if uneven:
            UNEVEN.add(name)
        HEADER.option(name, fits, weight)(
            lambda draft, array=None: setattr(draft, "loop", make(draft)))
        return make
    return register


@header("step", ceiling=True, weight=3)
def _(d):
    return Loop("for (int k0 = 0; k0 < n; k0 += BK) {", "k0")


@header("tiles", weight=3)
def _(d):
    return Loop("for (int t = 0; t < n / BK; ++t) {", "t * BK",
                variables={"t": "int {}"})


@header("tiles-ceiling", ceiling=True, weight=2)
def _(d):
    return Loop("for (int t = 0; t < (n + BK - 1) / BK; t++) {", "t * BK",
                variables={"t": "int {}"})


@header("tiles-named", ceiling=True)
def _(d):
    return Loop("for (int t = 0; t != tiles; ++t) {", "t * BK",
                before=["const int tiles = (n + BK - 1) / BK;"],
                variables={"t": "int {}", "tiles": "int {}"})


@header("two-variables", ceiling=True)
def _(d):
    return Loop("for (int k0 = 0, left = n; left > 0; k0 += BK, left -= BK) {",
                "k0", variables={"k0": "int {}", "left": "int {}"})


@header("both", ceiling=True)
def _(d):
    return Loop("for (int k0 = 0, t = 0; k0 < n; k0 += BK, ++t) {", "t * BK",
                variables={"k0": "int {}", "t": "int {}"})


@header("pointer", ceiling=True,
        fits=lambda v: v.of("xs")["layout"] == "vector" and
        v.of("xs")["access"] != "gathered")
def _(d):
    x = d.array("xs")
    return Loop(f"for (const {x.source_type} *p = {x.base}; p < {x.base} + n; "
                "p += BK) {", f"int(p - {x.base})",
                variables={"p": f"const {x.source_type} *{{}}"})


@header("inclusive")
def _(d):
    return Loop("for (int t = 0; t <= last; ++t) {", "t * BK",
                before=["const int last = n / BK - 1;"],
                variables={"t": "int {}", "last": "int {}"})


@header("inclusive-step")
def _(d):
    return Loop("for (int k0 = 0; k0 <= n - BK; k0 += BK) {", "k0")


@header("down")
def _(d):
    return Loop("for (int t = n / BK - 1; t >= 0; --t) {", "t * BK",
                first="(n - BK)", move="-BK", variables={"t": "int {}"})


@header("down-unsigned", weight=0.5)
def _(d):
    return Loop("for (unsigned left = n; left >= BK; left -= BK) {",
                "(left - BK)", first="(n - BK)", move="-BK",
                variables={"left": "unsigned {}"})


@header("not-equal")
def _(d):
    return Loop("for (int k0 = 0; k0 != n; k0 += BK) {", "k0")


@header("outside", ceiling=True)
def _(d):
    return Loop("for (k0 = 0; k0 < n; k0 += BK) {", "k0", before=["int k0;"],
                live="k0")


@header("outside-started", ceiling=True)
def _(d):
    return Loop("for (; k0 < n; k0 = k0 + BK) {", "k0",
                before=["int k0 = 0;"], live="k0")


@header("step-in-body", ceiling=True)
def _(d):
    return Loop("for (int k0 = 0; k0 < n;) {", "k0", step=["k0 += BK;"])


@header("while", ceiling=True, weight=2)
def _(d):
    return Loop("while (k0 < n) {", "k0", before=["int k0 = 0;"],
                step=["k0 += BK;"], live="k0")


@header("while-count", weight=0.2)
def _(d):
    return Loop("while (left--) {", "k0",
                before=["int left = n / BK, k0 = 0;"], step=["k0 += BK;"],
                variables={"k0": "int {}", "left": "int {}"}, live="left")


@header("while-count-positive", ceiling=True, weight=0.2)
def _(d):
    return Loop("while (left-- > 0) {", "k0",
                before=["int left = (n + BK - 1) / BK, k0 = 0;"],
                step=["k0 += BK;"],
                variables={"k0": "int {}", "left": "int {}"})


@header("do", ceiling=True,
        fits=lambda v: v["wrap"] != "function-then-none")
def _(d):
    return Loop("do {", "k0", before=["int k0 = 0;"], step=["k0 += BK;"],
                closing="} while (k0 < n);", live="k0", some_tiles=True)


@header("grid-stride", ceiling=True)
def _(d):
    return Loop("for (int k0 = blockIdx.x * BK; k0 < n; k0 += gridDim.x * BK) "
                "{", "k0", first="blockIdx.x * BK", move="gridDim.x * BK")


@header("thread-start", fits=lambda v: shape.depth(v) == shape.threads(v) and
        len(shape.dimensions(v)) == 1)
def _(d):
    return Loop("for (int k = threadIdx.x; k < n; k += BK) {", "(k - tid)",
                variables={"k": "int {}"})


@header("wide", ceiling=True)
def _(d):
    return Loop("for (size_t k0 = 0; k0 < n; k0 += BK) {", "k0",
                variables={"k0": "size_t {}"})


@header("unsigned", ceiling=True)
def _(d):
    return Loop("for (unsigned k0 = 0; k0 < unsigned(n); k0 += BK) {", "k0",
                variables={"k0": "unsigned {}"})


@header("fits-whole")
def _(d):
    return Loop("for (int k0 = 0; k0 + BK <= n; k0 += BK) {", "k0")


@header("two-conditions", ceiling=True)
def _(d):
    return Loop("for (int t = 0; t < 100 && t * BK < n; ++t) {", "t * BK",
                variables={"t": "int {}"})


@header("reversed-condition", ceiling=True)
def _(d):
    return Loop("for (int k0 = 0; n > k0; k0 += step) {", "k0",
                before=["const int step = BK;"],
                variables={"k0": "int {}", "step": "int {}"})


@header("minimum", ceiling=True)
def _(d):
    return Loop("for (int k0 = 0; k0 < min(n, 4096); k0 += BK) {", "k0")


# --- effects and operators in the header -------------------------------------
_MASK = "unsigned mask = (1u << n / BK) - 1;"


@header("bits", weight=0.7, uneven=True)
def _(d):
    return Loop("for (unsigned m = mask; m != 0; m &= m - 1) {",
                "(__ffs(m) - 1) * BK", before=[_MASK],
                variables={"m": "unsigned {}", "mask": "unsigned {}"})


@header("while-bits", weight=0.5, uneven=True)
def _(d):
    return Loop("while (m) {", "(__ffs(m) - 1) * BK",
                before=["unsigned m = (1u << n / BK) - 1;"],
                step=["m &= m - 1;"], variables={"m": "unsigned {}"})


@header("bit-test", weight=0.5)
def _(d):
    return Loop("for (int t = 0; mask >> t & 1; ++t) {", "t * BK",
                before=[_MASK],
                variables={"t": "int {}", "mask": "unsigned {}"})


@header("doubling", weight=0.5, uneven=True)
def _(d):
    return Loop("for (int s = 1; s <= n / BK; s <<= 1) {", "(s - 1) * BK",
                variables={"s": "int {}"})


@header("next", ceiling=True, weight=0.5)
def _(d):
    d.helper(f"{d.name}_next", "__device__ inline int {name}(int i) {{\n"
             f"  return i + {shape.depth(d.view)};\n}}}}")
    return Loop(f"for (int k0 = 0; k0 < n; k0 = {d.name}_next(k0)) {{", "k0")


@header("ternary", ceiling=True, weight=0.7)
def _(d):
    return Loop("for (int k0 = 0; n > 64 ? k0 < n : k0 + 1 <= n; k0 += BK) {",
                "k0")


@header("ternary-step", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int k0 = 0; k0 < n; k0 += n > 0 ? BK : 1) {", "k0")


@header("bits-in-condition", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int k0 = 0; k0 < n & n > 0 | k0 < 0; k0 += BK) {", "k0")


@header("minus-step", ceiling=True, weight=0.3)
def _(d):
    return Loop("for (int k0 = 0; k0 < n; k0 -= -BK) {", "k0")


@header("comma", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int k0 = 0; (void)n, k0 < n; k0 += BK) {", "k0")


@header("counting-condition", ceiling=True, weight=0.5)
def _(d):
    d.after.append("sum += float(asked);")
    return Loop("for (int k0 = 0; ++asked, k0 < n; k0 += BK) {", "k0",
                before=["int asked = 0;"],
                variables={"k0": "int {}", "asked": "int {}"})


@header("counting-step", ceiling=True, weight=0.5)
def _(d):
    d.after.append("sum += float(steps);")
    return Loop("for (int k0 = 0; k0 < n; k0 += BK, ++steps) {", "k0",
                before=["int steps = 0;"],
                variables={"k0": "int {}", "steps": "int {}"})


@header("assigned", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int k0 = 0, left; (left = n - k0) > 0; k0 += BK) {",
                "k0", variables={"k0": "int {}", "left": "int {}"})


@header("while-assigned", ceiling=True, weight=0.5)
def _(d):
    return Loop("while ((left = n - k0) > 0) {", "k0",
                before=["int k0 = 0, left;"], step=["k0 += BK;"],
                variables={"k0": "int {}", "left": "int {}"})


@header("while-steps", ceiling=True, weight=0.5)
def _(d):
    return Loop("while ((k0 += BK) < n) {", "k0", before=["int k0 = -BK;"],
                variables={"k0": "int {}"})


@header("wrapped", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (unsigned k0 = 0u - BK; (k0 += BK) < unsigned(n);) {",
                "k0", variables={"k0": "unsigned {}"})


@header("counted-down", weight=0.5)
def _(d):
    return Loop("for (int t = n / BK; t-- > 0;) {", "t * BK",
                first="(n - BK)", move="-BK", variables={"t": "int {}"})


@header("negated", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int k0 = 0; !(k0 >= n); k0 += BK) {", "k0")


@header("difference", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int t = 0; t * BK - n < 0; ++t) {", "t * BK",
                variables={"t": "int {}"})


@header("endless", ceiling=True, weight=0.3)
def _(d):
    return Loop("for (int k0 = 0;; k0 += BK) {\n    if (k0 >= n)\n      break;",
                "k0")


@header("endless-while", ceiling=True, weight=0.5)
def _(d):
    return Loop("while (true) {\n    if (!(k0 < n)) {\n      break;\n    }", "k0",
                before=["int k0 = 0;"], step=["k0 += BK;"], live="k0")


@header("break-besides", ceiling=True, weight=0.5)
def _(d):
    return Loop("for (int t = 0; t < 100; ++t) {\n    if (t * BK >= n) break;",
                "t * BK", variables={"t": "int {}"})


@header("endless-float", ceiling=True, weight=0.3)
def _(d):
    return Loop("for (int k0 = 0;; k0 += BK) {\n    if (float(k0) >= float(n)) "
                "break;", "k0")


@header("asked-behind", ceiling=True, weight=0.5,
        fits=lambda v: v["wrap"] != "function-then-none")
def _(d):
    return Loop("for (;;) {", "k0", before=["int k0 = 0;"],
                step=["k0 += BK;", "if (k0 >= n)", "  break;"], live="k0",
                some_tiles=True)


@header("second", ceiling=True, weight=0.7)
def _(d):
    return Loop("for (int k0 = 0, end = n; k0 < end; k0 += BK) {", "k0",
                variables={"k0": "int {}", "end": "int {}"})


@header("second-turns", ceiling=True, weight=0.7)
def _(d):
    d.slots["compute"].append("sum += float(turn_of);")
    return Loop("for (int k0 = 0, turn_of = 0; k0 < n; k0 += BK, turn_of ^= 1) "
                "{", "k0", variables={"k0": "int {}", "turn_of": "int {}"})


@header("second-shadows", ceiling=True, weight=0.7)
def _(d):
    """The header declares a variable with the name of the parameter."""
    deep = shape.depth(d.view)
    d.parameter("int {}", "m", f"n >= {2 * deep} ? n - {deep} : n")
    d.slots["compute"].append("sum += float(n);")
    d.after.append("sum -= float(n);")
    return Loop("for (int k0 = 0, n = m; k0 < n; k0 += BK) {", "k0")
