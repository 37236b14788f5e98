#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fuzz.py --kpipe=KPIPE --execute=EXECUTE: generates programs, has each rewritten
# in every way and executed, and checks that illegal ones are refused. Goes on
# after a failure; exit 0 only if there was none. See README.md.
import argparse
import collections
import os
import secrets
import sys
import tempfile
import time

import check
import generate
import sections
import tools
import ways

ILLEGAL_EVERY = 6  # one program in so many breaks a rule


class Table:
    """Counts of what came of the programs."""

    def __init__(self):
        self.kinds, self.reasons = collections.Counter(), collections.Counter()
        self.illegal = collections.Counter()

    def add(self, program, outcome):
        self.kinds[outcome.kind] += 1
        if outcome.kind == "refused":
            self.reasons[", ".join(outcome.ids) or "no loop seen"] += 1
        if not program.legal:
            self.illegal[", ".join(outcome.ids)] += 1

    @property
    def failures(self):
        return sum(count for kind, count in self.kinds.items()
                   if kind not in check.Outcome.GOOD)

    def print(self):
        legal = self.kinds["pipelined"] + self.kinds["refused"]
        share = 100 * self.kinds["pipelined"] // max(1, legal)
        print(f"{sum(self.kinds.values())} programs: {legal} legal, "
              f"{self.kinds['pipelined']} of them pipelined ({share} %); "
              f"{self.kinds['illegal']} illegal, all of them refused; "
              f"{self.failures} failures")
        for title, counts in (("legal, refused", self.reasons),
                              ("illegal, refused", self.illegal)):
            for reason, count in counts.most_common():
                print(f"  {count:5} {title}: {reason}")
        for kind, count in self.kinds.items():
            if kind not in check.Outcome.GOOD:
                print(f"  {count:5} FAILED: {kind}")
        sys.stdout.flush()


def save(folder, seed, name, program, outcome):
    """Leaves a failing program as a file of its own, which reduce.py takes."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{seed}-{name}.cu")
    with open(path, "w") as file:
        file.write(sections.join({name: program.text(name)}))
        file.write("\n/* " + outcome.kind + " " + " ".join(outcome.way) + "\n" +
                   outcome.text.replace("*/", "* /") + "*/\n")
    with open(path[:-3] + ".choices", "w") as file:
        file.writelines(f"{k} {v}\n" for k, v in program.choices.items())
    return path


def batch(seed, begin, count):
    """The programs of a seed from one index on."""
    programs = {}
    for index in range(begin, begin + count):
        legal = index % ILLEGAL_EVERY != ILLEGAL_EVERY - 1
        programs[generate.name(index, legal)] = generate.program(seed, index,
                                                                 legal)
    return programs


def run_seed(args, seed, indices, table, until=None):
    """Checks programs of one seed until there are enough, or time is up."""
    for number, begin in enumerate(indices[::args.per_file]):
        programs = batch(seed, begin, min(args.per_file,
                                          indices.stop - begin))
        with tempfile.TemporaryDirectory(prefix="kpipe-fuzz-") as folder:
            use = tools.Tools(args.kpipe, args.execute, folder)
            outcomes = check.check(use, programs,
                                   ways.of_batch(number, args.every_way),
                                   args.thorough)
        for name, outcome in outcomes.items():
            table.add(programs[name], outcome)
            if args.verbose and outcome.kind == "refused":
                print(f"refused: {seed}/{name}: {outcome.text}\n    "
                      f"{programs[name].describe()}")
            if not outcome.good:
                path = save(args.save, seed, name, programs[name], outcome)
                print(f"FAIL: {outcome.kind}: {path}: "
                      f"{programs[name].describe()}\n{outcome.text[:700]}",
                      flush=True)
        if until and time.time() > until:
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kpipe", required=True)
    parser.add_argument("--execute", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=250,
                        help="programs of the seed")
    parser.add_argument("--fresh", type=int, default=0,
                        help="programs of a new seed, which is printed")
    parser.add_argument("--minutes", type=float, nargs="?", default=0,
                        const=float(os.environ.get("KPIPE_FUZZ_MINUTES", 10)),
                        help="go on with fresh seeds instead, for so long or "
                        "as $KPIPE_FUZZ_MINUTES says")
    parser.add_argument("--per-file", type=int, default=50)
    parser.add_argument("--every-way", action="store_true",
                        help="all ways for all programs")
    parser.add_argument("--thorough", action="store_true",
                        help="all orders of threads and modes of copies")
    parser.add_argument("--save", metavar="DIR", default="fuzz-failures")
    parser.add_argument("--verbose", action="store_true",
                        help="say why legal programs are refused")
    args = parser.parse_args()
    table = Table()
    if args.minutes:
        until = time.time() + 60 * args.minutes
        while time.time() < until:
            seed = secrets.token_hex(4)
            print(f"fresh seed {seed}", flush=True)
            run_seed(args, seed, range(1000), table, until)
            table.print()
    else:
        run_seed(args, args.seed, range(args.first, args.first + args.count),
                 table)
        if args.fresh:
            seed = secrets.token_hex(4)
            print(f"fresh seed {seed}: {args.fresh} programs", flush=True)
            run_seed(args, seed, range(args.fresh), table)
        table.print()
    print("FAIL" if table.failures else "PASS")
    return 1 if table.failures else 0


if __name__ == "__main__":
    sys.exit(main())
