# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# classes-alone.py FOLDER SCRATCH.cu COMPILER...: every header under FOLDER's
# async/ compiles alone, and the umbrella includes it.
import pathlib
import re
import subprocess
import sys

folder, scratch, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
reached, queue = set(), [folder / "pipeline_async.h"]
while queue:
    header = queue.pop()
    if header not in reached:
        reached.add(header)
        queue += [(header.parent / name).resolve() for name in re.findall(
            r'^#include "([^"]+)"', header.read_text(), re.M)]
headers = sorted(folder.glob("async/**/*.h"))
failed = False
for header in headers:
    with open(scratch, "w") as file:
        file.write(f"#include <kpipe/{header.relative_to(folder)}>\n")
    failed |= subprocess.run(compiler + [scratch]).returncode != 0
    if header.resolve() not in reached:
        print(f"{header}: pipeline_async.h does not include it")
        failed = True
print(f"{len(headers)} headers")
sys.exit(failed)
