# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Copy loops that start below zero, count down or wrap, or whose counts are made
# of the block's size or of local constants; places that are stored twice, on one
# way or on any; fills that are not zero bits; sources that must not be touched.
from . import side
from .axis import OFTEN_PLAIN, Axis

COPY = Axis("copy", plain=OFTEN_PLAIN)
COPY.names("no")

_SIGN = "(__float_as_int({}) < 0 ? 3.0f : 1.0f)"


def copy(name, *lines, size=32, value="{}", before=(), weight=1, helper=None,
         kind="float", shared=None, then=(), early=()):
    """In the lines, @ is the tile, # the source at the tile's start, EVERY the
    number of threads."""
    def write(d):
        side.feed(d)
        if shared:
            d.shared(shared)

        def fill(line):
            return line.replace("#", f"feed[{d.K} + ").replace(
                "KK", d.K).replace("EVERY", str(d.threads)).replace(
                    "{name}", d.name)
        d.before += [fill(line) for line in before]
        if helper:
            d.helpers[f"{d.name}_copy"] = helper.replace("{name}", d.name)
        tile = side.tile(d, [fill(line) for line in lines], size, value,
                         kind.replace("{name}", d.name))
        d.slots["compute"] += [fill(line) for line in then]
        d.early += [fill(line).replace("@", tile) for line in early]
    COPY.option(name, weight=weight)(write)


copy("negative-start", "for (int j = tid - 8; j < 32; j += EVERY)",
     "  @[j + 8] = #j + 8];", size=40)
copy("negative-constant", "for (int j = unsigned(tid) + lo; j < 32; j += "
     "EVERY)", "  @[j + 8] = #j + 8];", size=40,
     before=["constexpr int lo = -8;"])
copy("offset-start", "for (int j = tid + 4; j < 36; j += EVERY)",
     "  @[j - 4] = #j];")
copy("down-counting", "for (int j = 39 - tid; j >= 0; j -= EVERY)",
     "  @[j] = #j];", size=40)
copy("down-to-one", "for (int j = 40 - tid; j > 0; j -= EVERY)",
     "  @[j - 1] = #j];", size=40)
copy("unsigned-down", "for (unsigned j = 40u - tid; j - 1u < 40u; j -= EVERY)",
     "  @[j - 1u] = #j];", size=40)
copy("unsigned-wrap", "for (unsigned j = tid - 8u; j + 8u < 40u; j += EVERY)",
     "  @[j + 8u] = #j + 8u];", size=40)
copy("narrow-counter", "for (unsigned char j = tid; j < 40; j += EVERY)",
     "  @[j] = #j];", size=40)
copy("not-equal", "if (tid < 20)", "  for (int j = tid; j != tid + 40; j += 20)",
     "    @[j] = #j];", size=40)
copy("inclusive", "for (int j = tid; j <= 39; j += EVERY)", "  @[j] = #j];",
     size=40)
copy("step-twice", "for (int j = tid; j < 40; j += EVERY / 2) {",
     "  @[j] = #j];", "  j += EVERY - EVERY / 2;", "}", size=40)
copy("empty-walk", "for (int j = tid + 64; j < 64; j += EVERY)",
     "  @[j & 31] = #j];", "if (tid < 32)", "  @[tid] = #tid];")
copy("doubling", "if (tid < 8)", "  for (int j = 8; j < 64; j <<= 1)",
     "    for (int q = tid; q < j; q += 8)", "      @[j - 8 + q] = #q];",
     "for (int j = tid; j < 8; j += EVERY)", "  @[j] = #j];", size=56,
     weight=0.5)

# Counts of the block's size, which a launch or nobody knows.
_THREADS = "blockDim.x * blockDim.y * blockDim.z"
copy("block-stride", f"for (int j = tid; j < 40; j += {_THREADS})",
     "  @[j] = 2 * #j];", size=40, weight=2)
copy("block-stride-copied", f"for (int j = tid; j < 40; j += {_THREADS})",
     "  @[j] = #j];", size=40)
copy("block-variable", "for (unsigned j = tid; j < 72; j += all_of)",
     "  @[j] = 2 * #j];", size=72, before=[f"const int all_of = {_THREADS};"])
copy("block-turns", "for (int q = 0; q < 128 / all_of; ++q)",
     "  @[q * all_of + tid] = 2 * #q * all_of + tid];", size=128,
     before=[f"const int all_of = {_THREADS};"])
copy("block-helper", "{name}_copy(@, feed + KK, tid);", size=40,
     helper="__device__ void {name}_copy(float *to, const float *from, int tid) "
     f"{{\n  for (int j = tid; j < 40; j += {_THREADS})\n    to[j] = from[j] + "
     "1;\n}", weight=2)
copy("block-axes", "for (int j = threadIdx.z * blockDim.y + threadIdx.y; j < 8; "
     "j += blockDim.y * blockDim.z)",
     "  for (int q = threadIdx.x; q < 8; q += blockDim.x)",
     "    @[j * 8 + q] = 2 * #j * 8 + q];", size=64)

# Counts of local constants and of aliases.
_TURNS = "for (int q = 0; q < parts_of; ++q)"
_PART = "  @[q * EVERY + tid] = 2 * #q * EVERY + tid];"
copy("local-count", _TURNS, _PART, size=128, before=["int parts_of = 128 / EVERY;"],
     weight=2)
copy("local-width", "for (int q = tid; q < width_of; q += EVERY)",
     "  @[q] = 2 * #q];", size=128,
     before=["int parts_of = 128 / EVERY, width_of = parts_of * EVERY;"])
copy("count-of-body", "const int parts_of = 128 / EVERY;", _TURNS, _PART,
     size=128)
copy("first-and-step", "for (unsigned q = from_of; q <= parts_of + 1; q += by_of)",
     "  @[(q - 2) * EVERY + tid] = 2 * #(q - 2) * EVERY + tid];", size=128,
     before=["unsigned parts_of{128 / EVERY};", "auto by_of = 1u;",
             "unsigned from_of(2);"])
copy("alias", "using Vec = float2;",
     "const int per_of = sizeof(Vec) / sizeof(float);",
     "int each_of = 4 / per_of;", "if (tid < 32)",
     "  for (int q = 0; q < each_of; ++q) {",
     "    Vec vec = *(const Vec *)&#(q * 32 + tid) * per_of];",
     "    @[(q * 32 + tid) * per_of] = 2 * vec.x;",
     "    @[(q * 32 + tid) * per_of + 1] = 2 * vec.y;", "  }", size=128, weight=2)
copy("helper-constants", "{name}_copy<128>(@, feed + KK, tid);", size=128,
     helper="template <int N>\n__device__ void {name}_copy(float *to, const "
     "float *from, int tid) {\n  using V = float4;\n  constexpr int per = "
     "sizeof(V) / sizeof(float);\n  enum { Each = N / 32 };\n  constexpr int "
     "count = Each / per;\n  if (tid < 32)\n    for (int i = 0; i < count; ++i) "
     "{\n      V v = *(const V *)&from[(i * 32 + tid) * per];\n      V twice = "
     "{v.x * 2, v.y * 2, v.z * 2, v.w * 2};\n      *(V *)&to[(i * 32 + tid) * "
     "per] = twice;\n    }\n}", kind="__align__(16) float", weight=2)
# These are no constants: something changes them, by one name or another.
copy("count-that-grows", "if (tid < 16)", "  for (int q = 0; q < parts_of; ++q)",
     "    @[q * 16 + tid] = 2 * #q * 16 + tid];",
     before=["int parts_of = 2;"], then=["parts_of = 2 - (n & 1);"])
copy("count-by-pointer", "if (tid < 16)", "  for (int q = 0; q < parts_of; ++q)",
     "    @[q * 16 + tid] = 2 * #q * 16 + tid];",
     before=["int parts_of = 2;", "int *const more_of = &parts_of;"],
     then=["*more_of = 2 - (n & 1);"], early=["if (tid < 32)", "  @[tid] = 0.0f;",
                                             "__syncthreads();"])
copy("count-before", "if (tid < 16)", "  for (int q = 0; q < parts_of; ++q)",
     "    @[q * 16 + tid] = 2 * #q * 16 + tid];",
     before=["int parts_of = 2;", "if (n & 16)", "  parts_of = 1;"],
     early=["if (tid < 32)", "  @[tid] = 0.0f;", "__syncthreads();"])

# A condition that says what is stored, not whether.
copy("both-arms", "if (tid < 32) {", "  if (KK + tid * 2 < n) {",
     "    @[tid] = #tid * 2];", "  } else {", "    @[tid] = 3.0f;", "  }", "}")
copy("four-arms", "if (tid < 32) {", "  if (KK + tid * 2 < n) {",
     "    if (int(KK) & 16)", "      @[tid] = #tid * 2] + 1;", "    else",
     "      @[tid] = #tid * 2] - 1;", "  } else if (tid & 1) {",
     "    @[tid] = 3.0f;", "  } else", "    @[tid] = 4.0f;", "}")
copy("arms-in-loop", "if (tid < 32)", "  for (int q = 0; q < 2; ++q) {",
     "    const int from_of = KK + q * 32 + tid;", "    if (from_of < n) {",
     "      const float v = feed[from_of];", "      @[q * 32 + tid] = v * v;",
     "    } else {", "      @[q * 32 + tid] = 0.0f;", "    }", "  }", size=64)
copy("filled-first", "if (tid < 32) {", "  @[tid] = 0.0f;",
     "  if (KK + tid * 2 < n)", "    @[tid] = 2 * #tid * 2];", "}")
copy("filled-first-by-loop", "for (int q = tid; q < 32; q += EVERY)",
     "  @[q] = 0.0f;", "for (int q = tid; q < 32; q += EVERY)",
     "  if (KK + q * 2 < n)", "    @[q] = 2 * #q * 2];")
copy("arms-in-helper", "if (tid < 32)", "  {name}_copy(@, feed, KK, tid, n);",
     helper="__device__ void {name}_copy(float *to, const float *from, int k, int "
     "i, int n) {\n  if (k + 2 * i < n) {\n    to[i] = from[k + 2 * i] / 2;\n  } "
     "else {\n    to[i] = 0;\n  }\n}")
# The same by half: what one way leaves alone is of an earlier tile.
_OLD = ["if (tid < 32)", "  @[tid] = float(tid);", "__syncthreads();"]
_SOME = "int(KK) / 8 + tid & 1"
copy("one-arm", "if (tid < 32 && (" + _SOME + "))", "  @[tid] = #tid];",
     early=_OLD, weight=2)
copy("other-place", "if (tid < 16) {", f"  if ({_SOME})", "    @[tid] = #tid];",
     "  else", "    @[tid + 16] = #tid];", "}", early=_OLD, weight=2)
copy("arm-of-three", "if (tid < 32) {", f"  if ({_SOME})", "    @[tid] = #tid];",
     "  else if (tid & 2)", "    @[tid] = 3.0f;", "}", early=_OLD)
copy("filled-in-part", "if (tid < 16)", "  @[tid] = 0.0f;",
     f"if (tid < 32 && ({_SOME}))", "  @[tid] = #tid];", early=_OLD)
copy("filled-elsewhere", "if (tid < 16) {", "  @[tid] = 0.0f;",
     f"  if ({_SOME})", "    @[tid + 16] = #tid];", "}", early=_OLD)
copy("filled-behind", "if (tid < 32) {", f"  if ({_SOME})", "    @[tid] = #tid];",
     "  @[31 - tid ^ 31] = 1.0f;", "}", early=_OLD)
copy("filled-by-some", "if (tid < 32) {", "  if (int(KK) & 16)",
     "    @[tid] = 0.0f;", f"  if ({_SOME})", "    @[tid] = #tid];", "}",
     early=_OLD)
copy("skipped-turns", "if (tid < 32)", "  for (int q = 0; q < 2; ++q) {",
     f"    if ({_SOME})", "      continue;", "    @[q * 32 + tid] = #q + tid];",
     "  }", size=64, early=["for (int q = tid; q < 64; q += EVERY)",
                            "  @[q] = float(q);", "__syncthreads();"])

# Two stores to one place, by the same thread.
copy("stored-twice", "if (tid < 32)", "  @[tid] = #tid];", "if (tid < 9)",
     "  @[tid] = #tid + 7];", weight=2)
copy("stored-twice-in-loop", "if (tid < 32)", "  for (int q = 0; q < 3; ++q)",
     "    @[tid] = #tid + q];")
copy("stored-both-ways", "if (tid < 32) {", "  @[tid] = #tid];",
     "  if (#tid + 1] > 0)", "    @[tid] = #tid + 3];", "}")
_FOUR = "{0}.x - {0}.w"
_SOURCE = "reinterpret_cast<const float4 *>(feed)"
copy("wide-stored-twice", "if (tid < 32)",
     f"  @[tid] = {_SOURCE}[KK / 4 + tid];", "if (tid < 9)",
     f"  @[tid] = {_SOURCE}[KK / 4 + tid + 3];", kind="float4",
     value=f"({_FOUR})", weight=2)
copy("wide-filled-later", "if (tid < 32)",
     f"  @[tid] = {_SOURCE}[KK / 4 + tid];", "if (tid & 1 && tid < 32)",
     "  @[tid] = float4{};", kind="float4", value=f"({_FOUR})")

# Fills that look like zero.
copy("minus-zero", "if (tid < 32)",
     "  @[tid] = KK + tid + 16 < n ? #tid + 16] : -0.0f;", value=_SIGN,
     weight=2)
copy("minus-zero-else", "if (tid < 32) {", "  if (KK + tid + 16 < n)",
     "    @[tid] = #tid + 16];", "  else", "    @[tid] = -0.0f;", "}",
     value=_SIGN)
copy("tiny", "if (tid < 32)",
     "  @[tid] = KK + tid + 16 < n ? #tid + 16] : 1e-45f;",
     value="({} != 0.0f ? 2.0f : 1.0f)")
copy("constant-expression", "constexpr float pad = 2.0f - 1.0f;",
     "if (tid < 32)", "  @[tid] = KK + tid + 16 < n ? #tid + 16] : pad;")
_V4 = "struct __align__(16) {name}_v4 {\n  float x, y, z, w;\n};\n"
_WIDE = ("reinterpret_cast<const {name}_v4 *>(feed)[KK / 4 + tid]")
_GUARD = "KK + tid + 16 < n"
copy("users-make", "if (tid < 32)",
     f"  @[tid] = {_GUARD} ? {_WIDE} : make_{{name}}(0.0f);", kind="{name}_v4",
     value=f"({_FOUR})", weight=2,
     helper=_V4 + "__device__ {name}_v4 make_{name}(float a) {\n"
     "  return {name}_v4{a + 1, a + 2, a + 3, a + 5};\n}")
copy("users-constructor", "if (tid < 32)",
     f"  @[tid] = {_GUARD} ? {_WIDE} : {{name}}_v4(0.0f);", kind="{name}_v4",
     value=f"({_FOUR})", weight=2,
     helper="struct __align__(16) {name}_v4 {\n  float x, y, z, w;\n"
     "  {name}_v4() = default;\n  __device__ explicit {name}_v4(float a)\n"
     "      : x(a + 1), y(a + 2), z(a + 3), w(a + 5) {}\n};")
copy("users-zero", "if (tid < 32)",
     f"  @[tid] = {_GUARD} ? {_WIDE} : {{name}}_v4{{0, 0, 0, 0}};",
     kind="{name}_v4", value=f"({_FOUR})", helper=_V4)

# Addresses that are formed and never used.
copy("far-pointer", "if (tid < 32)",
     "  @[tid] = tid < 7 ? far[KK] : 0.0f;",
     before=["const float *far = feed + (tid < 7 ? tid : tid * 100000);"],
     weight=2)
copy("null-pointer", "if (tid < 32)",
     "  @[tid] = maybe ? maybe[KK] : 0.0f;",
     before=["const float *maybe = tid & 1 ? feed + tid : nullptr;"], weight=2)
copy("before-start", "if (tid < 32)",
     "  @[tid] = KK + tid >= 16 ? #tid - 16] : 0.0f;")

# Sources that are no global memory.
copy("from-shared", "if (tid < 32)", "  @[tid] = view.data[(KK + tid) & 63];",
     before=["if (tid < 32)", "  all[tid] = feed[tid], all[tid + 32] = feed["
             "tid + 32];", "__syncthreads();", "const {name}_view view{all};"],
     helper="struct {name}_view {\n  const float *data;\n};", weight=2,
     shared="float all[64]")
copy("from-local", "if (tid < 32)", "  @[tid] = four[KK / 4 & 3];",
     before=["const float four[4] = {feed[tid], feed[tid + 1], 3.0f, 4.0f};"])
copy("from-wide-shared", "if (tid < 32)",
     "  @[tid] = view.data[KK / 8 + tid & 15];",
     before=["if (tid < 16)", f"  all4[tid] = {_SOURCE}[tid];",
             "__syncthreads();", "const {name}_view view{all4};"],
     helper="struct {name}_view {\n  const float4 *data;\n};", kind="float4",
     value=f"({_FOUR})", weight=2, shared="float4 all4[16]")
