# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kpipe and the executor as functions: a file of programs in, a file and what was
# said of each program out. Knows nothing of what a program should do.
import os
import re
import subprocess

import sections

_SAID = re.compile(r"^[^\n:]+:(\d+):\d+: (warning|remark|error): (.*)"
                   r" \[kpipe-([a-z-]+)\]$", re.M)


class Rewritten:
    """`texts` and `said` by program's name; `error` if kpipe failed. What is
    said of a program is a list of (id, message)."""

    def __init__(self, error="", texts=None, prelude="", said=None):
        self.error, self.texts = error, texts or {}
        self.prelude, self.said = prelude, said or {}


class Tools:
    def __init__(self, kpipe, execute, folder, arch="sm_86"):
        self.kpipe, self.execute_command = kpipe, execute
        self.folder, self.arch = folder, arch

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def rewrite(self, texts, way):
        file = sections.join(texts)
        path = self.write("programs.cu", file)
        out = os.path.join(self.folder, "out.cu")
        done = subprocess.run(
            [self.kpipe, "rewrite", path, "--arch=" + self.arch, "-o", out,
             *way], stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode != 0:
            last = done.stderr.strip().split("\n")[-1]
            return Rewritten(error=f"kpipe ended with {done.returncode}: "
                                   f"{last}")
        names, said = sections.lines(file), {name: [] for name in texts}
        for line, _, message, which in _SAID.findall(done.stderr):
            if names[int(line)]:
                said[names[int(line)]].append((which, message))
        with open(out) as file:
            prelude, rewritten = sections.split(file.read())
        return Rewritten("", rewritten, prelude, said)

    def execute(self, originals, rewritten, prelude, stages, thorough=False):
        """Runs the cases of `rewritten` and of the same originals. Returns what
        was printed if anything is wrong."""
        first = self.write("original.cu", sections.join(originals))
        second = self.write("rewritten.cu", sections.join(rewritten, prelude))
        command = [self.execute_command, f"--stages={stages}",
                   f"--cache={self.folder}/cache", "--timeout=300",
                   "--case=" + ",".join(rewritten), first, second]
        if not thorough:
            command += ["--modes=late,random", "--orders=reverse,shuffled"]
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        return "" if done.returncode == 0 else done.stdout
