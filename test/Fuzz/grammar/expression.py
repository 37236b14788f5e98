# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Effects within expressions of the load: counted guards, indices that step,
# commas, assignments in conditions, conditional operators that nest. Each must
# happen exactly once, and in its place.
from . import side
from .axis import OFTEN_PLAIN, Axis

EXPRESSION = Axis("expression", plain=OFTEN_PLAIN)
EXPRESSION.names("no")


def expression(name, *lines, size=32, before=(), after=(), weight=1, then=()):
    """In the lines, @ is the tile, # the source at the tile's start, K the
    tile's start."""
    def write(d):
        feed = side.feed(d)

        def fill(line):
            return line.replace("#", f"{feed}[{d.K} + ").replace(
                "KK", d.K).replace("{by}", d.depth).replace("{name}", d.name)
        d.before += [fill(line) for line in before]
        side.tile(d, [fill(line) for line in lines], size)
        d.after += list(after)
        d.slots["compute"] += [fill(line) for line in then]
        if any("{name}" in line for line in lines):
            d.helper(f"{d.name}_count", "__device__ bool {name}(int &i) {{\n"
                     "  return i++ & 1;\n}}")
    EXPRESSION.option(name, weight=weight)(write)


_PAIRS = "for (int q = 0; q < 2; ++q)"
# A guard that counts in a variable of the body, and one from before the loop.
expression("counted-guard", "int c = 0;", "if (tid < 32)", f"  {_PAIRS}",
           "    @[q * 32 + tid] = c++ < 1 ? #tid + q] : 0.0f;", size=64)
expression("counted-guard-if", "int c = 0;", "if (tid < 32)", f"  {_PAIRS} {{",
           "    @[q * 32 + tid] = 0.0f;", "    if (++c < 2)",
           "      @[q * 32 + tid] = #tid + q];", "  }", size=64)
expression("counted-over-tiles", "if (tid < 32)",
           "  @[tid] = budget-- > 0 ? #tid] : 0.0f;",
           before=["int budget = 3;"], after=["sum += float(budget);"])
expression("counted-read-behind", "int c = 0;", "if (tid < 32)",
           "  @[tid] = c++ < 1 ? #tid] : 0.0f;", then=["sum += float(c);"])
expression("counting-helper", "int c = tid;", "if (tid < 32)",
           "  @[tid] = {name}_count(c) ? #tid] : 0.0f;",
           then=["sum += float(c);"])
expression("short-circuit", "int c = tid;", "if (tid < 32)",
           "  @[tid] = KK + tid < n && c++ < 20 ? #tid] : 0.0f;",
           then=["sum += float(c);"])
expression("index-increment", "if (tid < 16) {", "  int to = tid * 2;",
           "  @[to++] = #tid];", "  @[to++] = #tid + 1];", "}")
expression("index-increment-behind", "int to = tid;", "if (tid < 32)",
           "  @[to++] = #tid];", then=["sum += float(to);"])
expression("index-decrement", "if (tid < 16) {", "  int to = tid * 2 + 2;",
           "  @[--to] = #tid];", "  @[--to] = #tid + 1];", "}")
expression("pointer-increment", "if (tid < 16) {", "  float *to = @ + tid * 2;",
           "  *to++ = #tid];", "  *to++ = #tid + 1];", "}")
expression("value-increment", "int from = tid;", "if (tid < 32)",
           "  @[tid] = #from++];", then=["sum += float(from);"])
expression("source-increment", "if (tid < 16) {",
           "  const float *from = &#tid * 2];", "  @[tid * 2] = *from++;",
           "  @[tid * 2 + 1] = *from;", "}")
expression("cursor", "if (tid < 32)",
           "  @[tid] = *cursor;", "cursor += {by};",
           before=["const float *cursor = feed + tid;"])
expression("step-in-index", "if (tid < 32)",
           "  @[tid] = feed[(fed += {by}) - {by} + tid];",
           before=["int fed = 0;"], after=["sum += float(fed);"])
expression("comma-value", "int c = 0;", "if (tid < 32)",
           "  @[tid] = (c += 3, #tid]);", then=["sum += float(c);"])
expression("comma-statement", "if (tid < 32)",
           "  @[tid] = 0.0f, @[tid] += #tid];")
expression("comma-index", "if (tid < 32)", "  @[(void)n, tid] = #tid];")
expression("assigned-in-guard", "int at;", "if (tid < 32) {",
           "  if ((at = KK + tid) < n)", "    @[tid] = feed[at];", "  else",
           "    @[tid] = 0.0f;", "}")
expression("assigned-in-ternary", "int at = 0;", "if (tid < 32)",
           "  @[tid] = (at = KK + tid) < n ? feed[at] : 0.0f;",
           then=["sum += float(at);"])
expression("assigned-value", "float kept = 0.0f;", "if (tid < 32)",
           "  @[tid] = kept = #tid];", then=["sum += kept;"])
expression("nested-ternary", "if (tid < 32)",
           "  @[tid] = KK + tid < n ? tid & 1 ? #tid] : #2] : 0.0f;")
expression("nested-ternary-fill", "if (tid < 32)",
           "  @[tid] = tid & 1 ? 0.0f : KK + tid < n ? #tid] : 0.0f;")
expression("ternary-source", "if (tid < 32)",
           "  @[tid] = (tid & 1 ? feed : feed + 1)[KK + tid];")
expression("ternary-place", "if (tid < 32)",
           "  @[tid & 1 ? tid : 30 - tid] = #tid];")
expression("ternary-lvalue", "if (tid < 32)",
           "  (tid & 1 ? @[tid] : @[30 - tid]) = #tid];")
expression("bit-guard", "if (tid < 32)",
           "  @[tid] = n + tid & 5 ? #tid] : 0.0f;")
expression("mixed-guard", "if (tid < 32)",
           "  @[tid] = tid | 1 && KK < n || tid == 3 ? #tid] : 0.0f;")
expression("negated-guard", "if (tid < 32)",
           "  @[tid] = !(KK + tid >= n) ? #tid] : 0.0f;")
expression("cast-guard", "if (tid < 32)",
           "  @[tid] = unsigned(KK + tid - 3) < unsigned(n) ? #tid] : 0.0f;")
expression("if-initialiser", "if (tid < 32) {",
           "  if (int at = KK + tid; at < n)", "    @[tid] = feed[at];",
           "  else", "    @[tid] = 0.0f;", "}")
expression("switch", "switch (tid & 1) {", "case 0:", "  if (tid < 32)",
           "    @[tid] = #tid];", "  break;", "default:", "  if (tid < 32)",
           "    @[tid] = #tid + 1];", "}")
expression("compound-store", "if (tid < 32) {", "  @[tid] = #tid];",
           "  @[tid] *= 2.0f;", "}")
expression("increment-in-loop", "if (tid < 32) {", "  int q = 0;",
           "  while (q < 2)", "    @[q++ * 32 + tid] = #tid];", "}", size=64)
