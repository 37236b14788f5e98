# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A program while its text is put together: slots that the axes fill, and the
# names that are in scope, from which functions around a piece of code get their
# parameters. Knows nothing of how choices are made.
import re

from grammar import access, home, place, shape
from grammar.axis import SOURCES
from grammar.element import ELEMENTS, element
from grammar.walk import cover
from text import add, indent, wrap

_DECLARED = (
    r"(?:const |constexpr |static |volatile )*(?:unsigned |signed )?"
    r"(?:auto|bool|char|int|long|float[24]?|double|unsigned|size_t|[A-Z]\w*|"
    r"{name}_\w+(?:<[^>]*>)?)(?: const)?[ &*]+(?:const )?(?:__restrict__ )?"
    r"(\(&\w+\)|\[[\w, ]+\]|\w+)(?=[ ;=\[({:]|$)")
_MORE = re.compile(r", [*&]?(\w+)(?: = |;|\[\d+\])")


class Once(dict):
    """Texts by name, where nothing takes the name of something else."""

    def __setitem__(self, name, text):
        assert self.get(name, text) == text, f"two texts for '{name}'"
        super().__setitem__(name, text)


SLOTS = ("top", "load", "behind-load", "behind-barrier", "compute",
         "behind-compute", "end")


class ArrayView:
    """What is asked of one array, with the walk of a plain pass over it."""

    def __init__(self, view, changes):
        self.view, self.changes = view, changes

    def __getitem__(self, name):
        return self.changes.get(name) or self.view[name]

    def plain(self):
        return ArrayView(self.view, {"unit": "1", "walk": "from-thread"})


class Array:
    """A staged array and its source."""

    def __init__(self, draft, view):
        self.draft, self.name = draft, view.array
        self.view = ArrayView(view, {})
        self.base_name = SOURCES[self.name]
        self.element = element(view, draft.name)
        self.source_type = access.source_type(view, draft.name)
        self.start = None  # overrides where the tile starts

    @property
    def kind_of_source(self):
        return {"half": ELEMENTS["half"], "signed char": ELEMENTS["int8"]}.get(
            self.source_type, self.element)

    @property
    def source_one(self):
        return self.kind_of_source.one

    @property
    def base(self):
        member = self.draft.view["qualifier"] == "members"
        return f"from.{self.base_name}" if member else self.base_name

    @property
    def pitch(self):
        return shape.extents(self.view)[1] * self.draft.blocks

    def at(self, row, column):
        """The element in shared memory."""
        if self.draft.view["names"] == "tile-macro":
            macro = f"{self.draft.name.upper()}_{self.name.upper()}"
            self.draft.macro(f"{macro}(r, c)", place.element_at(
                self.view, self.name, "(r)", "(c)"))
            return f"{macro}({row}, {column})"
        return place.element_at(self.view, self.name, wrap(row), wrap(column))

    def read(self, row, column):
        """The element as a float."""
        return self.element.value.format(self.at(row, column))

    def along(self, row, column):
        """The index along K of an element of the current tile."""
        start = self.start or self.draft.K
        return add(start, row if self.view["layout"] == "columns" else column)

    def first(self):
        """The first row, or column, of this block's tiles."""
        rows, columns = shape.extents(self.view)
        return {"vector": "0", "rows": f"{self.draft.block} * {rows}",
                "columns": f"{self.draft.block} * {columns}"}[
                    self.view["layout"]]

    def origin(self):
        return {"vector": "0", "rows": f"{self.first()} * n",
                "columns": self.first()}[self.view["layout"]]

    def source(self, row, column, clamp):
        """The element in global memory."""
        layout, address = self.view["layout"], self.view["address"]
        if self.start:
            address = "direct"
        start = self.start or self.draft.K
        base, inner = self.base, column if layout != "columns" else row
        if address in ("pointer", "header"):
            base = "p" if address == "header" else f"p{self.base_name}"
            k = wrap(inner)
            if clamp:
                k = f"min(int({k}), n - 1 - int({start}))"
            far = {"vector": k, "rows": f"{wrap(row)} * n + {k}",
                   "columns": f"{wrap(k)} * {self.pitch} + {column}"}[layout]
            if address == "header" or layout == "vector":
                far = k
            return f"{base}[{far}]"
        if address == "offset":
            start = f"at_{self.name}"
        k = add(start, inner)
        if clamp:
            k = f"min(int({k}), n - 1)"
        if self.view["access"] == "gathered":
            k = f"{self.draft.order()}[{k}]"
        index = {"vector": k,
                 "rows": f"({self.first()} + {wrap(row)}) * n + {k}",
                 "columns": f"({k}) * {self.pitch} + {self.first()} + "
                            f"{wrap(column)}"}[layout]
        if self.draft.view["names"] == "source-macro":
            self.draft.macro(f"{self.base_name}(i)", f"{self.base}[(i)]")
            return f"{self.base_name}({index})"
        return f"{base}[{index}]"

    def elements(self):
        """How many elements the source has, as the harness spells it."""
        rows, columns = shape.extents(self.view)
        blocks = self.draft.blocks
        return {"vector": "n", "rows": f"n * {rows * blocks}",
                "columns": f"n * {columns * blocks}"}[self.view["layout"]]

    def declaration(self):
        bounds = "".join(f"[{self.draft.number(b)}]"
                         for b in place.bounds(self.view))
        return f"{self.element.spelled} {self.name}{bounds}"

    def parameter(self):
        """How a function takes the array."""
        inner = "".join(f"[{b}]" for b in place.bounds(self.view)[1:])
        return (f"{self.element.spelled} (*{{}}){inner}" if inner else
                f"{self.element.spelled} *{{}}")

    def passed(self):
        """How a function around the loop takes it."""
        return home.passed(self, self.draft.view["passed"])

    def load(self):
        return cover(self.draft, self.view,
                     lambda r, c: access.copy(self.draft, self, r, c))


class Draft:
    counter = "u"  # of counted copy loops

    def __init__(self, name, view):
        self.name, self.view = name, view
        self.macros, self.helpers = Once(), Once()
        self.parameters, self.buffers, self.scope = [], [], {}
        self.shared_lines, self.locals, self.before = [], [], []
        self.early, self.setup, self.renames = [], [], {}
        self.slots = {slot: [] for slot in SLOTS}
        self.after, self.barriers, self.loop = [], ["__syncthreads();"], None
        self.numbers, self.used_barriers = {}, 0
        self.declared = set()  # by lines of the options so far
        self.inner = set()  # names that are declared with the loop
        self.last_barrier, self.guarded_barrier = True, False
        self.divergent, self.links, self.shadowed = False, True, False
        self.outer = view["outer"]
        self.arrays = [Array(self, v) for v in view.arrays]

    # --- sizes -----------------------------------------------------------
    @property
    def depth(self):
        return self.number(shape.depth(self.view))

    @property
    def threads(self):
        return shape.threads(self.view)

    @property
    def blocks(self):
        return 3 if self.outer == "persistent" else 2

    @property
    def block(self):
        return "job" if self.outer == "persistent" else "blockIdx.x"

    @property
    def K(self):
        """Where the current tile starts, as an expression."""
        return self.loop.start.replace("BK", self.depth)

    def number(self, value):
        """A size as the program spells it."""
        return "BK" if (self.view["wrap"].startswith("template") and
                        value == shape.depth(self.view)) else str(value)

    # --- parts -----------------------------------------------------------
    def array(self, name):
        return next(a for a in self.arrays if a.name == name)

    def fresh(self, stem):
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}{self.numbers[stem]}"

    def macro(self, name, text):
        self.macros[name] = text

    def helper(self, name, text):
        self.helpers[name] = text.format(name=name)

    def barrier(self):
        self.used_barriers += 1
        return self.barriers[self.used_barriers % len(self.barriers)]

    def shared(self, declaration):
        self.shared_lines.append(f"__shared__ {declaration};")
        found = re.search(r"(\w+) (\w+)(\[\d+\])?(\[\d+\])?$", declaration)
        assert found[2] not in self.scope, f"'{found[2]}' is declared twice"
        self.scope[found[2]] = f"{found[1]} " + (
            f"(*{{}}){found[4]}" if found[4] else "*{}" if found[3] else "&{}")

    def parameter(self, declaration, name, buffer, argument=None):
        if name in self.scope:
            return
        self.parameters.append(declaration.format(name))
        self.buffers.append((name, buffer, argument or name))
        self.scope[name] = declaration

    def order(self):
        """A table of indices along K, for gathers."""
        self.parameter("const int *__restrict__ {}", "order",
                       'in<int>("order", n, [=](size_t i) { return n - 1 - '
                       "int(i); })")
        return "order"

    def shadow(self):
        """A parameter that has the name of the loop's variable."""
        self.shadowed = True
        self.after.append("sum += float(k0);")

    def second_body(self, start):
        """Load and compute of another tile loop on the same arrays."""
        from grammar import compute
        for array in self.arrays:
            array.start = start
        lines = [line for a in self.arrays for line in a.load()]
        lines += [self.barrier()] + compute.lines(self) + [self.barrier()]
        for array in self.arrays:
            array.start = None
        return lines

    # --- names -----------------------------------------------------------
    def _lists(self):
        return [self.early, self.locals, self.before, self.after,
                *self.slots.values()]

    def _names(self, lines):
        """What lines of the kernel or of the body declare, in no block."""
        names = set()
        for line in lines:
            found = re.match(_DECLARED.replace("{name}", self.name), line)
            if found:
                names |= set(re.findall(r"\w+", found[1]))
                if line.endswith(";"):
                    names |= set(_MORE.findall(line))
        return names

    def apart(self, write):
        """Runs an option. A name that it declares, and that something before it
        has, gets a number."""
        old = [list(lines) for lines in self._lists()]
        taken = self.declared | set(self.scope) | set(self.loop.variables)
        taken |= self._names([line for lines in old for line in lines])
        write(self)
        spans = []
        for lines, was in zip(self._lists(), old):
            front = lines[len(lines) - len(was):] == was
            count = len(lines) - len(was)
            assert front or lines[:len(was)] == was
            spans.append(range(count) if front else
                         range(len(was), len(lines)))
        new = self._names([lines[i] for lines, span in zip(self._lists(), spans)
                           for i in span])
        self.declared |= new
        for name in sorted(new & taken):
            other = next(f"{name}_{i}" for i in range(2, 99)
                         if f"{name}_{i}" not in self.declared | taken)
            self.declared.add(other)
            for lines, span in zip(self._lists(), spans):
                for i in span:
                    lines[i] = re.sub(rf"(?<![\w.])(?<!->){name}(?!\w)", other,
                                      lines[i])

    # --- functions around code -------------------------------------------
    def free(self, lines):
        """The names in scope that a piece of code uses."""
        text = "\n".join(lines)
        text += "\n".join(value for name, value in self.macros.items()
                          if name.split("(")[0] in text)
        words = set(re.findall(r"\b[A-Za-z_]\w*", text))
        return [name for name in self.scope if name in words]

    def outline(self, name, lines, result, returned=None):
        """Moves code into a function and returns the call of it."""
        names = [n for n in self.free(lines) if n != returned]
        parameters = ", ".join(self.scope[n].format(n) for n in names)
        template = "template <int BK>\n" if self.number(
            shape.depth(self.view)) == "BK" else ""
        body = list(lines)
        if returned:
            body = [f"float {returned} = 0.0f;"] + body + [
                f"return {returned};"]
        inline = "__forceinline__ " if "__forceinline__" in result else ""
        result = result.replace("__forceinline__ ", "")
        text = (f"{template}__device__ {inline}{result} {name}({parameters}) "
                "{\n" + "\n".join(indent(body)) + "\n}")
        self.helpers[name] = text
        call = f"{name}{'<BK>' if template else ''}({', '.join(names)})"
        return [f"{returned} += {call};" if returned else f"{call};"]

    def closure(self, name, lines):
        """Moves code into a closure that is made before the loop."""
        own = [n for n in self.free(lines) if n in self.loop.variables]
        parameters = ", ".join(self.scope[n].format(n) for n in own)
        self.before += [f"auto {name} = [&]({parameters}) {{"] + indent(
            lines) + ["};"]
        return [f"{name}({', '.join(own)});"]
