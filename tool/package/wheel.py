#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py PREFIX OUTPUT: packs what `cmake --install --prefix PREFIX` made,
with the module of tool/python, into a wheel in the folder OUTPUT.

A wheel is a zip file with three texts about itself; nothing but Python is
wanted to make one, and the same files give the same bytes. Everything that the
program needs lies inside the package, so that it is found wherever pip puts it.
"""
import argparse
import base64
import hashlib
import os
import platform
import re
import struct
import sys
import zipfile
from pathlib import Path
from typing import Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "tool" / "python" / "kpipe"
# The name kpipe is another project's on PyPI.
NAME = "kpipe-cuda"
INTERPRETER = 3  # PT_INTERP of <elf.h>
PYTHON = ">=3.6"


def is_static(program: bytes) -> bool:
    """Does a 64-bit ELF file run without a loader, and so with any C library?"""
    offset, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    kinds = (struct.unpack_from("<I", program, offset + i * size)[0]
             for i in range(count))
    return INTERPRETER not in kinds


def platforms(program: bytes) -> List[str]:
    """Where the wheel may be installed. A pip knows the names of its time:
    manylinux1 is what Ubuntu 18.04's knows."""
    machine = platform.machine()
    if not is_static(program):
        return [f"linux_{machine}"]
    oldest = ["manylinux_2_5", "manylinux1"] if machine == "x86_64" else []
    return [f"{name}_{machine}" for name in oldest + ["manylinux_2_17", "manylinux2014"]]


def version() -> str:
    """The version, which two files say."""
    found = {re.search(pattern, path.read_text(encoding="utf-8"))[1]  # type: ignore
             for path, pattern in (
                 (ROOT / "CMakeLists.txt", r"project\(kpipe VERSION ([0-9.]+)"),
                 (MODULE / "__init__.py", r'__version__ = "(.*)"'))}
    if len(found) != 1:
        sys.exit(f"wheel.py: CMakeLists.txt and {MODULE} have different versions: "
                 + " ".join(sorted(found)))
    return found.pop()


def files(prefix: Path, data: str) -> Iterator[Tuple[str, Path]]:
    """Name in the wheel and path of each file."""
    for path in sorted(MODULE.glob("*")):
        if path.is_file():
            yield f"kpipe/{path.name}", path
    for path in sorted(p for p in prefix.rglob("*") if p.is_file()):
        name = path.relative_to(prefix).as_posix()
        # For shells and man, which look below a prefix.
        inside = name.startswith(("bin/", "include/", "share/cmake/"))
        yield (f"kpipe/{name}" if inside else f"{data}/data/{name}"), path


def metadata() -> str:
    return "\n".join((
        "Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}",
        "Summary: Software pipelining of CUDA kernels, from source to source",
        "License: Apache-2.0 WITH LLVM-exception",
        f"Requires-Python: {PYTHON}",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Environment :: GPU :: NVIDIA CUDA",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown", "",
        (ROOT / "README.md").read_text(encoding="utf-8")))


class Wheel:
    """The zip file, and its list of what is in it."""

    def __init__(self, path: Path) -> None:
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record: List[str] = []

    def add(self, name: str, content: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
        self.record.append(f"{name},sha256={digest.decode().rstrip('=')},{len(content)}")

    def finish(self, name: str) -> None:
        self.add(name, "\n".join(self.record + [f"{name},,", ""]).encode())
        self.zip.close()


def make(prefix: Path, output: Path) -> Path:
    """Makes the wheel and returns its path."""
    names = platforms((prefix / "bin" / "kpipe").read_bytes())
    stem = f"{NAME.replace('-', '_')}-{version()}"
    info = f"{stem}.dist-info"
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{stem}-py3-none-{'.'.join(names)}.whl"
    wheel = Wheel(path)
    for name, file in files(prefix, f"{stem}.data"):
        wheel.add(name, file.read_bytes(), os.access(file, os.X_OK))
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", "\n".join(
        ["Wheel-Version: 1.0", "Generator: kpipe", "Root-Is-Purelib: false"]
        + [f"Tag: py3-none-{name}" for name in names] + [""]).encode())
    wheel.add(f"{info}/entry_points.txt",
              b"[console_scripts]\nkpipe = kpipe.__main__:main\n")
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.finish(f"{info}/RECORD")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("prefix", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    print(make(args.prefix, args.output))


if __name__ == "__main__":
    main()
