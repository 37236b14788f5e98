"""A kernel and its host function for torch.utils.cpp_extension."""
from pathlib import Path

import kpipe
import torch
from torch.utils.cpp_extension import load_inline

source, report = kpipe.rewrite(
    Path(__file__).with_name("gemm_torch.cu").read_text(),
    arch=torch.cuda.get_device_capability(),  # (9, 0)
    instantiate=["gemm_kernel<float>", "gemm_kernel<double>"])
module = load_inline("gemm", "torch::Tensor gemm(torch::Tensor, torch::Tensor);",
                     source, functions=["gemm"])
a, b = torch.rand(2, 1024, 1024, device="cuda")
print(report["loops"][0]["archs"][0]["verdict"],
      torch.allclose(module.gemm(a, b), a @ b, rtol=1e-3))
