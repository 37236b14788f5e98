# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where load and compute are written: in the body, in a function, in a closure;
# and what the whole loop stands in.
from .axis import Axis

LOAD = Axis("load", plain=0.6)
LOAD.names("inline", "function", "inlined-function", "braces",
           "under-condition")
LOAD.option("closure", weight=0.2)(lambda d: None)
COMPUTE = Axis("compute", plain=0.6)
COMPUTE.names("inline", "function", "result", "closure", "braces")
WRAP = Axis("wrap", plain=0.6)
WRAP.names("kernel", "function", "template", "template-twice", "condition",
           "method")
# The function is called a second time: with as many tiles, or with none.
TWICE = ("function-twice", "function-then-none", "function-own-twice")
WRAP.names(*TWICE[:2])
# The arrays are declared in the function.
OWN = ("function-own", "function-own-twice", "method-own", "operator-own")
for _name in OWN:
    WRAP.option(_name, lambda v: v["home"] == "static")(lambda d: None)
# Member functions of an object that is made for the call; the sum may be a
# member as well.
WRAP.names("keeping-method")
WRAP.option("call-operator", weight=0.4)(lambda d: None)
METHODS = ("method", "call-operator", "keeping-method", *OWN[2:])
FUNCTIONS = ("function", *METHODS[:3], *TWICE, *OWN)


def load(draft, lines):
    how = draft.view["load"]
    if how in ("function", "inlined-function"):
        return draft.outline(
            f"{draft.name}_load", lines,
            "__forceinline__ void" if how == "inlined-function" else "void")
    if how == "closure":
        return draft.closure("load", lines)
    if how == "under-condition":  # n > 0 wherever the loop runs
        return ["if (n > 0) {"] + [f"  {line}" for line in lines] + ["}"]
    return _braced(how, lines)


def compute(draft, lines):
    how = draft.view["compute"]
    if how == "function":
        return draft.outline(f"{draft.name}_compute", lines, "void")
    if how == "result":
        return draft.outline(f"{draft.name}_compute", lines, "float", "sum")
    if how == "closure":
        return draft.closure("compute", lines)
    return _braced(how, lines)


def _braced(how, lines):
    if how == "braces":
        return ["{"] + [f"  {line}" for line in lines] + ["}"]
    return lines
