#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.py --work=FOLDER DOCUMENT.md: runs the commands of a document's `console`
# blocks, one after the other, in a fresh copy of docs/examples, and compares
# what they print.
#
#   $ command              must end with 0; a line that ends with \ goes on in the
#                          next
#   … (a line)             any lines; {{…}} inside a line: any text
#   ```diff                what the last command printed
#   <!-- test: command --> runs as well, unseen by readers
#   <!-- not run: why -->  the next block is not run
#
# A command of kpipe's in any other block is an error: nobody would run it.
import argparse
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def steps(text):
    """Commands with what they print; what is said of blocks that are not run."""
    run, kind, found, skipped = True, None, [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            if kind is None:
                kind = line[3:].strip() or "text"
            else:
                run, kind = True if kind == "console" else run, None
        elif kind == "console" and run:
            if line.startswith("$ "):
                found.append((number, line[2:], []))
            elif found and found[-1][1].endswith("\\") and not found[-1][2]:
                at, command, printed = found[-1]
                found[-1] = (at, f"{command}\n{line}", printed)
            elif found:
                found[-1][2].append(line)
        elif kind == "diff":
            found[-1][2].append(line)
        elif kind is None:
            if match := re.fullmatch(r"<!-- test: (.*) -->", line):
                found.append((number, match[1], ["…"]))
            elif match := re.fullmatch(r"<!-- not run: (.*) -->", line):
                run = False
                skipped.append(match[1])
            elif re.match(r"    (\$ )?(kpipe|\./bootstrap\.sh) ", line) and run:
                sys.exit(f"line {number}: a command outside of a console block")
        elif kind != "console" and re.match(r"(\$ )?kpipe ", line):
            sys.exit(f"line {number}: a command outside of a console block")
    return found, skipped


def matches(wanted, printed):
    """Do the lines match, with … for any lines?"""
    pattern = ""
    for line in wanted:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*"
        else:
            parts = line.replace("{{…}}", "\0").split("\0")
            pattern += ".*".join(map(re.escape, parts)) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed))


def run(command, folder):
    """Status, output and the folder that the command ends in."""
    script = f'{command}\nrc=$?\nprintf "\\0%s" "$PWD"\nexit $rc'
    done = subprocess.run(["bash", "-c", script], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    printed, _, folder = done.stdout.rpartition("\0")
    return done.returncode, printed, folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", required=True)
    parser.add_argument("document")
    args = parser.parse_args()
    with open(args.document, encoding="utf-8") as file:
        found, skipped = steps(file.read())
    shutil.rmtree(args.work, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "docs", "examples"), args.work)
    folder = os.path.abspath(args.work)
    # The style of kpipe's own sources, above a build folder, is not a reader's.
    with open(os.path.join(folder, ".clang-format"), "w") as file:
        file.write("DisableFormat: true\n")
    for number, command, wanted in found:
        status, printed, folder = run(command, folder)
        lines = printed.rstrip("\n").split("\n") if printed else []
        while wanted and not wanted[-1].strip():
            wanted.pop()
        if status or not matches(wanted, lines):
            sys.exit(f"{args.document}:{number}: $ {command}\nended with "
                     f"{status} and printed\n{printed}\nnot\n" + "\n".join(wanted))
    print(f"{len(found)} commands run" +
          "".join(f"; a block not run: {why}" for why in skipped))
    return 0


if __name__ == "__main__":
    sys.exit(main())
