# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What makes a tile loop illegal: each option breaks one rule for certain, in
# whatever program it is put. `ids` are the diagnostics of which one must be
# given; none are named where it depends on the rest of the program which one is.
from . import held, objects, shape
from .axis import Axis
from .delivery import FUNCTIONS
from .header import STEP_IN_BODY

ILLEGAL = Axis("illegal", plain=0)
ILLEGAL.option("no")(lambda d: None)
IDS = {}


def illegal(name, *ids, fits=lambda view: True):
    def register(write):
        IDS[name] = ids
        # A second loop would be pipelined, and rightly.
        ILLEGAL.option(name, lambda view: view["after"] != "second-loop" and
                       fits(view))(write)
        return write
    return register


def _ends_with_reads(view):
    """No barrier stands between the last read of a tile and the next load."""
    return (view["arrangement"] in ("after", "doubled", "between") and
            view["after"] == "nothing" and view["outer"] == "none" and
            all(view[e] == "no" for e in ("scratch", "scratch-behind",
                                          "counter", "table", "helper",
                                          "beside")))


def _bound_is_n(view):
    """The condition asks for n itself, and not for a copy."""
    return view["reference"] != "bound-alias"


@illegal("break", "control-flow")
def _(d):
    d.slots["behind-compute"] += [f"if ({d.K} == {d.depth})", "  break;"]


@illegal("break-on-data", "control-flow")
def _(d):
    d.slots["behind-compute"] += [
        f"if ({d.array('xs').read('0', '0')} > 3.5f)", "  break;"]


@illegal("continue", "control-flow",
         fits=lambda v: v["header"] not in STEP_IN_BODY)
def _(d):
    d.slots["top"] += [f"if ({d.K} == {d.depth})", "  continue;"]


@illegal("return", "control-flow", fits=lambda v: v["wrap"] not in FUNCTIONS and
         v["outer"] != "closure")
def _(d):
    d.slots["behind-barrier"] += [f"if ({d.K} == {d.depth})", "  return;"]


@illegal("goto", "control-flow", fits=lambda v: v["outer"] == "none")
def _(d):
    d.slots["behind-compute"] += [f"if ({d.K} == {d.depth})", "  goto done;"]
    d.after.insert(0, "done:;")


@illegal("bound-changed", "control-flow", "carried-scalar",
         fits=lambda v: v["wrap"] not in FUNCTIONS and _bound_is_n(v) and
         v["header"] in (
             "step", "while", "two-conditions", "wide", "unsigned"))
def _(d):
    d.slots["compute"] += [f"if (n > 3 * {d.depth})", f"  n -= {d.depth};"]


@illegal("condition-reads-tile", "control-flow", "carried-scalar",
         "not-a-tile-loop", "carried-shared",
         fits=lambda v: _bound_is_n(v) and
         v["header"] in ("step", "while", "tiles"))
def _(d):
    d.shared("int go_on")
    d.before += ["if (tid == 0)", "  go_on = 1;", "__syncthreads();"]
    d.loop.opening = d.loop.opening.replace("< n", "< n * go_on", 1)
    d.slots["compute"] += ["if (tid == 0)", "  go_on = 1;"]


@illegal("carried-index", "carried-scalar")
def _(d):
    """What the compute reads decides what is loaded next."""
    d.before.append("int wander = 0;")
    x = d.array("xs")
    d.slots["load"].append(f"{x.at('0', 'tid % 2')} = wander > 3 ? "
                           f"{x.element.zero} : {x.element.one};")
    d.slots["compute"].append(f"wander = int({x.read('0', '1')});")


def _carried_by(name, *declared, step):
    """The same, with the variable under a second name."""
    @illegal(name)
    def _(d):
        d.helper(f"{d.name}_set", "__device__ void {name}(int &to, int v) {{\n"
                 "  to = v;\n}}")
        d.before += ["int wander = 0;", *declared]
        x = d.array("xs")
        d.slots["load"].append(f"{x.at('0', 'tid % 2')} = wander > 3 ? "
                               f"{x.element.zero} : {x.element.one};")
        d.slots["compute"].append(step.replace("NAME", d.name).replace(
            "VALUE", f"int({x.read('0', '1')})"))


_carried_by("carried-by-reference", "int &second = wander;",
            step="second = VALUE;")
_carried_by("carried-by-pointer", "int *const second = &wander;",
            step="*second = VALUE;")
_carried_by("carried-by-closure",
            "auto leave = [&wander](int v) { wander = v; };",
            step="leave(VALUE);")
_carried_by("carried-by-init-capture",
            "auto leave = [&w = wander](int v) { w = v; };",
            step="leave(VALUE);")
_carried_by("carried-by-helper", step="NAME_set(wander, VALUE);")


# Values, arrays in registers and objects that hand something on.
for _name, _write in {**held.ILLEGAL, **objects.ILLEGAL}.items():
    illegal(f"handed-on-{_name}", fits=lambda v: v["held"] == "no" and
            v["object"] == "no")(_write)


@illegal("no-last-barrier", "missing-barrier", fits=_ends_with_reads)
def _(d):
    d.last_barrier = False


@illegal("closed-by-warp", "missing-barrier", fits=_ends_with_reads)
def _(d):
    d.last_barrier = False
    d.slots["end"].append("__syncwarp();")


@illegal("closed-by-some-threads", "uniform-barrier", "missing-barrier",
         fits=_ends_with_reads)
def _(d):
    """What a thread knows of itself decides, by the name of a variable."""
    d.last_barrier = False
    d.slots["end"] += ["const int lane_of = tid % 32;", "if (lane_of < 16)",
                       "  __syncthreads();"]


@illegal("closed-by-loop-of-any-turns", "missing-barrier", fits=_ends_with_reads)
def _(d):
    """A loop ends with a barrier, but need not run at all."""
    d.last_barrier = False
    x = d.array("xs")
    d.slots["end"] += ["for (int q = 0; q < (n & 3); ++q) {",
                       f"  sum += {x.read('0', '(tid & 1)')};",
                       "  __syncthreads();", "}"]


@illegal("closed-by-loop-that-is-left", "missing-barrier", fits=_ends_with_reads)
def _(d):
    d.last_barrier = False
    x = d.array("xs")
    d.slots["end"] += ["for (int q = 0; q < 2; ++q) {",
                       f"  sum += {x.read('0', '(tid & 1)')};",
                       "  if (q == 1 && n > 64)", "    break;",
                       "  __syncthreads();", "}"]


@illegal("read-behind-the-last-barrier", "missing-barrier", fits=_ends_with_reads)
def _(d):
    d.slots["end"].append(f"sum += {d.array('xs').read('0', '(tid & 1)')};")


@illegal("helper-that-returns-early", fits=_ends_with_reads)
def _(d):
    """Some threads leave the helper that closes the tile before its barrier."""
    d.last_barrier = False
    d.helper(f"{d.name}_leave_early", "__device__ float {name}(float v, int tid) "
             "{{\n  if (tid & 1)\n    return v;\n  __syncthreads();\n  return "
             "v * 2;\n}}")
    d.slots["end"].append(f"sum = {d.name}_leave_early(sum, tid);")


@illegal("helper-that-reads-the-tile", fits=lambda v: _ends_with_reads(v) and
         v.of("xs")["place"] == "flat")
def _(d):
    """The helper's barrier closes the tile, which it then reads."""
    d.last_barrier = False
    x = d.array("xs")
    d.helper(f"{d.name}_close_late", "__device__ float {name}(const "
             f"{x.element.spelled} *p, int tid) {{{{\n  __syncthreads();\n  "
             f"return {x.element.value.format('p[tid & 1]')};\n}}}}")
    d.slots["end"].append(f"sum += {d.name}_close_late(xs, tid);")


@illegal("accumulates-in-tile", "carried-shared",
         fits=lambda v: v.of("xs")["type"] in ("float", "int", "double"))
def _(d):
    x = d.array("xs")
    d.slots["load"].append(f"{x.at('0', '0')} += {x.element.one};")


@illegal("table-written", "carried-shared", "carried-scalar")
def _(d):
    """The load reads shared memory that the compute writes."""
    d.shared(f"int table_w[{d.threads}]")
    d.before.append("table_w[tid] = 1;")
    x = d.array("xs")
    d.slots["load"].append(f"if (table_w[tid] > 2)")
    d.slots["load"].append(f"  {x.at('0', '0')} = {x.element.one};")
    d.slots["compute"].append("table_w[tid] = int(sum) & 1;")


@illegal("stores-source", "may-alias",
         fits=lambda v: v["qualifier"] in ("plain",) and
         not v.any("access", "ldg"))
def _(d):
    d.slots["compute"].append(f"{d.array('xs').base}[0] = "
                              f"{d.array('xs').source_one};")


@illegal("stores-unqualified", "may-alias",
         fits=lambda v: v["qualifier"] == "const" and
         not v.any("access", "ldg"))
def _(d):
    x = d.array("xs")
    d.parameter(f"{x.source_type} *{{}}", "target",
                x.kind_of_source.source("target", "n + 64"),
                x.kind_of_source.argument("target"))
    d.slots["compute"].append(f"target[{d.K}] = {d.array('xs').source_one};")


@illegal("atomic-in-load", "load-effects")
def _(d):
    d.parameter("int *__restrict__ {}", "done", 'in<int>("done", 1)')
    d.slots["load"] += ["if (tid == 0)", "  atomicAdd(done, 1);"]


@illegal("store-in-load", "load-effects")
def _(d):
    d.parameter("int *__restrict__ {}", "written", 'in<int>("written", n + 64)')
    d.slots["load"] += ["if (tid == 0)", f"  written[{d.K}] = 1;"]


@illegal("printf-in-load", "load-effects")
def _(d):
    d.slots["load"] += ["if (tid == 0)", '  printf("%d\\n", n);']


@illegal("unknown-in-load", "load-effects")
def _(d):
    d.helper(f"{d.name}_unknown", "extern __device__ int {name}(int);")
    d.slots["load"].append(f"{d.name}_unknown(n);")
    d.links = False


@illegal("unknown-in-compute", "sync-order")
def _(d):
    d.helper(f"{d.name}_unknown", "extern __device__ int {name}(int);")
    d.slots["compute"].append(f"sum += float({d.name}_unknown(n));")
    d.links = False


@illegal("volatile-in-load", "load-effects")
def _(d):
    d.parameter("const volatile int *{}", "flag", 'in<int>("flag", 1)')
    x = d.array("xs")
    d.slots["load"] += ["if (*flag > 100)",
                        f"  {x.at('0', '0')} = {x.element.one};"]


@illegal("unknown-asm-in-load", "load-effects")
def _(d):
    d.slots["load"].append(
        f'asm volatile("discard.L2 [%0], 128;" :: "l"({d.array("xs").base}));')
    d.links = False


@illegal("escapes", "shared-escape", "may-alias", "sync-order")
def _(d):
    x = d.array("xs")
    d.helper(f"{d.name}_escape",
             f"extern __device__ float {{name}}(const {x.element.spelled} *);")
    d.slots["compute"].append(f"sum += {d.name}_escape(&{x.at('0', '0')});")
    d.links = False


@illegal("fence", "sync-order")
def _(d):
    d.slots["compute"].append("__threadfence();")


@illegal("named-barrier", "sync-order")
def _(d):
    d.slots["compute"].append(
        f'asm volatile("bar.sync 1, {d.threads};" ::: "memory");')


@illegal("grid-sync", "sync-order")
def _(d):
    d.slots["compute"].append("cooperative_groups::this_grid().sync();")
    d.links = False


@illegal("shuffle-in-load", "sync-order", "load-effects")
def _(d):
    x = d.array("xs")
    d.slots["load"] += [
        "const int lane = __shfl_sync(0xffffffffu, tid, 3);",
        "if (lane == 77)", f"  {x.at('0', '0')} = {x.element.one};"]


@illegal("vote-in-load", "sync-order", "load-effects")
def _(d):
    x = d.array("xs")
    d.slots["load"] += [
        "const int any_of = __any_sync(0xffffffffu, tid > 77 + n);",
        "if (any_of)", f"  {x.at('0', '0')} = {x.element.one};"]


@illegal("vote-in-load-for-compute", "sync-order", "load-effects")
def _(d):
    x = d.array("xs")
    d.slots["load"] += [
        "const unsigned who = __ballot_sync(0xffffffffu, tid & 1);",
        "if (who == 7)", f"  {x.at('0', '0')} = {x.element.one};"]
    d.slots["compute"].append("sum += float(__popc(who));")


@illegal("own-copy-in-loop", "foreign-async")
def _(d):
    _own_copy(d, d.slots["compute"])


@illegal("own-copy-before", "foreign-async")
def _(d):
    _own_copy(d, d.before)
    d.after.insert(0, "__pipeline_wait_prior(0);")


def _own_copy(d, lines):
    d.shared(f"__align__(16) int own_copy[{d.threads}]")
    d.parameter("const int *__restrict__ {}", "extra",
                f'in<int>("extra", {d.threads})')
    lines += ["__pipeline_memcpy_async(&own_copy[tid], &extra[tid], 4);",
              "__pipeline_commit();"]


@illegal("divergent-loop", "uniform-barrier", "not-a-tile-loop",
         fits=lambda v: v["wrap"] == "kernel" and v["outer"] == "none" and
         v["after"] == "nothing" and v["arrangement"] == "after")
def _(d):
    """Half of the threads run the loop, the others only pass its barriers."""
    d.divergent = True


@illegal("conditional-barrier", "uniform-barrier", "missing-barrier",
         "not-a-tile-loop",
         fits=lambda v: v["arrangement"] == "after")
def _(d):
    d.guarded_barrier = True
