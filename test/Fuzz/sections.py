# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Many programs in one file share its parse. A line before each says its name, by
# which the file is taken apart again after it was rewritten. A blank line behind
# it says that it belongs to no function.
import re

PRELUDE = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by test/Fuzz/generate.py.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#ifdef KPIPE_HARNESS
#include "harness.h"
#endif
"""
_MARK = re.compile(r"^// --- (\w+)$\n?", re.M)


def join(texts, prelude=PRELUDE):
    """One file of programs; `texts` maps names to texts."""
    return prelude + "".join(f"// --- {name}\n\n{text}"
                             for name, text in texts.items())


def split(file):
    """The prelude, and the programs' texts by name."""
    marks = list(_MARK.finditer(file))
    ends = [mark.start() for mark in marks[1:]] + [len(file)]
    return file[:marks[0].start()], {
        mark[1]: file[mark.end() + 1:end] for mark, end in zip(marks, ends)}


def lines(file):
    """The name of the program at each line; lines begin at 1."""
    names, name = [None], None
    for line in file.split("\n"):
        found = _MARK.match(line)
        name = found[1] if found else name
        names.append(name)
    return names
