# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What bodies do besides loading and summing up. Each effect is an axis of its
# own with the answers no and yes, so that any of them come together.
from . import shape
from .axis import Axis
from .barrier import OPEN
from .walk import cover

EFFECTS = []


def effect(name, fits=lambda view: True, often=0.1):
    """Decorates what writes the effect into the draft."""
    def register(write):
        axis = Axis(name, plain=1 - 2 * often)
        axis.names("no")
        axis.option("yes", fits)(write)
        EFFECTS.append(axis)
        return write
    return register


def trailing(view):
    """Does a barrier end the body?"""
    return view["arrangement"] not in OPEN


@effect("tile-value")
def _(d):
    """A value of the tile, made before the barrier for the compute."""
    d.slots["top"].append(f"const int round = ({d.K}) / {d.depth} % 5;")
    d.slots["compute"].append("sum += float(round);")


@effect("global-read")
def _(d):
    d.parameter("const int *{}", "aux", 'in<int>("aux", 64)')
    d.slots["compute"].append(
        f"sum += float(aux[(tid + ({d.K}) / {d.depth}) & 63]);")


@effect("store", lambda v: v["qualifier"] in ("restrict", "assume"), 0.15)
def _(d):
    d.parameter("float *__restrict__ {}", "each",
                f'out<float>("each", {d.blocks} * (n + {shape.depth(d.view)}))')
    d.slots["compute"].append(f"if (tid < {d.depth})")
    d.slots["compute"].append(
        f"  each[{d.block} * (n + {d.depth}) + {d.K} + tid] = sum;")


@effect("atomic", lambda v: v["qualifier"] in ("restrict", "assume"))
def _(d):
    d.parameter("int *__restrict__ {}", "bins",
                'in<int>("bins", 8)')
    d.slots["compute"].append(
        f"atomicAdd(&bins[(tid + {d.K}) & 7], int(sum) & 3);")


@effect("scratch", often=0.15)
def _(d):
    d.shared(f"float partial[{d.threads}]")
    d.scope["partial"] = "float *{}"
    d.slots["compute"] += ["partial[tid] = sum;", d.barrier(),
                           f"sum += partial[(tid + 1) % {d.threads}];"]


@effect("scratch-behind", trailing)
def _(d):
    d.shared(f"float late[{d.threads}]")
    d.slots["compute"].append("late[tid] = sum;")
    # The next write of it is behind the load's barrier.
    d.slots["end"].append(f"sum += 0.5f * late[(tid + 5) % {d.threads}];")


@effect("scratch-own")
def _(d):
    d.shared(f"float own[{d.threads}]")
    d.before.append("own[tid] = 0.0f;")
    d.slots["compute"].append("own[tid] += sum;")
    d.after.append("sum += own[tid];")


@effect("counter", trailing)
def _(d):
    d.shared("int count")
    d.before += ["if (tid == 0)", "  count = 0;", "__syncthreads();"]
    d.slots["compute"] += ["if (tid == 0)", "  ++count;"]
    d.slots["end"].append("sum += float(count);")


@effect("warp")
def _(d):
    d.slots["compute"].append(
        "sum += 0.25f * __shfl_xor_sync(0xffffffffu, sum, 1);")


@effect("syncwarp")
def _(d):
    d.slots["behind-barrier"].append("__syncwarp();")


@effect("in-place", lambda v: v.of("xs")["type"] in ("float", "int", "double"))
def _(d):
    """The compute changes the tile before it reads it."""
    x = d.array("xs")
    d.slots["behind-barrier"] += cover(
        d, x.view.plain(), lambda r, c: [f"{x.at(r, c)} += {x.element.one};"]
    ) + [d.barrier()]


@effect("jumps")
def _(d):
    j, x = d.fresh("j"), d.array("xs")
    rows, columns = shape.extents(x.view)
    d.slots["compute"] += [
        f"for (int {j} = 0; {j} < 8; ++{j}) {{", f"  if ({j} == 2)",
        "    continue;", f"  if ({j} > 5)", "    break;",
        f"  sum -= {x.read('0', f'({j} % {columns})')};", "}"]


@effect("carry")
def _(d):
    """A value that goes from compute to compute."""
    x = d.array("xs")
    d.before.append("float previous = 1.0f;")
    d.slots["compute"] += [f"sum += previous;",
                           f"previous = {x.read('0', '1')};"]


@effect("kept-pointer", lambda v: v.of("xs")["place"].startswith("flat") and
        v["home"] == "static", 0.05)
def _(d):
    """An address of the first tile that lives on."""
    x = d.array("xs")
    d.before.append(f"const {x.element.spelled} *kept = nullptr;")
    d.slots["compute"] += ["if (!kept)", "  kept = &xs[1];",
                           f"sum += {x.element.value.format('kept[0]')};"]


@effect("accumulators")
def _(d):
    d.before.append("float acc[2] = {0.0f, 0.0f};")
    d.slots["compute"].append(f"acc[({d.K}) / {d.depth} & 1] += sum;")
    d.after.append("sum += acc[0] - 2 * acc[1];")


@effect("conditional", often=0.08)
def _(d):
    """An induction that only some tiles step, read by the compute."""
    d.before.append("int phase = 0;")
    d.slots["compute"] += ["sum += float(phase);",
                           f"if ((({d.K}) / {d.depth}) % 3 == 1)",
                           "  phase += 2;"]
    d.after.append("sum -= float(phase);")


@effect("table", often=0.05)
def _(d):
    """A shared table that is filled before the loop and never again."""
    d.shared("float table[16]")
    d.before += ["if (tid < 16)", "  table[tid] = float(tid * tid % 11);",
                 "__syncthreads();"]
    d.slots["compute"].append(
        f"sum += table[(tid + ({d.K}) / {d.depth}) & 15];")


@effect("load-switch", often=0.05)
def _(d):
    """Tiles of a phase: what is loaded first differs from what follows."""
    d.slots["top"] += [f"const bool odd = ({d.K}) / {d.depth} & 1;"]
    d.slots["compute"] += ["if (odd)", "  sum = -sum;"]
