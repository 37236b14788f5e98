# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The ways in which kpipe is asked to rewrite a file of programs.
import itertools

DEFAULT = ("--variant=auto",)
BASE = [DEFAULT, ("--variant=ldg",), ("--variant=cp-async",),
        ("--variant=ldg", "--stages=1")]
MORE = [(f"--variant={variant}", f"--stages={stages}", f"--schedule={schedule}")
        for variant, (stages, schedule) in itertools.product(
            ("cp-async", "ldg"), ((3, "peeled"), (2, "guarded"), (4, "guarded")))]
INLINED = ("--variant=cp-async", "--inline-runtime")


def of_batch(number, every=False):
    """All ways, or the base ways and one of the others by turns."""
    if every:
        return BASE + MORE + [INLINED]
    others = MORE + [INLINED]
    return BASE + [others[number % len(others)]]
