# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Second names of shared memory that are made before the loop: parts of one
# block, by pointer and by reference, members of an object, other types. The
# options behind _TWINS look alike and must stay in one buffer, or as they are.
from . import side
from .axis import OFTEN_PLAIN, Axis

VIEW = Axis("view", plain=OFTEN_PLAIN)
VIEW.names("no")


def view(name, shared, before, load, read, after=(), struct=None, weight=1,
         early=(), end=()):
    """In the lines, @ is the block, # the source at the tile's start, NUMBER the
    number of the tile."""
    def write(d):
        feed = side.feed(d)
        block = d.fresh("block")
        if struct:
            d.helpers[f"{d.name}_parts"] = struct.replace("{name}", d.name)

        def fill(line):
            return line.replace("#", f"{feed}[{d.K} + ").replace(
                "@", block).replace("{name}", d.name).replace(
                    "NUMBER", side.number(d))
        d.shared(fill(shared))
        d.early += [fill(line) for line in early]
        d.before += [fill(line) for line in before]
        d.slots["load"] += [fill(line) for line in load]
        d.slots["compute"] += [fill(line) for line in read]
        d.slots["end"] += [fill(line) for line in end]
        d.after += [fill(line) for line in after]
    VIEW.option(name, weight=weight)(write)


_AT = "(tid * 5 + 3) % 32"
_BOTH = ["if (tid < 32) {", "  low[tid] = #tid];", "  high[tid] = #tid + 1];",
         "}"]
_READ = [f"sum += low[{_AT}] - 2 * high[(tid + 7) & 31];"]

view("halves", "float @[64]", ["float *low = @, *high = @ + 32;"], _BOTH, _READ,
     weight=2)
view("constant-pointers", "float @[64]", ["float *const low = &@[0];",
     "float *const high = low + 32;"], _BOTH, _READ)
view("named-both-ways", "float @[64]", ["const float *high = @ + 32;"],
     ["if (tid < 32) {", "  @[tid] = #tid];", "  @[32 + tid] = #tid + 1];", "}"],
     [f"sum += @[{_AT}] - 2 * high[(tid + 7) & 31];"])
view("rows-of-bytes", "__align__(16) unsigned char @[256]",
     ["auto rows_of = reinterpret_cast<float (*)[8]>(@);",
      "auto more_rows = rows_of + 4;"],
     ["if (tid < 32) {", "  rows_of[tid / 8][tid % 8] = #tid];",
      "  more_rows[tid / 8][tid % 8] = #tid + 1];", "}"],
     ["sum += rows_of[tid & 3][3] - more_rows[3][tid & 7];",
      f"sum += reinterpret_cast<const float *>(@)[{_AT}];"], weight=2)
view("references", "__align__(16) float @[64]",
     ["float (&grid_a)[4][8] = *reinterpret_cast<float (*)[4][8]>(@);",
      "auto &grid_b = *reinterpret_cast<float (*)[8][4]>(&@[32]);"],
     ["if (tid < 32) {", "  grid_a[tid / 8][tid % 8] = #tid];",
      "  grid_b[tid % 8][tid / 8] = #tid + 1];", "}"],
     ["sum += grid_a[tid & 3][5] - grid_b[tid & 7][tid & 3];"], weight=2)
_PARTS = ("struct {name}_parts {\n  float2 a[32];\n  float b[32];\n};")
view("arrays-in-struct", "{name}_parts @",
     ["float2 *as = @.a;", "auto &bs = @.b;"],
     ["if (tid < 32) {",
      "  as[tid] = make_float2(#tid], #tid + 1]);", "  bs[tid] = #tid + 2];",
      "}"],
     [f"sum += as[{_AT}].y - bs[(tid + 7) & 31];"], struct=_PARTS, weight=2)
view("members-of-struct", "{name}_parts @",
     ["{name}_parts &parts_of = @;"],
     ["if (tid < 32) {", "  parts_of.a[tid].x = #tid];",
      "  parts_of.a[tid].y = #tid + 1];", "  parts_of.b[tid] = #tid + 2];", "}"],
     [f"sum += parts_of.a[{_AT}].y - @.b[(tid + 7) & 31];"], struct=_PARTS)
view("wider", "__align__(16) float @[128]",
     ["float4 *const wide_of = reinterpret_cast<float4 *>(@);"],
     ["if (tid < 32)",
      "  wide_of[tid] = *reinterpret_cast<const float4 *>(&#tid * 4]);"],
     ["sum += @[(tid * 5 + 3) % 128] + wide_of[tid & 31].z;"], weight=2)
view("narrower", "float4 @[8]",
     ["auto *narrow = reinterpret_cast<float *>(@);"],
     ["if (tid < 32)", "  narrow[tid] = #tid];"],
     [f"sum += narrow[{_AT}] - @[tid & 7].y;"])
view("own-place", "float @[32]", ["float *mine = &@[tid & 31];"],
     ["if (tid < 32)", "  *mine = #tid];"], [f"sum += @[{_AT}] + *mine;"])
view("made-in-body", "float @[64]", ["float *low = @;"],
     ["if (tid < 32)", "  low[tid] = #tid];"],
     ["const float *walk_of = low;", "for (int q = 0; q < 32; ++q)",
      "  sum += *walk_of++ * float(q & 3);"])
view("in-closure", "float @[32]", ["const float *low = @;",
     "auto cell_of = [=](int j) { return low[j & 31]; };"],
     ["if (tid < 32)", "  @[tid] = #tid];"], ["sum += cell_of(tid + 9);"])
view("read-behind", "float @[64]", ["float *low = @, *high = @ + 32;"], _BOTH,
     _READ, after=["if (n > 0)", "  sum += high[(tid + 3) & 31];",
                   "__syncthreads();"], weight=2)
view("reused-behind", "float @[64]", ["float *low = @, *high = @ + 32;"], _BOTH,
     _READ, after=["__syncthreads();", "if (tid < 32)", "  low[tid] = sum;",
                   "__syncthreads();", "sum += @[(tid + 9) & 31];",
                   "__syncthreads();"])
view("by-turns", "float @[2][32]", ["float *low = @[0], *high = @[1];"], _BOTH,
     _READ)
view("overlapping", "float @[48]", ["float *low = @, *high = @ + 16;"],
     ["if (tid < 32) {", "  low[tid] = #tid];", "  if (tid >= 16)",
      "    high[tid - 16] += 1.0f;", "  high[tid + 0] = #tid + 2];", "}"][:2] +
     ["  if (tid >= 16)", "    high[tid - 16] = #tid + 3];", "}"],
     [f"sum += @[{_AT}];"])

# --- twins: nothing here may be read from another stage ------------------------
view("switched", "float @[64]", ["float *side_of = @;"],
     ["side_of = side_of == @ ? @ + 32 : @;", "if (tid < 32)",
      "  side_of[tid] = #tid];"], [f"sum += side_of[{_AT}];"])
view("switched-by-compute", "float @[64]", ["float *side_of = @;"],
     ["if (tid < 32)", "  side_of[tid] = #tid];"],
     [f"sum += side_of[{_AT}];"],
     end=["side_of = side_of == @ ? @ + 32 : @;"])
view("kept", "float @[32]", ["const float *kept_of = nullptr;"],
     ["if (tid < 32)", "  @[tid] = #tid];"],
     ["if (!kept_of)", "  kept_of = @ + 1;", "sum += *kept_of;"])
view("kept-by-load", "float @[32]", ["const float *kept_of = nullptr;"],
     ["if (tid < 32)", "  @[tid] = #tid];", "if (!kept_of)",
      "  kept_of = &@[tid & 31];"], ["sum += *kept_of;"])
view("in-table", "float @[64]", ["float *views_of[2] = {@, @ + 32};"],
     ["if (tid < 32)", "  views_of[tid & 1][tid] = #tid];"],
     ["sum += views_of[1][tid & 31 | 1] + views_of[0][tid & 30];"])
view("pointer-to-pointer", "float @[64]", ["float *low = @;",
     "float **const again_of = &low;"],
     ["if (tid < 32)", "  (*again_of)[tid] = #tid];"], [f"sum += low[{_AT}];"])
view("by-number", "float @[64]", ["float *low = reinterpret_cast<float *>("
     "reinterpret_cast<size_t>(&@[0]) + 4);"],
     ["if (tid < 32)", "  low[tid] = #tid];"], [f"sum += @[{_AT} + 1];"])
view("old-part", "float @[64]", ["float *low = @, *high = @ + 32;"],
     ["if (tid < 32)", "  low[tid] = #tid];"], _READ,
     early=["if (tid < 32)", "  @[32 + tid] = float(tid);", "__syncthreads();"])
view("part-by-turns", "float @[64]", ["float *low = @, *high = @ + 32;"],
     ["if (tid < 32)", "  (NUMBER & 1 ? low : high)[tid] = #tid];"], _READ,
     early=["if (tid < 32)", "  @[tid] = @[32 + tid] = float(tid);",
            "__syncthreads();"])
view("accumulated", "float @[32]", ["float *low = @;"],
     ["if (tid < 32)", "  low[tid] = #tid] + 0.5f * low[tid];"],
     [f"sum += @[{_AT}];"],
     early=["if (tid < 32)", "  @[tid] = 0.0f;", "__syncthreads();"])
view("element-added", "float @[32]", ["float &first_of = @[0];"],
     ["if (tid < 32)", "  @[tid] = #tid];", "if (tid == 0)",
      "  first_of += 1.0f;"], [f"sum += @[{_AT}] + first_of;"])
