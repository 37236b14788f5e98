#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# registers.py --kpipe=KPIPE [--generated=N] [--json=OUT] [FILE.cu...]: rewrites
# every kernel, has `kpipe verify` compile it before and after with nvcc, and
# compares the registers that the plan was made with to those that ptxas takes,
# and the blocks per SM that it promises to those that really fit. Prints the
# distribution. Default: test/Kernels, test/bench/programs and 200 programs of
# test/Fuzz. A kernel counts if one of its loops is pipelined.
import argparse
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

TEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDES = ["-I" + os.path.join(TEST, folder)
            for folder in ("GPU", "Kernels", "bench/programs")]
SEED = "registers"
GENERATED_PER_FILE = 10


def kernels_of(kpipe, source, arch, work):
    """What verify reports of the kernels of one file, or why it cannot."""
    group = os.path.basename(os.path.dirname(source))
    out = os.path.join(work, group + "." + os.path.basename(source))
    report = out + ".json"
    flags = ["--arch=" + arch, "--", "-std=c++17", *INCLUDES]
    with open(source) as file:
        if "template" in file.read():
            flags.append("-DKPIPE_HARNESS")  # makes the instances
    subprocess.run([kpipe, "rewrite", source, "-o", out] + flags,
                   capture_output=True)
    subprocess.run([kpipe, "verify", source, out, "-j1", "--report=" + report]
                   + flags, capture_output=True)
    if not os.path.exists(report):
        return group, [], [source]
    with open(report) as file:
        found = json.load(file)
    return group, found["kernels"], [source] * bool(found["notMade"])


def generate(count, work):
    if not count:
        return []
    folder = os.path.join(work, "generated")
    subprocess.run([sys.executable, os.path.join(TEST, "Fuzz", "generate.py"),
                    "--seed", SEED, "--count", str(count), "--per-file",
                    str(GENERATED_PER_FILE), "--out", folder], check=True)
    return sorted(glob.glob(os.path.join(folder, "*.cu")))


def quantile(values, share):
    """Of sorted values, the one below which `share` of them are."""
    return values[min(len(values) - 1, int(share * len(values)))]


def ratios_line(name, pairs):
    """Estimates over what ptxas takes."""
    ratios = sorted(planned / taken for planned, taken in pairs)
    errors = sorted(abs(ratio - 1) for ratio in ratios)
    near = sum(error <= 0.2 for error in errors)
    shares = "".join(f"{quantile(ratios, q):7.2f}"
                     for q in (0.05, 0.25, 0.5, 0.75, 0.95))
    return (f"{name:28}{len(pairs):5}{shares}"
            f"{100 * quantile(errors, 0.5):8.0f} %"
            f"{100 * near / len(ratios):6.0f} %")


def blocks_lines(kernels):
    """Promised blocks per SM against those that fit, after the rewrite."""
    known = [k for k in kernels if "plannedBlocksPerSM" in k and
             "blocksPerSM" in k["after"]]
    more = [k for k in known
            if k["plannedBlocksPerSM"] > k["after"]["blocksPerSM"]]
    fewer = [k for k in known
             if k["plannedBlocksPerSM"] < k["after"]["blocksPerSM"]]
    lost = [k for k in known
            if k["after"]["blocksPerSM"] < k["before"]["blocksPerSM"]]
    yield (f"blocks per SM of {len(known)} kernels: {len(more)} get fewer than "
           f"planned, {len(fewer)} more; {len(lost)} fewer than before")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kpipe", required=True)
    parser.add_argument("--arch", default="sm_86")
    parser.add_argument("--generated", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", help="where to write what was found")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or [
        path for folder in ("Kernels", "bench/programs")
        for path in sorted(glob.glob(os.path.join(TEST, folder, "*.cu")))]
    groups, failed = {}, []
    with tempfile.TemporaryDirectory() as work:
        files += generate(0 if args.files else args.generated, work)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for group, kernels, why in pool.map(
                    lambda f: kernels_of(args.kpipe, f, args.arch, work), files):
                failed += why
                groups.setdefault(group, []).extend(
                    k for k in kernels if "plannedRegisters" in k)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(groups, file, indent=1)
    print(f"{'estimate / ptxas':28}    n     5%    25%    50%    75%    95%"
          "   median   within\n" + " " * 71 + "error    20 %")
    everything = [k for kernels in groups.values() for k in kernels]
    for name, kernels in [*groups.items(), ("all", everything)]:
        for when in ("before", "after"):
            if kernels:
                print(ratios_line(f"{name}, {when}", [
                    (k["plannedRegisters"], k[when]["registers"])
                    for k in kernels]))
    print(*blocks_lines(everything), sep="\n")
    for path in failed:
        print("left out:", path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
