# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Memory that is used in the loop and beside it: written behind the loop while
# slow threads still compute, read behind it, written in front of it. Scratch of
# each block's own, in global or in shared memory.
from . import side
from .axis import OFTEN_PLAIN, Axis
from .barrier import OPEN

BESIDE = Axis("beside", plain=OFTEN_PLAIN)
BESIDE.names("no")


def _ends_with_barrier(view):
    return view["arrangement"] not in OPEN


def _whole(d):
    """One element for each thread of a block, in global memory."""
    d.parameter("float *{}", "scratch",
                f'in<float>("scratch", {d.blocks * d.threads})')
    return f"scratch[{d.block} * {d.threads} + {{}}]".format


def _near(d, by=1):
    return f"(tid + {by}) % {d.threads}"


def beside(name, fits=_ends_with_barrier, weight=1):
    return BESIDE.option(name, fits, weight)


@beside("war-global")
def _(d):
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.after.append(f"{at('tid')} = sum;")


@beside("war-global-barrier", lambda v: True)
def _(d):
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.after += [d.barrier(), f"{at('tid')} = sum;"]


@beside("waw-global")
def _(d):
    at = _whole(d)
    d.slots["compute"].append(f"{at(_near(d, 3))} = sum;")
    d.after.append(f"{at('tid')} = sum * 0.5f;")


@beside("raw-global")
def _(d):
    at = _whole(d)
    d.slots["compute"].append(f"{at('tid')} = sum;")
    d.after += [f"sum += {at(_near(d))};", d.barrier()]


@beside("war-by-helper")
def _(d):
    """The access behind the loop stands in a function."""
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.helper(f"{d.name}_leave", "__device__ void {name}(float *to, float v) "
             "{{\n  *to = v;\n}}")
    d.after.append(f"{d.name}_leave(&{at('tid')}, sum);")


@beside("war-atomic")
def _(d):
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.after.append(f"atomicAdd(&{at('tid')}, 1.0f);")


def _late(d):
    name = d.fresh("left")
    d.shared(f"float {name}[{d.threads}]")
    d.before += [f"{name}[tid] = float(tid);", d.barrier()]
    return f"{name}[{{}}]".format


@beside("war-shared")
def _(d):
    at = _late(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.after += [f"{at('tid')} = sum;", d.barrier(), f"sum += {at(_near(d, 5))};",
                d.barrier()]


@beside("raw-shared")
def _(d):
    at = _late(d)
    d.slots["compute"].append(f"{at('tid')} = sum;")
    d.after += [f"sum += {at(_near(d))};", d.barrier()]


@beside("waw-shared")
def _(d):
    at = _late(d)
    d.slots["compute"].append(f"{at(_near(d, 3))} = sum;")
    d.after += [f"{at('tid')} = sum;", d.barrier(), f"sum += {at(_near(d, 5))};",
                d.barrier()]


@beside("front-write", lambda v: True)
def _(d):
    """Written in front of the loop, read by computes: the loop's own barrier
    stands between."""
    at = _whole(d)
    d.before.append(f"{at('tid')} = float(tid * 3);")
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.after.append(d.barrier())


@beside("front-write-for-load", lambda v: True)
def _(d):
    at = _whole(d)
    d.before += [f"{at('tid')} = float(tid * 3);", d.barrier()]
    side.load(d, f"{at(_near(d))} + {side.feed(d)}[{d.K} + tid]")
    d.after.append(d.barrier())


@beside("front-write-rotated", lambda v: v["arrangement"] in ("first", "both"))
def _(d):
    """Read by the load, behind the barrier at the body's top."""
    at = _whole(d)
    d.before.append(f"{at('tid')} = float(tid * 3);")
    side.load(d, f"{at(_near(d))} + {side.feed(d)}[{d.K} + tid]")
    d.after.append(d.barrier())


@beside("front-read", lambda v: True)
def _(d):
    """Read in front of the loop, written by computes."""
    at = _whole(d)
    d.before.append(f"sum += {at(_near(d))};")
    d.slots["compute"].append(f"{at('tid')} = sum;")
    d.after.append(d.barrier())


@beside("front-shared-write", lambda v: True)
def _(d):
    name = d.fresh("front")
    d.shared(f"float {name}[{d.threads}]")
    d.before.append(f"{name}[tid] = float(tid);")
    d.slots["compute"].append(f"sum += {name}[{_near(d)}];")
    d.after.append(d.barrier())


@beside("rotated-read", lambda v: v["arrangement"] in ("first", "both") and
        v["outer"] == "none", 3)
def _(d):
    """Read between the barriers, before the load; written behind the loop."""
    at = _whole(d)
    d.slots["top"].append(f"const float old = {at(_near(d))};")
    d.slots["compute"].append("sum += old;")
    d.after.append(f"{at('tid')} = sum;")


@beside("tile-war", lambda v: v["arrangement"] == "both" and
        v["qualifier"] != "assume", 2)
def _(d):
    """Computes read it, the next tile writes it behind its first barrier."""
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.slots["end"].append(f"{at('tid')} = sum;")


@beside("end-write", lambda v: _ends_with_barrier(v) and
        v["qualifier"] != "assume")
def _(d):
    """Written behind the body's last barrier, read by the next compute."""
    at = _whole(d)
    d.slots["compute"].append(f"sum += {at(_near(d))};")
    d.slots["end"].append(f"{at('tid')} = sum;")
    d.after.append(d.barrier())


@beside("tile-is-scratch")
def _(d):
    """The tile itself is scratch behind the loop."""
    name = side.load(d, f"{side.feed(d)}[{d.K} + tid]")
    d.after += ["if (tid < 32)", f"  {name}[tid] = sum;", d.barrier(),
                f"sum += {name}[(tid + 9) & 31];", d.barrier()]


@beside("tile-stays")
def _(d):
    """What is left of the last tile is read, also if there was none."""
    name = side.load(d, f"{side.feed(d)}[{d.K} + tid]")
    d.early += ["if (tid < 32)", f"  {name}[tid] = float(tid);",
                "__syncthreads();"]
    d.after += [f"sum += {name}[(tid + 9) & 31];", d.barrier()]
