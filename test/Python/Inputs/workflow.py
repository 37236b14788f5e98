# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workflow.py FILE NAME=VALUE...: the commands of a GitHub workflow's `run`
steps, with the values of its inputs."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
values = dict(argument.split("=", 1) for argument in sys.argv[2:])
for first, block in re.findall(r"^ +- run: (.*)\n((?: {10,}.*\n)*)", text, re.M):
    commands = first if first != "|" else re.sub(r"^ +", "", block, flags=re.M)
    print(re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda name: values[name[1]], commands))
