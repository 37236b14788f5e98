# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a file that holds the marked text of every primitive, then the umbrella
# header; the whole twice with -DTWICE.
import pathlib
import re
import sys

texts = []
for header in sorted(pathlib.Path(sys.argv[1]).glob("*.h")):
    found = re.findall(
        r"^// kpipe-inline: (\w+)\n(.*?)^// kpipe-inline: end\n",
        header.read_text(), re.M | re.S)
    for name, text in found:
        assert name == header.stem, f"{header.name} marks {name}"
        texts.append(text)
    assert len(found) == (header.stem not in
                          ("pipeline", "pipeline_async", "timing")), header.name
body = "".join(texts)
print(f"{body}#ifdef TWICE\n{body}#include <kpipe/pipeline.h>\n#endif")
print("__device__ void wait() { kpipe::commit(); kpipe::wait_prior<0>(); }")
print(f"// pasted {len(texts)} primitives")
