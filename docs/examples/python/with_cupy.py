"""A kernel for CuPy's RawModule."""
from pathlib import Path

import cupy
import kpipe

kernel = Path(__file__).with_name("gemm_kernel.cu").read_text()
arch = cupy.cuda.Device().compute_capability  # "90"
source, report = kpipe.rewrite(kernel, arch=arch)
gemm = cupy.RawModule(code=source).get_function("gemm")
n = 1024
a, b = cupy.random.rand(2, n, n).astype("float32")
c = cupy.empty_like(a)
gemm((n // 16, n // 16), (16, 16), (a, b, c, cupy.int32(n)))
print(report["loops"][0]["archs"][0]["verdict"], cupy.allclose(c, a @ b, rtol=1e-3))
