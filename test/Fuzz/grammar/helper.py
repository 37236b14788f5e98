# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Helpers of the author's: block reductions and barriers in functions, accessors,
# methods, deduced templates, functions that take functions.
from . import side
from .axis import OFTEN_PLAIN, Axis
from .delivery import FUNCTIONS

HELPER = Axis("helper", plain=OFTEN_PLAIN)
HELPER.names("no")


def helper(name, fits=lambda view: True, weight=1):
    return HELPER.option(name, fits, weight)


def _reduction(d, closing):
    d.shared(f"float parts[{d.threads}]")
    end = "  __syncthreads();\n" if closing else ""
    d.helper(f"{d.name}_block_sum",
             "__device__ float {name}(float v, float *parts, int tid) {{\n"
             "  parts[tid] = v;\n  __syncthreads();\n  v = parts[0] + "
             f"parts[{d.threads // 2}] - parts[(tid + 3) % {d.threads}];\n"
             f"{end}  return v;\n}}}}")
    return f"{d.name}_block_sum(sum, parts, tid)"


@helper("reduction", weight=2)
def _(d):
    d.slots["compute"].append(f"sum += 0.5f * {_reduction(d, True)};")


@helper("reduction-open", lambda v: v["arrangement"] not in (
    "skip-last", "skip-first"), 2)
def _(d):
    """Its last barrier is the body's, or the next load's."""
    d.slots["compute"].append(f"sum += 0.5f * {_reduction(d, False)};")
    d.after.append(d.barrier())


@helper("reduction-stored")
def _(d):
    d.parameter("float *__restrict__ {}", "totals",
                f'out<float>("totals", {d.blocks})')
    d.slots["compute"] += [f"const float total = {_reduction(d, True)};",
                           "if (tid == 0)", f"  totals[{d.block}] = total;"]


@helper("reduction-tree")
def _(d):
    """The usual loop with a barrier in each step."""
    half = d.threads // 2
    d.shared(f"float tree[{d.threads}]")
    d.slots["compute"] += [
        "tree[tid] = sum;", d.barrier(),
        f"for (int s = {half}; s > 0; s >>= 1) {{", "  if (tid < s)",
        "    tree[tid] += tree[tid + s];", f"  {d.barrier()}", "}",
        "sum += tree[0] * 0.125f;", d.barrier()]


@helper("barrier-with-local")
def _(d):
    """A wrapper of the barrier is given a variable of the body."""
    d.helper(f"{d.name}_turn",
             "__device__ void {name}(int) {{ __syncthreads(); }}")
    d.slots["top"].append(f"const int turn = {side.number(d)};")
    d.slots["behind-barrier"].append(f"{d.name}_turn(turn);")
    d.slots["compute"].append("sum += float(turn);")


@helper("barrier-that-counts")
def _(d):
    """A wrapper of the barrier that also changes what it is given."""
    d.helper(f"{d.name}_step",
             "__device__ void {name}(int &i) {{\n  ++i;\n"
             "  __syncthreads();\n}}")
    d.before.append("int turns = 0;")
    d.slots["behind-barrier"].append(f"{d.name}_step(turns);")
    d.slots["compute"].append("sum += float(turns);")


@helper("accessor", weight=2)
def _(d):
    d.helpers[f"{d.name}_acc"] = (
        f"template <typename E> struct {d.name}_acc {{\n  E *p;\n  long s;\n"
        "  __device__ E &operator[](long i) const { return p[i * s]; }\n};")
    d.before.append(f"const {d.name}_acc<const float> row{{{side.feed(d)}, 1}};")
    side.load(d, f"row[{d.K} + tid]")


@helper("accessor-of-accessors")
def _(d):
    d.helpers[f"{d.name}_acc"] = (
        f"template <typename E> struct {d.name}_acc {{\n  E *p;\n  long s;\n"
        "  __device__ E &operator[](long i) const { return p[i * s]; }\n};\n"
        f"template <typename E> struct {d.name}_accs {{\n  E *p;\n  long s0, "
        f"s1;\n  __device__ {d.name}_acc<E> operator[](long i) const {{\n"
        f"    return {d.name}_acc<E>{{p + i * s0, s1}};\n  }}\n}};")
    d.before.append(f"const {d.name}_accs<const float> rows{{{side.feed(d)}, 5, "
                    "1};")
    side.load(d, f"rows[1][{d.K} + tid]")


@helper("tile-method", weight=2)
def _(d):
    """An object that holds the tile puts and gets its elements."""
    d.helpers[f"{d.name}_tile"] = (
        f"struct {d.name}_tile {{\n  float *to;\n"
        "  __device__ void put(int i, float v) { to[i] = v; }\n"
        "  __device__ float get(int i) const { return to[i & 31]; }\n};")
    name = side.tile(d, ["if (tid < 32)",
                         f"  tiled.put(tid, {side.feed(d)}[{d.K} + tid]);"])
    d.before.append(f"{d.name}_tile tiled{{{name}}};")
    d.slots["compute"].append("sum += tiled.get(tid + 3);")


@helper("deduced-template", weight=2)
def _(d):
    d.helper(f"{d.name}_fill",
             "template <typename E>\n__device__ __forceinline__ void {name}("
             "E *to, const E *from, int i) {{\n  if (i < 32)\n    to[i] = "
             "from[i];\n}}")
    side.tile(d, [f"{d.name}_fill(@, {side.feed(d)} + {d.K}, tid);"])


@helper("reference-to-array", lambda v: v["wrap"] not in FUNCTIONS)
def _(d):
    d.helper(f"{d.name}_fill",
             "template <typename E, int N>\n__device__ void {name}(E (&to)[N], "
             "const E *from, int i) {{\n  if (i < N)\n    to[i] = "
             "from[i];\n}}")
    side.tile(d, [f"{d.name}_fill(@, {side.feed(d)} + {d.K}, tid);"])


@helper("takes-function")
def _(d):
    d.helper(f"{d.name}_apply",
             "template <typename F> __device__ float {name}(F f, int i) {{\n"
             "  return f(i);\n}}")
    feed = side.feed(d)
    side.load(d, f"{d.name}_apply([&](int j) {{ return {feed}[{d.K} + j]; }}, "
              "tid)")


@helper("for-each")
def _(d):
    """The copy is the body of a function that a helper runs."""
    d.helper(f"{d.name}_each",
             "template <typename F> __device__ void {name}(F f, int i) {{\n"
             "  for (; i < 32; i += 32)\n    f(i);\n}}")
    side.tile(d, [f"{d.name}_each([&](int j) {{ @[j] = {side.feed(d)}[{d.K} + "
                  "j]; }, tid);"])


@helper("by-reference", lambda v: v["header"] != "pointer")
def _(d):
    """A helper takes the loop's variable by reference, and leaves it."""
    d.helper(f"{d.name}_peek",
             "template <typename I> __device__ float {name}(I &i) {{\n"
             "  return float(i);\n}}")
    variable = next(iter(d.loop.variables))
    d.slots["compute"].append(f"sum += {d.name}_peek({variable});")


@helper("operators", weight=2)
def _(d):
    """A class of numbers with operators of its own."""
    d.helpers[f"{d.name}_c"] = (
        f"struct {d.name}_c {{\n  float re, im;\n  __device__ {d.name}_c "
        f"operator*(const {d.name}_c &o) const {{\n    return {d.name}_c{{re * "
        f"o.re - im * o.im, re * o.im + im * o.re}};\n  }}\n  __device__ "
        f"{d.name}_c &operator+=(const {d.name}_c &o) {{\n    re += o.re;\n"
        "    im += o.im;\n    return *this;\n  }\n};")
    d.before.append(f"{d.name}_c whole{{0, 0}};")
    side.tile(d, ["if (tid < 32)", f"  @[tid] = reinterpret_cast<const "
                  f"{d.name}_c *>({side.feed(d)} + {d.K})[tid];"],
              value="{}.re", kind=f"{d.name}_c")
    d.slots["compute"].append(f"whole += {d.name}_c{{sum, 0.5f}} * "
                              f"{d.name}_c{{0.25f, 1.0f}};")
    d.after.append("sum += whole.re - whole.im;")


@helper("static-state")
def _(d):
    """A helper keeps what it counts in memory of the block."""
    d.helper(f"{d.name}_visit",
             "__device__ float {name}(float v, int tid) {{\n"
             f"  __shared__ float last[{d.threads}];\n  last[tid] = v;\n"
             f"  __syncthreads();\n  v = last[(tid + 1) % {d.threads}];\n"
             "  __syncthreads();\n  return v;\n}}")
    d.slots["compute"].append(f"sum += 0.5f * {d.name}_visit(sum, tid);")
