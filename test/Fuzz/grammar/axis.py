# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An axis is one question about a program ("how is the loop's header spelled?")
# and its options are the answers. The first option of an axis is the plainest:
# the reducer strives for it. Knows nothing of what the questions are.

PLAIN = 0.35  # how often the plainest option that fits is taken outright
OFTEN_PLAIN = 0.92  # the same of axes whose other options are often refused


class Option:
    """One answer. `fits(view)` says whether it goes with what was chosen
    before; `write(draft[, array])` adds its text."""

    def __init__(self, name, weight, fits, write):
        self.name, self.weight, self.fits = name, weight, fits
        self.write = write


class Axis:
    def __init__(self, name, plain=PLAIN):
        self.name, self.plain, self.options = name, plain, {}

    def option(self, name, fits=lambda view: True, weight=1):
        """Decorates the function that writes the option's text."""
        def register(write):
            self.options[name] = Option(name, weight, fits, write)
            return write
        return register

    def names(self, *names):
        """Options that only other axes look at."""
        for name in names:
            self.option(name)(lambda draft, array=None: None)

    def fitting(self, view):
        return [o for o in self.options.values() if o.fits(view)]

    def draw(self, rng, view):
        fitting = self.fitting(view)
        if rng.random() < self.plain:
            return fitting[0].name
        weights = [option.weight for option in fitting]
        return rng.choices(fitting, weights)[0].name


class View:
    """What was chosen so far, seen from the program or from one array: a name
    is looked for among the array's own choices first."""

    def __init__(self, choices, array=None):
        self.choices, self.array = choices, array

    def __getitem__(self, name):
        own = self.choices.get(f"{self.array}.{name}")
        return own if own is not None else self.choices.get(name)

    def of(self, array):
        return View(self.choices, array)

    @property
    def arrays(self):
        return [self.of(a) for a in ARRAYS[:int(self.choices["arrays"])]]

    def any(self, name, *values):
        """Is this chosen for one of the arrays?"""
        return any(array[name] in values for array in self.arrays)


ARRAYS = ("xs", "zs", "ws")
SOURCES = {"xs": "x", "zs": "z", "ws": "w"}
