# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m kpipe`, and what pip puts on PATH as `kpipe`: the program itself.

--include-dir and --cmake-dir print what include_dir() and cmake_dir() return.
"""
import os
import sys

import kpipe


def main() -> int:
    """Becomes the program with the same arguments; returns only on errors."""
    try:
        if sys.argv[1:] == ["--include-dir"]:
            print(kpipe.include_dir())
        elif sys.argv[1:] == ["--cmake-dir"]:
            print(kpipe.cmake_dir())
        else:
            sys.stdout.flush()
            os.execv(kpipe.program(), ["kpipe"] + sys.argv[1:])
    except kpipe.Error as error:
        print("kpipe:", error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
