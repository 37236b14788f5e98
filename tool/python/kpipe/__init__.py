# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kpipe from Python: software pipelining of CUDA kernels in strings.

    source, report = kpipe.rewrite(kernel, arch="sm_90")

The result compiles wherever the input did: with nvcc, with nvrtc (also as
CuPy's RawModule and RawKernel), or in torch.utils.cpp_extension. This module
starts the program kpipe; it knows nothing of CUDA itself.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

__version__ = "0.2.0"
__all__ = ["Arch", "Error", "Rewrite", "cmake_dir", "headers", "include_dir",
           "program", "rewrite"]

#: "sm_90", "90", 90, (9, 0) as torch.cuda.get_device_capability() gives it, or
#: several of these but the number in a list.
Arch = Union[str, int, Tuple[int, int], Sequence[Union[str, Tuple[int, int]]]]

_HERE = os.path.dirname(os.path.abspath(__file__))


class Error(RuntimeError):
    """What the program says when it ends without a result."""


class Rewrite(NamedTuple):
    """What rewrite() returns."""

    #: The pipelined source; equal to the input if no loop was pipelined.
    source: str
    #: What became of each loop and why, as `kpipe rewrite --report` writes it
    #: (docs/report.md): report["loops"][0]["archs"][0]["verdict"].
    report: Dict[str, Any]


def program() -> str:
    """The path of the program: this package's, else the one on PATH.

    Raises Error where there is neither.
    """
    own = os.path.join(_HERE, "bin", "kpipe")
    found = own if os.access(own, os.X_OK) else shutil.which("kpipe")
    if not found:
        raise Error("no program kpipe in this package or on PATH")
    return found


def _folder(*names: str) -> str:
    """A folder of the installation that the program belongs to."""
    root = os.path.dirname(os.path.dirname(os.path.realpath(program())))
    path = os.path.join(root, *names)
    if not os.path.isdir(path):
        raise Error("no folder " + path)
    return path


def include_dir() -> str:
    """The folder for -I of sources that include <kpipe/pipeline.h>."""
    return os.path.dirname(_folder("include", "kpipe"))


def cmake_dir() -> str:
    """The folder for -Dkpipe_DIR, so that find_package(kpipe) finds this."""
    return _folder("share", "cmake", "kpipe")


def headers() -> Dict[str, str]:
    """The text of <kpipe/pipeline.h> by its name, with all that it includes.

    For nvrtcCreateProgram, and a source that was made with runtime="include".
    """
    name = "kpipe/pipeline.h"
    return {name: _whole(os.path.join(include_dir(), name))}


def _whole(path: str) -> str:
    """A header's text with the headers that it includes in their places.

    They guard themselves, and nvrtc would know them by their full names only.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    folder = os.path.dirname(path)
    return re.sub(r'^#include "(.*)"$',
                  lambda line: _whole(os.path.join(folder, line.group(1))),
                  text, flags=re.M)


def _spelled(arch: Arch) -> str:
    """The value of --arch."""
    if isinstance(arch, (str, int)) and not isinstance(arch, bool):
        return str(arch)
    if not isinstance(arch, (tuple, list)):
        raise TypeError("arch={!r}: want 'sm_90', 90, (9, 0), or a list".format(arch))
    parts = list(arch)
    if len(parts) == 2 and all(isinstance(part, int) for part in parts):
        return "sm_{}{}".format(*parts)
    return ",".join(_spelled(part) for part in parts if not isinstance(part, int))


def _words(given: Union[str, Sequence[str]], name: str) -> List[str]:
    """A list of words, or a text that holds them as a shell would read it."""
    if isinstance(given, str):
        return shlex.split(given)
    words = list(given)
    for word in words:
        if not isinstance(word, str):
            raise TypeError("{}={!r}: want texts".format(name, given))
    return words


def rewrite(source: Union[str, bytes], arch: Optional[Arch] = None, *,
            runtime: str = "inline",
            includes: Union[str, Sequence[str]] = (),
            instantiate: Union[str, Sequence[str]] = (),
            options: Union[str, Sequence[str]] = (),
            flags: Union[str, Sequence[str]] = ()) -> Rewrite:
    """Pipelines the tiled K-loops of CUDA source.

    source       kernels with or without host code and includes; nothing but
                 the kernels needs to be known.
    arch         what to plan for; None: the GPU of this machine.
    runtime      "inline" pastes the primitives that are used, so that the
                 result needs no header; "include" includes
                 <kpipe/pipeline.h> (see include_dir() and headers()).
    includes     headers that whoever compiles the source puts in front of it,
                 such as "cuda_fp16.h": torch's load_inline does. They are read
                 and not added.
    instantiate  instances of template kernels that are launched elsewhere, as
                 nvrtc's name expressions spell them: "gemm<float>".
    options      further options of `kpipe rewrite`: ["--stages=3", "--pad"], or
                 all in one text, "--stages=3 --pad".
    flags        the compiler's flags in the same ways: ["-DTILE=16", "-I/where"].

    A loop that cannot be pipelined keeps its text and is no error; the report
    says why, with <stdin> for the file. Raises Error where there is no result
    at all, and ValueError for a runtime that is neither.
    """
    if runtime not in ("inline", "include"):
        raise ValueError("runtime={!r}: want 'inline' or 'include'".format(runtime))
    if isinstance(source, (bytes, bytearray)):
        source = bytes(source).decode("utf-8", "surrogateescape")
    if not isinstance(source, str):
        raise TypeError("source: want a text, not {}".format(type(source).__name__))
    # A name may have blanks in it.
    includes = [includes] if isinstance(includes, str) else includes
    instantiate = [instantiate] if isinstance(instantiate, str) else instantiate
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [program(), "rewrite", "-", "--report=" + report,
                   "--color=never"]
        if arch is not None:
            command.append("--arch=" + _spelled(arch))
        if runtime == "inline":
            command.append("--inline-runtime")
        command += ["--instantiate=" + one for one in instantiate]
        command += _words(options, "options")
        command.append("--")
        for one in includes:
            command += ["-include", one]
        command += _words(flags, "flags")
        ended = _run(command, source)
        if ended.returncode != 0:
            raise Error(ended.stderr.decode("utf-8", "replace").strip())
        with open(report, encoding="utf-8") as file:
            return Rewrite(ended.stdout.decode("utf-8", "surrogateescape"), json.load(file))


def _run(command: List[str], text: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(command, input=text.encode("utf-8", "surrogateescape"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
