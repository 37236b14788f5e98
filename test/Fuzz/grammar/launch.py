# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the kernel is launched: by the harness, which kpipe does not see, or by a
# function of the file, which says how many threads and bytes there are.
from text import indent

from . import shape
from .axis import Axis

LAUNCH = Axis("launch", plain=0.5)
LAUNCH.names("harness", "written")
# A second launch, which is never made, has other blocks, or more bytes.
LAUNCH.option("other-block", weight=0.3)(lambda d: None)
LAUNCH.option("other-bytes", weight=0.3)(lambda d: None)


def _call(d, instance, block, size, names):
    shared = f", {size}" if size else ""
    return [f"{d.name}{instance}<<<dim3(2), dim3({block}){shared}>>>(",
            f"    {', '.join(names)});"]


def functions(d, view, parameters, instances, size):
    """Functions that launch the kernel, one for each instance."""
    if view["launch"] == "harness":
        return []
    names = [p[max(p.rfind(" "), p.rfind("*")) + 1:] for p in parameters]
    block, parts = ", ".join(map(str, shape.dimensions(view))), []
    for number, instance in enumerate(instances):
        lines = _call(d, instance, block, size, names)
        if view["launch"] != "written":
            other = (_call(d, instance, d.threads // 2, size, names)
                     if view["launch"] == "other-block" else
                     _call(d, instance, block, size + 64, names))
            lines = ["if (n < 0) {", *indent(other), "  return;", "}", *lines]
        parts.append(f"void {d.name}_launch{number}({', '.join(parameters)}) "
                     "{\n" + "\n".join(indent(lines)) + "\n}")
    return parts
