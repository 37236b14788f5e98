# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvrtc's C interface, as far as the tests want it: text in, PTX out. The
library is what $NVRTC names."""
import ctypes
import os
from typing import Dict, Optional, Sequence


class CompileError(RuntimeError):
    """nvrtc's log."""


def compile_text(source: str, arch: str, headers: Optional[Dict[str, str]] = None,
                 options: Sequence[str] = (),
                 expressions: Sequence[str] = ()) -> str:
    """The PTX that nvrtc makes of a source for `compute_90`, with the instances
    of templates that the expressions name."""
    library = ctypes.CDLL(os.environ["NVRTC"])
    names = list(headers or {})
    texts = [(headers or {})[name].encode() for name in names]
    words = [f"--gpu-architecture={arch}".encode(),
             *(option.encode() for option in options)]

    def array(items: Sequence[bytes]) -> "ctypes.Array[ctypes.c_char_p]":
        return (ctypes.c_char_p * len(items))(*items)

    program = ctypes.c_void_p()
    status = library.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), b"kernel.cu", len(names),
        array(texts), array([name.encode() for name in names]))
    assert status == 0, status
    for expression in expressions:
        library.nvrtcAddNameExpression(program, expression.encode())
    failed = library.nvrtcCompileProgram(program, len(words), array(words))
    what = "ProgramLog" if failed else "PTX"
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        raise CompileError(text.value.decode())
    return text.value.decode()
