# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Pieces of C++ text: operands, sums, indented lines.
import re


def indent(lines):
    return ["  " + line for line in lines]


def wrap(text):
    """An operand: in parentheses unless it is a name, a number or has some."""
    depth, closed = 0, 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        closed += depth == 0 and at + 1 < len(text)
    whole = text.startswith("(") and not closed
    return text if whole or re.fullmatch(r"[\w.]+", text) else f"({text})"


def add(left, right):
    if right == "0":
        return left
    return right if left == "0" else f"{left} + {right}"
