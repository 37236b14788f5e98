"""A kernel for nvrtc, with NVIDIA's cuda.core: pip install cuda-core nvidia-cuda-nvrtc."""
from pathlib import Path

import kpipe
from cuda.core import Program, ProgramOptions

kernel = Path(__file__).with_name("gemm_kernel.cu").read_text()
source, report = kpipe.rewrite(kernel, arch="sm_90")
binary = Program(source, "c++", ProgramOptions(arch="sm_90")).compile("cubin")
print(report["loops"][0]["archs"][0]["verdict"], len(binary.code), "bytes")
