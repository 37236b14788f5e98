# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Names that collide and shadow: with those that the rewriting introduces, with
# parameters, with each other; and what else the body declares by a name.
from . import side
from .axis import OFTEN_PLAIN, Axis

COLLISION = Axis("collision", plain=OFTEN_PLAIN)
COLLISION.names("no")

# What the rewritten loop calls its own things.
TAKEN = ("stage", "slot", "tile", "more", "load_tile", "compute_tile",
         "next_tile", "has_tile", "k0_ahead", "xs_reg", "kpipe")


def _ordinary(view):
    return view["names"] not in ("taken", "source-macro", "tile-macro")


def _renamed(which, fits, names):
    """Options that give one thing of the program a name that is taken. The name
    in the text is told by the draft."""
    for name in TAKEN:
        COLLISION.option(
            f"{which}-is-{name}", lambda v: _ordinary(v) and fits(v),
            0.12)(lambda d, name=name: d.renames.update(
                {old: name for old in names(d)}))


_renamed("loop", lambda v: True, lambda d: list(d.loop.variables)[:1])
_renamed("thread", lambda v: True, lambda d: ["tid"])
_renamed("sum", lambda v: True, lambda d: ["sum"])
_renamed("tiles", lambda v: True, lambda d: ["xs"])
_renamed("source", lambda v: v["qualifier"] != "members", lambda d: ["x"])
_renamed("counters", lambda v: True, lambda d: ["i1", "j1"])

# The compute's own counter has the name of something outside.
for _name in ("n", "y", "k0", "t", "x"):
    COLLISION.option(f"counter-is-{_name}", lambda v, name=_name:
                     _ordinary(v) and v["product"] == "no" and
                     v["compute"] in ("inline", "braces") and
                     (name != "x" or v["qualifier"] != "members"),
                     0.3)(lambda d, name=_name: d.renames.update({"j1": name}))


def collision(name, fits=lambda view: True, weight=1):
    return COLLISION.option(name, fits, weight)


@collision("body-variables", _ordinary)
def _(d):
    d.slots["top"] += [f"const int slot = {side.number(d)}, more = slot + 1;",
                       "const float tile = 0.5f;"]
    d.slots["compute"].append("sum += tile * float(slot * more);")


@collision("body-variable-stage", _ordinary)
def _(d):
    d.slots["top"].append(f"int stage = {side.number(d)} & 1;")
    side.load(d, f"{side.feed(d)}[{d.K} + tid] * float(stage)")
    d.slots["compute"] += ["stage ^= 1;", "sum += float(stage);"]


def _shadowed(d):
    d.parameter("float {}", "scale", "0.75f")
    d.parameter("const float *__restrict__ {}", "scales",
                'in<float>("scales", 64)')
    d.after.append("sum -= scale;")


@collision("reference-shadows-parameter")
def _(d):
    _shadowed(d)
    d.slots["top"].append(f"const float &scale = scales[{side.number(d)} & 63];")
    side.load(d, f"{side.feed(d)}[{d.K} + tid] * scale")
    d.slots["compute"].append("sum += scale;")


@collision("value-shadows-parameter")
def _(d):
    _shadowed(d)
    d.slots["top"].append(f"const float scale = scales[{side.number(d)} & 63];")
    d.slots["compute"].append("sum += scale;")


@collision("late-shadow")
def _(d):
    """The load reads the parameter, the compute a variable of its name."""
    _shadowed(d)
    side.load(d, f"{side.feed(d)}[{d.K} + tid] * scale")
    d.slots["compute"] += ["const float scale = sum * 0.25f;", "sum += scale;"]


@collision("load-shadow")
def _(d):
    """The other way round: the load's variable stands in a block."""
    _shadowed(d)
    d.slots["load"] += ["{", f"  const float scale = scales[{side.number(d)} "
                        "& 63];"]
    side.load(d, f"{side.feed(d)}[{d.K} + tid] + scale")
    d.slots["load"].append("}")
    d.slots["compute"].append("sum += scale;")


@collision("init-shadow")
def _(d):
    """Declared in the header of an if."""
    _shadowed(d)
    d.slots["compute"].append(
        "if (const float scale = sum; scale > 1.0f)")
    d.slots["compute"].append("  sum -= scale * 0.125f;")
    d.slots["compute"].append("sum += scale;")


@collision("macro-of-local", _ordinary)
def _(d):
    d.macro(f"{d.name.upper()}_STAGED(v)", "((v) * stage + slot)")
    d.before.append("const float stage = 1.5f, slot = 0.25f;")
    d.slots["compute"].append(f"sum += {d.name.upper()}_STAGED(sum > 0);")


@collision("macro-of-loop", _ordinary)
def _(d):
    """The macro's text is the only place that names the loop's variable."""
    d.macro(f"{d.name.upper()}_HERE", f"({d.K})".replace("BK", d.depth))
    side.load(d, f"{side.feed(d)}[{d.name.upper()}_HERE + tid]")
    d.slots["compute"].append(f"sum += float({d.name.upper()}_HERE);")


@collision("macro-of-body", _ordinary)
def _(d):
    d.macro(f"{d.name.upper()}_TILE", "(tile + more)")
    d.slots["top"].append(f"const int tile = {side.number(d)}, more = 2;")
    side.load(d, f"{side.feed(d)}[{d.name.upper()}_TILE + tid]")
    d.slots["compute"].append(f"sum += float({d.name.upper()}_TILE);")


@collision("macro-names", _ordinary)
def _(d):
    """The names themselves are macros."""
    for name, text in (("stage", "3"), ("slot", "(tid & 3)"),
                       ("load_tile(v)", "((v) + 1)"), ("more", "sum")):
        d.macro(name, text)
    d.slots["compute"].append("sum += float(load_tile(stage) * slot) - 0.5f * "
                              "more;")


@collision("imported-name", _ordinary)
def _(d):
    """A macro names a variable of a namespace, under using."""
    d.helpers[f"{d.name}_space"] = (f"namespace {d.name}_space {{\n"
                                    "__device__ const int stage = 9;\n}")
    d.macro(f"{d.name.upper()}_NINE", "(stage * 2)")
    d.before.append(f"using {d.name}_space::stage;")
    d.slots["compute"].append(f"sum += float({d.name.upper()}_NINE);")


@collision("local-using")
def _(d):
    d.slots["top"] += ["using F = float;", "typedef int Index;"]
    d.slots["compute"] += ["for (Index q = 0; q < 3; ++q)",
                           "  sum += F(q) * 0.5f;"]


@collision("local-constant")
def _(d):
    d.slots["top"].append("constexpr int Half = 4;")
    d.slots["compute"].append("sum += float(tid / Half);")


@collision("local-enum")
def _(d):
    d.slots["top"] += ["enum { Half = 4, Whole = 2 * Half };",
                       'static_assert(Whole == 8, "");']
    side.load(d, f"{side.feed(d)}[{d.K} + tid + Half]")
    d.slots["compute"].append("sum += float(tid % Whole);")


@collision("local-struct")
def _(d):
    d.slots["top"].append("struct Two { float a, b; };")
    d.slots["compute"] += ["Two both{sum, 0.5f};", "sum += both.a * both.b;"]


@collision("local-extent")
def _(d):
    """The extent of an array in the body is a constant of the body."""
    d.slots["top"].append("constexpr int W = 32;")
    d.slots["top"].append("__shared__ float wide[W];")
    d.slots["load"] += ["if (tid < W)",
                        f"  wide[tid] = {side.feed(d)}[{d.K} + tid];"]
    d.slots["compute"].append("sum += wide[(tid * 3 + 1) % W];")


@collision("local-template-argument")
def _(d):
    d.helpers[f"{d.name}_times"] = ("template <int N> __device__ float "
                                    f"{d.name}_times(float v) {{\n"
                                    "  return v * N;\n}")
    d.slots["top"].append("constexpr int Two = 2;")
    d.slots["compute"].append(f"sum += {d.name}_times<Two>(sum) * 0.125f;")


def _countable(view):
    return view["header"] not in ("pointer",)


@collision("decltype", _countable)
def _(d):
    variable = next(iter(d.loop.variables))
    d.slots["compute"] += [f"for (decltype({variable}) q = 0; q < 3; ++q)",
                           "  sum += float(q);"]


@collision("sizeof", _countable)
def _(d):
    """Only an operand that is not evaluated names the loop's variable."""
    variable = next(iter(d.loop.variables))
    d.slots["compute"].append(f"sum += float(sizeof({variable}) + sizeof xs[0]);")


@collision("function-name", weight=0.5)
def _(d):
    d.slots["compute"].append("sum += float(__func__[0] + sizeof(__func__));")


@collision("host-pass")
def _(d):
    d.slots["compute"] += ["#ifdef __CUDA_ARCH__", "sum += 0.5f;", "#else",
                           "sum += 0.25f;", "#endif"]


@collision("host-pass-load")
def _(d):
    name = side.feed(d)
    side.tile(d, ["#ifdef __CUDA_ARCH__", "if (tid < 32)",
                  f"  @[tid] = {name}[{d.K} + tid];", "#else",
                  "if (tid < 32)", f"  @[tid] = {name}[{d.K} + tid + 1];",
                  "#endif"])
