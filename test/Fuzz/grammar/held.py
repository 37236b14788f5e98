# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a thread holds itself: values of the load that later code needs as well,
# arrays in registers that both regions use, and what a value passes through
# between its load and its store. Twins hand something from one region or tile
# to another, or are changed on the way: those in ILLEGAL must be refused, the
# others be refused or right.
from . import side
from .axis import OFTEN_PLAIN, Axis

HELD = Axis("held", plain=OFTEN_PLAIN)
HELD.names("no")
ILLEGAL = {}  # writers of those that must be refused, by name


def held(name, load, then=(), before=(), after=(), size=32, kind="float",
         value="{}", weight=1, illegal=False, early=()):
    """In the lines, @ is the tile, # the source at the tile's start, KK the
    tile's start; `then` is what the compute does besides reading the tile."""
    def write(d):
        feed = side.feed(d)

        def fill(line):
            return line.replace("#", f"{feed}[{d.K} + ").replace(
                "KK", d.K).replace("UNROLL", "#pragma unroll")
        tile = side.tile(d, [fill(line) for line in load], size, value, kind)
        d.before += [fill(line).replace("@", tile) for line in before]
        d.early += [line.replace("@", tile) for line in early]
        d.slots["compute"] += [fill(line).replace("@", tile) for line in then]
        d.after += [line.replace("@", tile) for line in after]
    if illegal:
        ILLEGAL[name] = write
    HELD.option(name, weight=weight)(write)


_STORE = ["if (tid < 32)", "  @[tid] = {};"]


def _store(value):
    return [line.format(value) for line in _STORE]


_READ = "@[(tid ^ 1) & 31]"

# Values that the load and what follows need.
held("value", ["const float held = #tid];", *_store("held")],
     ["sum += 3 * held;"], weight=2)
held("value-outside", ["held = #tid];", *_store("held")], ["sum += 3 * held;"],
     before=["float held;"])
held("value-behind", ["held = #tid];", *_store("2 * held")],
     before=["float held = 7;"], after=["sum += held;"])
held("value-everywhere", ["held = #tid];", *_store("2 * held")],
     ["sum += held;"], before=["float held = 7;"], after=["sum += held;"])
held("index", ["from_of = KK + (tid ^ 1);", *_store("feed[from_of]")],
     ["sum += float(from_of);"], before=["int from_of = 1;"],
     after=["sum += float(from_of);"])
held("loaded-index", ["from_of = #tid] > 0 ? KK : KK + 1;",
                      *_store("feed[from_of + tid]")],
     ["sum += float(from_of);"], before=["int from_of;"])
held("limit", ["const int left_of = min(32, int(n - (KK)));",
               "const bool is_mine = tid < left_of;", "if (tid < 32)",
               "  @[tid] = is_mine ? #tid] : 0.0f;"],
     ["if (is_mine)", "  for (int q = 0; q < left_of; ++q)",
      "    sum += @[q] * float(q & 3);"], weight=2)
held("conditional-value", ["float held = 0;", "if (KK + 2 * tid < n)",
                           "  held = #tid];", *_store("held")], ["sum += held;"])
held("indices", ["int from_of[2];", "for (int q = 0; q < 2; ++q)",
                 "  from_of[q] = KK + tid + q;", "if (tid < 32)",
                 "  for (int q = 0; q < 2; ++q)",
                 "    @[tid + q * 32] = feed[from_of[q]] * 2;"],
     ["for (int q = 0; q < 2; ++q)",
      "  sum += @[(tid & 31 ^ 1) + q * 32] * float(from_of[q]);"], size=64)
held("vote", ["const int some = __any_sync(0xffffffffu, #tid] > 0.9f);",
              *_store("#tid]")], ["sum += float(some);"])
held("shuffle", ["const float near_of = __shfl_xor_sync(0xffffffffu, #tid], 1);",
                 *_store("#tid]")], ["sum += near_of;"])
held("shuffle-into-tile", [
    "const float near_of = __shfl_xor_sync(0xffffffffu, #tid], 1);",
    *_store("near_of")])
held("ballot-into-tile", [
    "const unsigned who = __ballot_sync(0xffffffffu, #tid] > 0.5f);",
    *_store("float(__popc(who))")])

# Arrays in registers, of the load and of the compute.
_OWN = ["for (int q = 0; q < 2; ++q)", f"  own_of[q] = {_READ} * float(q + 1);",
        "sum += own_of[0] - own_of[1] * float(tid & 3);"]
_ARRAY = ["float own_of[2];"]
held("array", ["own_of[0] = #tid];", *_store("2 * own_of[0]")], _OWN, _ARRAY,
     weight=2)
held("array-in-loops", ["for (int q = 0; q < 2; ++q)",
                        "  own_of[q] = #tid + q];",
                        *_store("own_of[0] * own_of[1]")], _OWN, _ARRAY)
held("array-of-body", [*_ARRAY, "own_of[0] = #tid];", "own_of[1] = #tid + 1];",
                       *_store("own_of[0] - own_of[1]")], _OWN)
held("array-on-both-arms", ["if (tid & 1) {", "  own_of[0] = #tid];",
                            "} else {", "  own_of[0] = 5;",
                            "  own_of[0] *= #tid + 1];", "}",
                            *_store("own_of[0]")], _OWN, _ARRAY)
held("array-of-vectors", ["own_of[0].x = #tid];", "own_of[0].y = #tid + 1] * 3;",
                          *_store("own_of[0].x - own_of[0].y")],
     ["own_of[0].x = own_of[0].y = 0;", "own_of[1] = make_float2(1, 2);",
      f"own_of[0].x += {_READ};", "sum += own_of[0].x - own_of[1].y;"],
     ["float2 own_of[2];"])

# What a value passes through on its way: pure copies.
_WIDE = "reinterpret_cast<const float4 *>(feed)[KK / 4 + tid"
_VALUE = "({0}.x - {0}.w)"


def _copied(name, load, size=64, **more):
    held(name, ["if (tid < 32) {", *("  " + line for line in load), "}"],
         kind="float4", size=size, value=_VALUE, **more)


_copied("through-variable", [f"const float4 way = {_WIDE}];", "@[tid] = way;"],
        size=32, weight=2)
_copied("through-assigned", ["float4 way;", f"way = {_WIDE}];", "@[tid] = way;"],
        size=32)
_copied("through-outside", [f"way = {_WIDE}];", "@[tid] = way;"], size=32,
        before=["float4 way;"])
_FILL = ["for (int q = 0; q < 2; ++q)", f"  ways[q] = {_WIDE} + q * 3];"]
_EMPTY = ["for (int part = 0; part < 2; ++part)",
          "  @[tid + part * 32] = ways[part];"]
_copied("through-array", ["float4 ways[2];", *_FILL, *_EMPTY], weight=2)
_copied("through-array-outside", [*_FILL, *_EMPTY], before=["float4 ways[2];"])
_copied("through-unrolled", ["float4 ways[2];", "UNROLL", *_FILL, "UNROLL",
                             *_EMPTY])
_copied("through-steps", ["float4 ways[2];", "for (int q = 0; q < 64; q += 32)",
                          f"  ways[q / 32] = {_WIDE} + q / 8];",
                          "for (int q = 0; q < 64; q += 32)",
                          "  @[tid + q] = ways[q / 32];"])
_copied("through-rows", ["for (int q = 0; q < 2; ++q)",
                         "  for (int o = 0; o < 2; ++o)",
                         f"    ways[o][q] = {_WIDE} + q + o];",
                         "for (int q = 0; q < 2; ++q)",
                         "  for (int o = 0; o < 2; ++o)",
                         "    @[tid + (2 * q + o) * 32] = ways[o][q];"],
        size=128, before=["float4 ways[2][2];"])
_copied("through-guarded", [
    "float4 way = make_float4(0, 0, 0, 0);", "if (KK + tid * 4 < n)",
    f"  way = {_WIDE}];", "@[tid] = way;"], size=32)

# --- twins that only look so ---------------------------------------------------
_copied("index-changes", ["int to_of = tid;", f"float4 way = {_WIDE} + to_of];",
                          "to_of = tid ^ 1;", "@[to_of] = way;"], size=32)
_copied("index-changes-by-name", [
    "int to_of = tid;", "int &same_of = to_of;",
    f"float4 way = {_WIDE} + to_of];", "same_of ^= 1;", "@[to_of] = way;"],
        size=32)
_copied("pointer-moves-on", [
    f"const float4 *at_of = &{_WIDE}];", "float4 ways[2];",
    "for (int q = 0; q < 2; ++q) {", "  ways[q] = at_of[q];", "  at_of += 2;",
    "}", *_EMPTY])
_copied("set-twice", ["float4 ways[2];", "for (int q = 0; q < 4; ++q)",
                      f"  ways[q / 2] = {_WIDE} + q];",
                      "for (int q = 0; q < 2; ++q)",
                      "  @[tid + q * 32] = ways[q];"])
_copied("backwards", ["float4 ways[2];", *_FILL, "for (int q = 0; q < 2; ++q)",
                      "  @[tid + q * 32] = ways[1 - q];"])
_copied("shadowed", ["const int to_of = tid;", f"float4 way = {_WIDE} + to_of];",
                     "{", "  const int to_of = tid ^ 3;", "  @[to_of] = way;",
                     "}"], size=32)
_copied("set-by-some", ["if ((int(KK) / 8 + tid) & 1)", f"  way = {_WIDE}];",
                        "@[tid] = way;"], size=32,
        before=["float4 way = make_float4(1, 2, 3, 4);"])
_copied("emptied-twice", ["float4 ways[2];", *_FILL, *_EMPTY,
                          "@[tid] = ways[1];"])
held("of-last-turn", ["if (tid < 32)", "  for (int q = 0; q < 2; ++q) {",
                      "    from_of = KK + tid + q;",
                      "    @[tid + q * 32] = feed[from_of];", "  }"],
     ["sum += float(from_of);"], before=["int from_of = 0;"], size=64,
     illegal=True)
held("with-the-store", ["if (tid < 32)", "  @[tid] = held = #tid];"],
     ["sum += held;"], before=["float held = 0;"], illegal=True)
held("on-one-way", ["if (KK + 2 * tid < n) {", "  held = #tid];",
                    "  if (tid < 32)", "    @[tid] = held;", "} else {",
                    "  if (tid < 32)", "    @[tid] = 0.0f;", "}"],
     ["sum += held;"], before=["float held = 0;"])
held("of-tile-before", ["older = newer;", "newer = #tid];",
                        *_store("older + newer")], ["sum += older - newer;"],
     before=["float older = 0, newer = 0;"])
held("array-handed-over", ["own_of[0] = #tid];", "own_of[1] = own_of[0] * 3;",
                           *_store("own_of[0]")],
     [f"own_of[0] = {_READ};", "sum += own_of[0] + own_of[1];"], _ARRAY,
     illegal=True)
held("array-perhaps", ["own_of[0] = own_of[1] = #tid];",
                       *_store("own_of[0] * own_of[1]")],
     ["for (int q = 0; q < 2; ++q)", "  if (@[(tid ^ q) & 31] > 0)",
      "    own_of[q] = @[(tid ^ q) & 31];", "sum += own_of[0] - own_of[1];"],
     _ARRAY, illegal=True)
held("array-of-any", ["own_of[0] = own_of[1] = #tid];",
                      *_store("own_of[0] * own_of[1]")],
     [f"own_of[0] = {_READ};", "sum += own_of[tid & 1];"], _ARRAY, illegal=True)
held("array-over-tiles", _store("#tid] + own_of[0]"), _OWN,
     ["float own_of[2] = {0.0f, 1.0f};"], illegal=True)
held("array-left-early", ["own_of[0] = own_of[1] = #tid];",
                          *_store("own_of[0] * own_of[1]")],
     ["for (int q = 0; q < 2; ++q) {", "  if (@[q] > 0.5f)", "    break;",
      "  own_of[q] = @[(tid ^ q) & 31];", "}", "sum += own_of[0] - own_of[1];"],
     _ARRAY, illegal=True)
held("array-behind", ["own_of[0] = own_of[1] = #tid];",
                      *_store("own_of[0] * own_of[1]")], _OWN,
     ["float own_of[2] = {0.0f, 1.0f};"], after=["sum += own_of[1];"])
