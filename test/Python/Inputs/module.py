# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module kpipe as its users call it."""
import kpipe

KERNEL = """
extern "C" __global__ void __launch_bounds__(64)
smooth(const float *x, float *y, int n) {
  __shared__ float xs[TILE];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[(threadIdx.x + 1) % TILE];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
"""


def verdict(report):
    return report["loops"][0]["archs"][0]["verdict"]


# Pasted or included; with flags and options of the program.
source, report = kpipe.rewrite(KERNEL, arch="sm_86", flags=["-DTILE=64"],
                               options=["--variant=cp-async"])
assert verdict(report) == "pipelined" and "#include" not in source, source
assert "kpipe::copy_async" in source and "cp.async" in source
result = kpipe.rewrite(KERNEL, "sm_86", runtime="include", flags=["-DTILE=64"],
                       options=["--variant=cp-async"])
assert "#include <kpipe/pipeline.h>" in result.source, result.source
(name, text), = kpipe.headers().items()
assert name == "kpipe/pipeline.h" and "copy_async(" in text and "#include" not in text

# Architectures in all their spellings.
for arch, names in (((8, 6), ["sm_86"]), ("90", ["sm_90"]), (86, ["sm_86"]), ("80,90", ["sm_80", "sm_90"]),
                    ([(8, 0), "sm_90"], ["sm_80", "sm_90"])):
    report = kpipe.rewrite(KERNEL, arch, flags=["-DTILE=64"]).report
    assert [one["arch"] for one in report["loops"][0]["archs"]] == names, report

# One text where a list is meant, and bytes that were read from a file.
same = kpipe.rewrite(KERNEL.encode(), 86, flags="-DTILE=64", options="--variant=cp-async --stages=2")
assert same.source == kpipe.rewrite(KERNEL, "sm_86", flags=["-DTILE=64"],
                                    options=["--variant=cp-async", "--stages=2"]).source
for arguments in ({"arch": 8.6}, {"arch": True}, {"arch": "sm_86", "options": [3]}):
    try:
        kpipe.rewrite(KERNEL, **arguments)
    except TypeError as error:
        assert "want" in str(error), error
    else:
        raise AssertionError(arguments)
try:
    kpipe.rewrite(None, "sm_86")
except TypeError as error:
    assert "want a text" in str(error), error

# A type of a header that torch puts in front of the source, and a template that
# is instantiated where it is launched.
HALF = (KERNEL.replace('extern "C"', "template <typename T>")
        .replace("const float", "const T").replace("__shared__ float", "__shared__ T")
        .replace("+= xs[", "+= (float)xs["))
source, report = kpipe.rewrite(HALF, "sm_86", includes=["cuda_fp16.h"],
                               instantiate=["smooth<__half>"], flags=["-DTILE=64"])
assert verdict(report) == "pipelined" and "cuda_fp16" not in source, source

# A loop that stays as it is, with the reason; a source that is no source.
racy = KERNEL.replace("    __syncthreads();\n  }", "  }")
source, report = kpipe.rewrite(racy, "sm_86", flags=["-DTILE=64"])
assert source == racy and verdict(report) == "refused"
assert report["loops"][0]["archs"][0]["reasons"][0]["id"] == "kpipe-missing-barrier"
for bad in (lambda: kpipe.rewrite(KERNEL, "sm_1"),
            lambda: kpipe.rewrite("Dear Madam or Sir", "sm_86")):
    try:
        bad()
    except kpipe.Error as error:
        assert str(error).startswith("kpipe: error: "), error
    else:
        raise AssertionError("no error")
try:
    kpipe.rewrite(KERNEL, "sm_86", runtime="static")
except ValueError:
    pass
else:
    raise AssertionError("no error")
