# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuPy without a GPU: a module is compiled by nvrtc with CuPy's own option, and
has the functions that its source declares; arrays hold nothing."""
import types

import nvrtc


class Array:
    def __iter__(self):
        return iter((self, self))

    def astype(self, _):
        return self

    def __matmul__(self, _):
        return self


class RawModule:
    def __init__(self, *, code):
        self.ptx = nvrtc.compile_text(code, "compute_90", options=["-std=c++14"])

    def get_function(self, name):
        assert f".entry {name}(" in self.ptx
        return lambda grid, block, arguments: None


def empty_like(array):
    return array


def allclose(c, expected, rtol):
    return "not run"


class _Device:
    compute_capability = "90"


int32 = int
cuda = types.SimpleNamespace(Device=_Device)
random = types.SimpleNamespace(rand=lambda *shape: Array())
