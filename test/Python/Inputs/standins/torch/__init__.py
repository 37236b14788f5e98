# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch without a GPU: tensors hold nothing."""
import types

cuda = types.SimpleNamespace(get_device_capability=lambda: (9, 0))


class Tensor:
    def __iter__(self):
        return iter((self, self))

    def __matmul__(self, _):
        return self


def rand(*shape, device):
    assert device == "cuda"
    return Tensor()


def allclose(c, expected, rtol):
    return "not run"
