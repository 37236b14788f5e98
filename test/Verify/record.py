#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# record.py --kpipe=KPIPE --nvdisasm=NVDISASM: makes anew the listings in
# test/Unit/Inputs/sass, with which the parser and the checks are tested where
# there is no nvcc. Of each kernel, before and after, on each architecture, the
# loops over tiles are kept, and of the rest a few instructions in front of each
# and all labels, branches and exits, so that the control flow stays whole.
import argparse
import os
import re
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

HERE = os.path.dirname(os.path.abspath(__file__))
TEST = os.path.dirname(HERE)
OUT = os.path.join(TEST, "Unit", "Inputs", "sass")
ARCHS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
# Kernels whose loops are short, and options for kpipe.
KERNELS = [("hgemm_wmma", ["--variant=auto"]),
           ("sgemm_textbook", ["--variant=ldg"])]
KEPT_BEFORE = 12  # instructions in front of a loop
ALWAYS = re.compile(r"\b(BRA|EXIT|BSSY|BSYNC|RET|CALL|WARPSYNC|BREAK)\b")


def trim(lines):
    """What control flow and the loops with barriers need."""
    labels, keep = {}, set()
    for number, line in enumerate(lines):
        if match := re.match(r"(\.L_x_\d+):", line):
            labels[match[1]] = number
    for number, line in enumerate(lines):
        if not re.match(r"\s+/\*", line):
            if re.match(r"\s*(\.target|\.section\s+\.text)|\.L_x_\d+:", line):
                keep.add(number)
            continue
        if ALWAYS.search(line):
            keep.add(number)
        target = re.search(r"BRA.*(\.L_x_\d+)", line)
        if target and labels.get(target[1], number) < number:
            body = range(labels[target[1]], number + 1)
            if any("BAR.SYNC" in lines[i] for i in body):
                keep.update(range(max(0, body.start - KEPT_BEFORE), body.stop))
    kept = []
    for number in sorted(keep):
        text = re.sub(r"^\s+/\*", "/*", lines[number])
        kept.append(re.sub(r"\*/\s+", "*/ ", text))
    return kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kpipe", required=True)
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--nvcc", default="nvcc")
    args = parser.parse_args()
    os.makedirs(OUT, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for (kernel, options), arch in ((k, a) for k in KERNELS for a in ARCHS):
            old = os.path.join(TEST, "Kernels", kernel + ".cu")
            new = os.path.join(work, "new.cu")
            cubin = os.path.join(work, "cubin")
            subprocess.run([args.kpipe, "rewrite", old, "--arch=" + arch,
                            "-o", new] + options, check=True)
            for name, source in (("before", old), ("after", new)):
                subprocess.run(
                    [args.nvcc, "-cubin", "-arch=" + arch, "-I" +
                     os.path.join(os.path.dirname(TEST), "runtime", "include"),
                     "-o", cubin, source], check=True)
                listing = subprocess.run([args.nvdisasm, "-c", cubin],
                                         check=True, text=True,
                                         stdout=subprocess.PIPE).stdout
                path = os.path.join(OUT, f"{kernel}.{arch}.{name}.sass")
                with open(path, "w") as file:
                    file.write("\n".join(trim(listing.split("\n"))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
