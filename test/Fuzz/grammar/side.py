# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A small tile beside the staged arrays, for what is asked of one load only: how
# its value, its place or its copy loop is spelled. Knows of no axis.

SIZE = 32  # elements, of which each is loaded by a thread of its own


def feed(d, name="feed"):
    """A source that is long enough for every index of a tile."""
    d.parameter("const float *__restrict__ {}", name,
                f'in<float>("{name}", n + 256)')
    return name


def read(name, size=SIZE, value="{}"):
    """What the compute makes of a side tile."""
    element = value.format(f"{name}[(tid * 5 + 3) % {size}]")
    return f"sum += {element} * float((tid & 3) + 1);"


def tile(d, lines, size=SIZE, value="{}", kind="float"):
    """Declares a tile that `lines` fill, where they say @; returns its name."""
    name = d.fresh("side")
    d.shared(f"{kind} {name}[{size}]")
    d.slots["load"] += [line.replace("@", name) for line in lines]
    d.slots["compute"].append(read(name, size, value))
    return name


def load(d, value, *before):
    """The same where each thread loads one element, behind other lines."""
    return tile(d, [*before, f"if (tid < {SIZE})", f"  @[tid] = {value};"])


def number(d):
    """The number of the current tile."""
    return f"int(({d.K}) / {d.depth})"
