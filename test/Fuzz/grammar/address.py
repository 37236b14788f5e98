# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the load finds its tile: from the loop's variable, from an offset or a
# pointer of its own, and where in the body these are bumped.
from text import wrap

from .axis import Axis
from .header import UNEVEN

ADDRESS = Axis("address", plain=0.6)


def _header(view):
    return view["header"] == "pointer" and view.array == "xs"


ADDRESS.option("direct", lambda v: not _header(v))(lambda d, a: None)
ADDRESS.option("header", _header)(lambda d, a: None)


def _even(view):
    return not _header(view) and view["header"] not in UNEVEN


@ADDRESS.option("offset", _even)
def _(d, a):
    _bump(d, f"at_{a.name}", "int at_{} = {};".format(a.name, "{}"), "int {}",
          "", d.loop.first, d.loop.move)


@ADDRESS.option("pointer", lambda v: _even(v) and
                v["access"] != "gathered")
def _(d, a):
    scale = f" * {a.pitch}" if a.view["layout"] == "columns" else ""
    origin = a.origin()
    _bump(d, f"p{a.base_name}",
          f"const {a.source_type} *p{a.base_name} = {a.base} + {origin}{{}};",
          f"const {a.source_type} *{{}}", scale, d.loop.first, d.loop.move,
          plus=" + ")


BUMP = Axis("bump")


def _bumped(view):
    return view.any("address", "offset", "pointer")


BUMP.option("end")(lambda d: None)
for _slot in ("top", "behind-load", "behind-barrier", "behind-compute"):
    BUMP.option(_slot, _bumped)(lambda d: None)


def _bump(d, variable, declare, parameter, scale, first, move, plus=""):
    """Declares a variable with its first value and steps it where the axis
    `bump` says; at the top it begins one step early."""
    slot = d.view["bump"]
    start = f"({first})" if scale and first != "0" else first
    start = plus + (start + scale if first != "0" else "0")
    if slot == "top":
        start += f" - {wrap(move)}{scale}"
    d.before.append(declare.format(start))
    d.scope[variable] = parameter
    d.inner.add(variable)
    d.slots[slot].append(f"{variable} += {wrap(move)}{scale};")
