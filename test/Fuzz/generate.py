#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# generate.py --seed N --count M [--out DIR]: writes tile-loop programs in the
# form of test/Kernels, the same for the same seed. With --illegal, programs that
# kpipe must refuse. Program i of a seed does not depend on the count.
import argparse
import os
import random

import sections
from program import Program


def program(seed, index, legal=True):
    """The index-th program of a seed."""
    kind = "legal" if legal else "illegal"
    return Program.draw(random.Random(f"{seed}/{index}/{kind}"), legal)


def name(index, legal=True):
    return f"{'p' if legal else 'q'}{index:04}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--illegal", action="store_true")
    parser.add_argument("--out", metavar="DIR",
                        help="where to write files; else they are printed")
    args = parser.parse_args()
    indices = range(args.first, args.first + args.count)
    for begin in range(0, args.count, args.per_file):
        text = sections.join({
            name(i, not args.illegal): program(
                args.seed, i, not args.illegal).text(name(i, not args.illegal))
            for i in indices[begin:begin + args.per_file]})
        if not args.out:
            print(text, end="")
            continue
        os.makedirs(args.out, exist_ok=True)
        path = os.path.join(args.out, f"fuzz-{args.seed}-{begin:05}.cu")
        with open(path, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
