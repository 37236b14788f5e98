# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Headers whose end lies in memory: a number that the block shares, or a parameter
# points to. The loop only reads it.
from .header import Loop, header


@header("shared-end", ceiling=True, weight=0.7)
def _(d):
    d.shared("int end_of")
    d.early += ["if (tid == 0)", "  end_of = n;", "__syncthreads();"]
    return Loop("for (int k0 = 0; k0 < end_of; k0 += BK) {", "k0")


def _ends_with_n(view):
    """Not where n is none and these tiles are all the same."""
    return view["wrap"] != "function-then-none"


@header("shared-span", ceiling=True, weight=0.7, fits=_ends_with_n)
def _(d):
    d.helpers[f"{d.name}_span"] = f"struct {d.name}_span {{\n  int from, to;\n}};"
    d.shared(f"{d.name}_span span")
    d.early += ["if (tid == 0) {", "  span.from = 0;", "  span.to = n;", "}",
                "__syncthreads();"]
    return Loop("while (k0 < span.to) {", "k0", before=["int k0 = span.from;"],
                step=["k0 += BK;"])


@header("shared-end-later", ceiling=True, weight=0.5)
def _(d):
    """Changed as soon as the loop is over, behind a barrier."""
    d.shared("int end_of")
    d.before += ["__syncthreads();", "if (tid == 0)", "  end_of = n;",
                 "__syncthreads();"]
    d.after += ["__syncthreads();", "if (tid == 0)", "  end_of = 0;"]
    return Loop("for (int k0 = 0; k0 < end_of; k0 += BK) {", "k0")


@header("global-end", ceiling=True, weight=0.7,
        fits=_ends_with_n)
def _(d):
    d.parameter("const int *__restrict__ {}", "ends",
                'in<int>("ends", 1, [=](size_t) { return n; })')
    return Loop("for (int k0 = 0; k0 < ends[0]; k0 += BK) {", "k0")


@header("global-end-unqualified", ceiling=True, weight=0.4,
        fits=_ends_with_n)
def _(d):
    d.parameter("const int *{}", "ends",
                'in<int>("ends", 1, [=](size_t) { return n; })')
    return Loop("for (int k0 = 0; k0 < *ends; k0 += BK) {", "k0")
