# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the block's barrier is spelled, and where barriers stand in the body.
from .axis import Axis

BARRIER = Axis("barrier", plain=0.5)


def barrier(name, *lines, weight=1):
    """An option that spells the barrier by a line of its own."""
    def register(prepare):
        def write(d, array=None):
            prepare(d)
            d.barriers = [line.format(name=d.name, NAME=d.name.upper())
                          for line in lines]
        BARRIER.option(name, weight=weight)(write)
    return register


@barrier("syncthreads", "__syncthreads();")
def _(d):
    pass


@barrier("group", "block.sync();")
def _(d):
    _group(d)


@barrier("group-function", "cooperative_groups::sync(block);")
def _(d):
    _group(d)


@barrier("macro", "{NAME}_SYNC();")
def _(d):
    d.macro(f"{d.name.upper()}_SYNC()", "__syncthreads()")


@barrier("function", "{name}_barrier();")
def _(d):
    d.helper(f"{d.name}_barrier",
             "__device__ __forceinline__ void {name}() {{ __syncthreads(); }}")


@barrier("asm", 'asm volatile("bar.sync 0;" ::: "memory");')
def _(d):
    pass


@barrier("mixed", "__syncthreads();", "{name}_barrier();", "block.sync();")
def _(d):
    _group(d)
    d.helper(f"{d.name}_barrier",
             "__device__ inline void {name}() {{ __syncthreads(); }}")


@barrier("do-while", "{NAME}_SYNC();")
def _(d):
    d.macro(f"{d.name.upper()}_SYNC()",
            "do { __syncthreads(); } while (0)")


@barrier("argument", "{name}_sync(tid);")
def _(d):
    d.helper(f"{d.name}_sync",
             "__device__ void {name}(int) {{ __syncthreads(); }}")


@barrier("template", "{name}_sync<1>();")
def _(d):
    d.helper(f"{d.name}_sync", "template <int> __device__ void {name}() {{ "
             "__syncthreads(); }}")


@barrier("method", "team.wait();")
def _(d):
    d.helpers[f"{d.name}_team"] = (
        f"struct {d.name}_team {{\n  __device__ void wait() const {{ "
        "__syncthreads(); }\n};")
    d.locals.append(f"const {d.name}_team team{{}};")
    d.scope["team"] = f"{d.name}_team {{}}"


@barrier("braces", "{{ __syncthreads(); }}", weight=0.4)
def _(d):
    pass


@barrier("macro-block", "{NAME}_SYNC()", weight=0.4)
def _(d):
    d.macro(f"{d.name.upper()}_SYNC()", "{ __syncthreads(); }")


@barrier("function-of-function", "{name}_all();")
def _(d):
    d.helper(f"{d.name}_one", "__device__ void {name}() {{ __syncthreads(); }}")
    d.helper(f"{d.name}_all", "__device__ void {name}() {{\n  "
             f"{d.name}_one();\n}}}}")


def _group(d):
    d.locals.append("auto block = cooperative_groups::this_thread_block();")
    d.scope["block"] = "cooperative_groups::thread_block {}"


ARRANGEMENT = Axis("arrangement", plain=0.6)
ARRANGEMENT.names("after", "first", "both", "doubled", "between")
# The last tile needs no barrier behind it, the first one none before it.
for _name in ("skip-last", "skip-first"):
    ARRANGEMENT.option(_name, lambda v: v["header"] == "step", 2)(
        lambda d: None)
# A reduction of the block, or a loop of the compute, ends with the barrier.
ARRANGEMENT.names("closed-by-helper", "closed-by-object", "closed-in-loop")
# No barrier ends the body.
OPEN = ("first", "skip-last", "skip-first")


def closing(d):
    """The lines that close a tile."""
    how = d.view["arrangement"]
    if how == "skip-last":
        return [f"if ({d.K} + {d.depth} < n)", f"  {d.barrier()}"]
    if how in ("first", "skip-first") or not d.last_barrier:
        return []
    if how in ("closed-by-helper", "closed-by-object"):
        return _reduction(d, how == "closed-by-object")
    if how == "closed-in-loop":
        x = d.array("xs")
        return ["for (int step_of = 2; step_of > 0; step_of >>= 1) {",
                f"  sum += {x.read('0', '(tid & step_of) / 2')} * float(step_of);",
                f"  {d.barrier()}", "}"]
    return [d.barrier()]


def _reduction(d, by_object):
    d.shared(f"float closing[{d.threads}]")
    d.helper(f"{d.name}_close",
             "__device__ float {name}(float v, float *to, int tid) {{\n"
             "  to[tid] = v;\n  __syncthreads();\n  v = to[(tid + 1) % "
             f"{d.threads}] - to[(tid + 3) % {d.threads}];\n"
             "  __syncthreads();\n  return v;\n}}")
    if not by_object:
        return [f"sum += 0.5f * {d.name}_close(sum, closing, tid);"]
    d.helpers[f"{d.name}_closer"] = (
        f"struct {d.name}_closer {{\n  float *to, last;\n  __device__ explicit "
        f"{d.name}_closer(float *p) : to(p), last(0) {{}}\n  __device__ void add("
        f"float v, int tid) {{\n    last = {d.name}_close(v, to, tid);\n  }}\n}};")
    d.before.append(f"{d.name}_closer closer(closing);")
    return ["closer.add(sum, tid);", "sum += 0.5f * closer.last;"]
