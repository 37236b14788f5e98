# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mentioned.py LINES FILE...: does each file hold each of the lines?
import sys

with open(sys.argv[1]) as file:
    words = [line.strip() for line in file]
for name in sys.argv[2:]:
    with open(name) as file:
        text = file.read()
    for word in words:
        if word not in ("--help", "--help-list") and word not in text:
            sys.exit(f"{name} does not know {word}")
