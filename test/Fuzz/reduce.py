#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reduce.py --kpipe=KPIPE --execute=EXECUTE PROGRAM: makes a failing program small
# by its choices: each is made plainer as long as the same goes wrong. PROGRAM is a
# .choices file that fuzz.py saved, or SEED/NAME. With --cvise, and cvise (of
# Debian) installed, the text that is left is made smaller still.
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import check
import generate
import grammar
import sections
import tools
import ways
from program import Program

HERE = os.path.abspath(__file__)


def load(path):
    """The choices in a file, or of the program that a seed gives."""
    if not os.path.exists(path):
        seed, name = path.split("/")
        return generate.program(seed, int(name[1:]), name[0] == "p")
    with open(path) as file:
        return Program(dict(line.rstrip("\n").split(" ", 1) for line in file))


def completed(choices):
    """The same choices where they fit, else the plainest that do."""
    seen = {}
    for name, axis, view in grammar.questions(seen):
        fitting = [option.name for option in axis.fitting(view)]
        wish = choices.get(name)
        seen[name] = wish if wish in fitting else fitting[0]
    return seen


class Trial:
    """Checks a program alone; knows what has to go wrong."""

    def __init__(self, args):
        self.args, self.folder = args, tempfile.mkdtemp(prefix="kpipe-reduce-")
        self.tools = tools.Tools(args.kpipe, args.execute, self.folder)
        self.ways, self.wanted = ways.of_batch(0, True), None

    def outcome(self, program):
        return check.check(self.tools, {"p0000": program}, self.ways,
                           thorough=True)["p0000"]

    def signature(self, outcome):
        """What has to stay: the kind, the hazards, the reason."""
        what = set(re.findall(r"\[([a-z]+-[a-z]+)\]", outcome.text))
        if "difference:" in outcome.text:
            what.add("difference")
        message = re.sub(r"'[^']*'", "X", outcome.text)
        if outcome.kind == "refused":
            what = {re.sub(r"\(.*", "", message.split("\n")[0])}
        return outcome.kind, frozenset(what)

    def start(self, program):
        outcome = self.outcome(program)
        self.wanted = self.signature(outcome)
        self.ways = [ways.DEFAULT] + [w for w in [outcome.way]
                                      if w and w != ways.DEFAULT]
        return outcome

    def fails(self, program):
        kind, what = self.signature(self.outcome(program))
        return kind == self.wanted[0] and bool(
            what & self.wanted[1] or not self.wanted[1])


def reduce(trial, program):
    """Makes choices plainer until none can be."""
    again = True
    while again:
        again = False
        for name in reversed(list(program.choices)):
            if name not in program.choices:
                continue
            axis = next(a for n, a, _ in grammar.questions(
                dict(program.choices)) if n == name)
            for option in axis.options:
                if option == program.choices[name]:
                    break
                smaller = Program(completed({**program.choices,
                                             name: option}))
                if smaller.choices[name] != option or (
                        smaller.legal != program.legal):
                    continue
                if trial.fails(smaller):
                    program, again = smaller, True
                    print(f"  {program.describe()}", flush=True)
                    break
    return program


def cvise(args, path):
    """Gives the text to cvise; a smaller one must fail as `--same-as` says."""
    script = os.path.join(os.path.dirname(path), "interesting.sh")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\nexec {args.execute} {os.path.basename(path)} "
                   f"$({args.kpipe} rewrite --arch=sm_86 {args.way} "
                   f"{os.path.basename(path)} -o out.cu 2>/dev/null && echo "
                   "out.cu) | grep -q ' 0 hazards in the original.*, [1-9].* in "
                   "the rewritten\\|, [1-9].* differences'\n")
    os.chmod(script, 0o755)
    subprocess.run(["cvise", script, path], cwd=os.path.dirname(path))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kpipe", required=True)
    parser.add_argument("--execute", required=True)
    parser.add_argument("--out", default="reduced.cu")
    parser.add_argument("--cvise", action="store_true")
    args = parser.parse_args()
    trial, program = Trial(args), load(args.program)
    outcome = trial.start(program)
    print(f"{outcome.kind} {' '.join(outcome.way)}: {outcome.text[:600]}")
    program = reduce(trial, program)
    with open(args.out, "w") as file:
        file.write(sections.join({"p0000": program.text("p0000")}))
    print(f"{args.out}: {program.describe()}")
    if args.cvise:
        args.way = " ".join(outcome.way)
        if not shutil.which("cvise"):
            sys.exit("cvise is not installed (Debian: cvise)")
        cvise(args, os.path.abspath(args.out))


if __name__ == "__main__":
    main()
