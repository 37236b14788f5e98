# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Memory that the loop reads and stores under two names. How the load reads it
# and how the compute stores it are axes of their own. Refusing is always right;
# a load that comes too early is not.
from . import shape, side
from .axis import OFTEN_PLAIN, Axis

CARRIED = Axis("carried", plain=OFTEN_PLAIN)
CARRIED.names("no")
STORED = Axis("stored", plain=0.3)


def _truthful(view):
    """A directive promises that nothing stored is loaded later."""
    return view["qualifier"] != "assume"


def _width(d):
    return min(side.SIZE, shape.depth(d.view))


def _ways(d):
    """Two parameters for one buffer, which is long enough for each block."""
    if "inout" in d.scope:
        return
    size = f"{d.blocks} * (n + {2 * shape.depth(d.view) + 64})"
    d.parameter("float *{}", "inout", f'in<float>("inout", {size})')
    d.parameter("const float *{}", "seen", None, "inout")


def _index(d, by):
    deep = 2 * shape.depth(d.view) + 64
    return f"{d.block} * (n + {deep}) + {d.K} + {by}"


def carried(name, fits=lambda view: True, weight=1):
    """A way to read: returns lines and the value of one element."""
    def register(make):
        def write(d):
            _ways(d)
            before, value = make(d, _index(d, "tid"))
            side.tile(d, [*before, f"if (tid < {_width(d)})",
                          f"  @[tid] = {value};", "else if (tid < 32)",
                          "  @[tid] = 0.0f;"])
        CARRIED.option(name, lambda v: _truthful(v) and fits(v), weight)(write)
        return make
    return register


@carried("parameter", weight=2)
def _(d, index):
    return [], f"seen[{index}]"


@carried("same-parameter")
def _(d, index):
    return [], f"inout[{index}]"


@carried("block-restrict")
def _(d, index):
    return [f"const float *__restrict__ only = seen + {index};"], "*only"


@carried("init-capture")
def _(d, index):
    return [f"auto last = [v = seen[{index}]] {{ return v; }};"], "last()"


@carried("closure")
def _(d, index):
    d.before.append("auto look = [=](int j) { return seen[j]; };")
    return [], f"look({index})"


@carried("copy-constructor")
def _(d, index):
    """A copy that a constructor of the user's makes."""
    d.helpers[f"{d.name}_num"] = (
        f"struct {d.name}_num {{\n  float v;\n  {d.name}_num() = default;\n"
        f"  __device__ {d.name}_num(const {d.name}_num &o) : v(o.v) {{}}\n}};\n"
        f"struct {d.name}_pack {{\n  {d.name}_num a;\n}};")
    return [f"{d.name}_pack packed = reinterpret_cast<const {d.name}_pack &>("
            f"seen[{index}]);"], "packed.a.v"


@carried("assignment")
def _(d, index):
    d.helpers[f"{d.name}_num"] = (
        f"struct {d.name}_num {{\n  float v;\n  __device__ {d.name}_num &"
        f"operator=(const {d.name}_num &o) {{\n    v = o.v;\n    return "
        f"*this;\n  }}\n}};\nstruct {d.name}_pack {{\n  {d.name}_num a;\n}};")
    return [f"{d.name}_pack packed;",
            f"packed = reinterpret_cast<const {d.name}_pack &>(seen[{index}]);"
            ], "packed.a.v"


@carried("member-initialiser")
def _(d, index):
    d.helpers[f"{d.name}_peek"] = (
        f"struct {d.name}_peek {{\n  const float *p;\n  float v = *p;\n}};")
    return [f"{d.name}_peek peek{{seen + {index}}};"], "peek.v"


@carried("constructor")
def _(d, index):
    d.helpers[f"{d.name}_peek"] = (
        f"struct {d.name}_peek {{\n  float v;\n  __device__ explicit "
        f"{d.name}_peek(const float *p) : v(*p) {{}}\n}};")
    return [f"const {d.name}_peek peek(seen + {index});"], "peek.v"


@carried("member-pointer")
def _(d, index):
    d.helpers[f"{d.name}_scalar"] = f"struct {d.name}_scalar {{\n  float v;\n}};"
    d.before.append(f"float {d.name}_scalar::*const member = &{d.name}_scalar::v;")
    return [], (f"reinterpret_cast<const {d.name}_scalar *>(seen + {index})"
                "->*member")


@carried("conversion")
def _(d, index):
    d.helpers[f"{d.name}_box"] = (
        f"struct {d.name}_box {{\n  const float *p;\n  __device__ operator "
        "float() const { return *p; }\n};")
    return [f"const {d.name}_box box{{seen + {index}}};"], "box"


@carried("accessor")
def _(d, index):
    d.helpers[f"{d.name}_row"] = (
        f"struct {d.name}_row {{\n  const float *p;\n  __device__ const float "
        "&operator[](int i) const { return p[i]; }\n};")
    d.before.append(f"const {d.name}_row row{{seen}};")
    return [], f"row[{index}]"


@carried("function-pointer")
def _(d, index):
    d.helper(f"{d.name}_pick", "__device__ float {name}(const float *p, int i) "
             "{{\n  return p[i];\n}}")
    d.before.append("float (*const pick)(const float *, int) = "
                    f"{d.name}_pick;")
    return [], f"pick(seen, {index})"


@carried("struct")
def _(d, index):
    d.helpers[f"{d.name}_views"] = (
        f"struct {d.name}_views {{\n  const float *a;\n  float *b;\n}};")
    d.before.append(f"const {d.name}_views views{{seen, inout}};")
    return [], f"views.a[{index}]"


@carried("local-table")
def _(d, index):
    d.before.append("const float *const rows[2] = {seen, seen};")
    return [], f"rows[tid & 1][{index}]"


@carried("device-table", weight=2)
def _(d, index):
    """Two tables in global memory hold the same pointer."""
    _tables(d)
    return [], f"{d.name}_from_table[0][{index}]"


def _tables(d):
    d.helpers[f"{d.name}_tables"] = (
        f"__device__ float *{d.name}_from_table[2];\n"
        f"__device__ float *{d.name}_to_table[2];\n"
        f"__global__ void {d.name}_setup(float *p) {{\n"
        f"  {d.name}_from_table[0] = {d.name}_from_table[1] = p;\n"
        f"  {d.name}_to_table[0] = {d.name}_to_table[1] = p;\n}}")
    d.setup = [f"launch({{dim3(1), dim3(1)}}, {d.name}_setup, inout);"]


def stored(name, fits=lambda view: True):
    def register(make):
        STORED.option(name, lambda v: v["carried"] != "no" and fits(v))(
            lambda d: d.slots["compute"].extend(
                [f"if (tid < {_width(d)}) {{"] + [
                    f"  {line}" for line in make(d, _index(
                        d, f"{d.depth} + tid"))] + ["}"]))
        return make
    return register


STORED.option("none")(lambda d: None)


@stored("parameter")
def _(d, index):
    return [f"inout[{index}] = sum;"]


@stored("same-tile")
def _(d, index):
    """In place: no later tile sees what is stored."""
    return [f"inout[{_index(d, 'tid')}] = sum;"]


@stored("block-restrict")
def _(d, index):
    return [f"float *__restrict__ to = inout + {index};", "*to = sum;"]


@stored("closure")
def _(d, index):
    d.before.append("auto leave = [=](int j, float v) { inout[j] = v; };")
    return [f"leave({index}, sum);"]


@stored("device-table")
def _(d, index):
    _tables(d)
    return [f"{d.name}_to_table[0][{index}] = sum;"]


@stored("helper")
def _(d, index):
    d.helper(f"{d.name}_keep", "__device__ void {name}(float &to, float v) "
             "{{\n  to = v;\n}}")
    return [f"{d.name}_keep(inout[{index}], sum);"]


@stored("assignment-operator")
def _(d, index):
    d.helpers[f"{d.name}_sink"] = (
        f"struct {d.name}_sink {{\n  float *p;\n  __device__ void "
        "operator=(float v) { *p = v; }\n};")
    return [f"{d.name}_sink sink{{inout + {index}}};", "sink = sum;"]


@stored("atomic")
def _(d, index):
    return [f"atomicAdd(&inout[{index}], 1.0f);"]


@stored("destructor")
def _(d, index):
    d.helpers[f"{d.name}_leaver"] = (
        f"struct {d.name}_leaver {{\n  float *p;\n  float v;\n  __device__ "
        f"~{d.name}_leaver() {{ *p = v; }}\n}};")
    return [f"{d.name}_leaver leaver{{inout + {index}, sum}};"]
