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


@barrier("do-while", "{NAME}_SYNC();", weight=2)
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


def _group(d):
    d.locals.append("auto block = cooperative_groups::this_thread_block();")
    d.scope["block"] = "cooperative_groups::thread_block {}"


ARRANGEMENT = Axis("arrangement", plain=0.6)
ARRANGEMENT.names("after", "first", "both", "doubled", "between")
# The last tile needs no barrier behind it.
ARRANGEMENT.option("skip-last", lambda v: v["header"] == "step", 2)(
    lambda d: None)
