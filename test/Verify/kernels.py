#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kernels.py --kpipe=KPIPE --expected=EXPECTED.txt KERNEL.cu...: rewrites each
# kernel file for the architecture that the list names first, verifies what came
# of it with nvcc and the disassembler, and compares the verdicts that are not
# "holds" with the list, both ways: a check that fails and is not listed is an
# error, and so is one that is listed and holds.
#
#   for sm_90 --variant=auto     begins a part of the list
#   # why                        understood reasons stand above what they explain
#   file kernel check verdict    one or more
#
# Another release of nvcc than the list's may schedule otherwise: then
# differences are printed and are no error.
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

TEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTED_RELEASE = "V13.0."
INCLUDES = [os.path.join(TEST, "GPU"), os.path.join(TEST, "Kernels")]


def read_expected(path):
    parts, lines = {}, None
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["for"]:
                lines = parts.setdefault(tuple(words[1:]), set())
            elif words and not line.startswith("#"):
                lines.add(" ".join(words))
    return parts


def verify(kpipe, source, arch, options, work):
    """Verdicts of one file: counts, and lines for what does not hold."""
    name = os.path.splitext(os.path.basename(source))[0]
    out = os.path.join(work, f"{name}.{arch}.cu")
    report = out + ".json"
    common = ["--arch=" + arch] + options
    flags = ["--", "-std=c++17"] + ["-I" + i for i in INCLUDES]
    # The harness, which takes longer to compile than most kernels, makes the
    # instances of templates.
    with open(source) as file:
        text = file.read()
    if "template" in text:
        flags.append("-DKPIPE_HARNESS")
    if "std::m" in text:  # std::min, which is constexpr and the host's
        flags.append("--expt-relaxed-constexpr")
    if "wgmma" in text:  # is of this architecture alone
        common[0] += "a"
    done = subprocess.run([kpipe, "rewrite", source, "-o", out] + common +
                          flags, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return name, {}, [f"{name} cannot be rewritten: {done.stderr}"]
    done = subprocess.run([kpipe, "verify", source, out, "-j1",
                           "--report=" + report] + common + flags,
                          stderr=subprocess.PIPE, text=True)
    if not os.path.exists(report):
        return name, {}, [f"{name} cannot be verified: {done.stderr}"]
    with open(report) as file:
        found = json.load(file)
    lines = [f"{name} cannot be verified: {why}" for why in found["notMade"]]
    for kernel in found["kernels"]:
        checks = kernel["checks"] + [c for loop in kernel["loops"]
                                     for c in loop["checks"]]
        for check in checks:
            if check["verdict"] != "holds":
                lines.append(" ".join([
                    name, kernel["kernel"].replace(" ", ""), check["id"],
                    check["verdict"].replace(" ", "-")]))
    checked = sum(not k["unchanged"] for k in found["kernels"])
    return name, dict(found["counts"], kernels=checked), lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernels", nargs="+")
    parser.add_argument("--kpipe", required=True)
    parser.add_argument("--expected", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    version = subprocess.run(["nvcc", "--version"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    strict, good = LISTED_RELEASE in version, True
    with tempfile.TemporaryDirectory() as work:
        for (arch, *options), expected in read_expected(args.expected).items():
            total, found = {}, set()
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                for name, counts, lines in pool.map(
                        lambda k: verify(args.kpipe, k, arch, options, work),
                        args.kernels):
                    for key, count in counts.items():
                        total[key] = total.get(key, 0) + count
                    found.update(lines)
            for line in sorted(found - expected):
                print("not expected:", arch, line)
            for line in sorted(expected - found):
                print("expected, but not so:", arch, line)
            good &= found == expected
            print(arch, *options, total)
    if good:
        print("as expected")
    return 0 if good or not strict else 1


if __name__ == "__main__":
    sys.exit(main())
