# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kpipe and the executor as functions: a file of programs in, a file and what was
# said of each program out. Knows nothing of what a program should do.
import os
import re
import subprocess
import sys

import sections

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "Execution"))
import forms  # noqa: E402

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

    def rewrite(self, texts, some_ways):
        """The programs' file in each of the ways, one after the other."""
        file = sections.join(texts)
        path = self.write("programs.cu", file)
        outs = [os.path.join(self.folder, f"out{number}.cu")
                for number in range(len(some_ways))]
        names = sections.lines(file)
        for done in forms.rewrite_all(self.kpipe, path, some_ways, outs,
                                      ["--arch=" + self.arch, "--verbose"]):
            yield self.result(done, names, texts)

    @staticmethod
    def result(done, names, texts):
        if done.returncode != 0:
            last = done.stderr.strip().split("\n")[-1]
            return Rewritten(error=f"kpipe ended with {done.returncode}: "
                                   f"{last}")
        said = {name: [] for name in texts}
        for line, _, message, which in _SAID.findall(done.stderr):
            if names[int(line)]:
                said[names[int(line)]].append((which, message))
        with open(done.path) as file:
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
