# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# program.py SOURCE [--WHAT=WORD...]: what stands for a program on a GPU: reads
# the source that it was "built" from and prints a time for its form, which is
# the same in every run. Each word that is found in the source makes it
#   --fail     fail                     --hang     sleep for long
#   --differ   print another result     --silent   print no time
#   --busy     fail once, then no more
import argparse
import os
import sys
import time

# The first word that is found decides; words of one kind of loop add up.
# A loop of loads only has an empty asm where it would compute.
TIMES = [('asm volatile("" :', 0.5), ("copy_async", 2.0), ("fetch_tile", 3.0)]
PLAIN = 4.0

parser = argparse.ArgumentParser()
parser.add_argument("source")
for what in ("fail", "hang", "differ", "silent", "busy"):
    parser.add_argument("--" + what, default="\0")
parser.add_argument("--format", default="kpipe-time: %s %.4g")
args = parser.parse_args()
with open(args.source) as file:
    text = file.read()

if args.busy in text and not os.path.exists(args.source + ".ran"):
    open(args.source + ".ran", "w").close()
    sys.exit("error: all CUDA-capable devices are busy or unavailable")
if args.fail in text:
    sys.exit("error: an illegal memory access was encountered")
if args.hang in text:
    time.sleep(600)
print("sum", 7 if args.differ in text else 4)
for kernel in text.split("__global__")[1:]:
    name = kernel.split("(")[0].split()[-1]
    # Pasted primitives come before the first kernel.
    spent = next((t for word, t in TIMES if word in kernel), PLAIN)
    if args.silent not in text:
        print(args.format % (name, spent))
