# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A program is a tuple of choices. Draws one, and turns it into text: a kernel
# with its helpers, and the case that launches it, as test/Kernels has them.
import re

import grammar
from draft import Draft
from grammar import (access, around, barrier, compute, delivery, home, illegal,
                     launch, shape)
from grammar.axis import View
from grammar.walk import cover
from text import indent


class Program:
    def __init__(self, choices):
        self.choices = dict(choices)

    # --- choosing --------------------------------------------------------
    @classmethod
    def draw(cls, rng, legal):
        """A program that breaks no rule, or one for certain."""
        while True:
            choices = {}
            # Half of the illegal programs are so for their one reason only.
            alone = not legal and rng.random() < 0.5
            for name, axis, view in grammar.questions(choices):
                if axis is illegal.ILLEGAL:
                    options = [o.name for o in axis.fitting(view)]
                    options = options[:1] if legal else options[1:]
                    choices[name] = rng.choice(options) if options else None
                elif alone and axis in grammar.BESIDES:
                    choices[name] = axis.fitting(view)[0].name
                else:
                    choices[name] = axis.draw(rng, view)
            if choices["illegal"]:
                return cls(choices)

    @property
    def legal(self):
        return self.choices["illegal"] == "no"

    @property
    def expected(self):
        """Ids of which an illegal program must get one; none: any. What is
        put beside the arrays may be the reason that is found first."""
        if any(self.choices[axis.name] != axis.fitting(View(self.choices))[
                0].name for axis in grammar.BESIDES):
            return ()
        return illegal.IDS.get(self.choices["illegal"], ())

    def valid(self):
        """Does every choice fit those before it?"""
        seen = {}
        for name, axis, view in grammar.questions(seen):
            option = axis.options.get(self.choices.get(name))
            if not option or not option.fits(view):
                return False
            seen[name] = option.name
        return len(seen) == len(self.choices)

    def describe(self):
        """The choices that are not the plainest, in the order of the axes."""
        words = []
        for name, axis, _ in grammar.questions(dict(self.choices)):
            if self.choices[name] != next(iter(axis.options)):
                words.append(f"{name}={self.choices[name]}")
        return " ".join(words) or "plain"

    # --- writing ---------------------------------------------------------
    def text(self, name):
        view = View(self.choices)
        d = Draft(name, view)
        _prepare(d, view)
        body = _body(d, view)
        return f"// {self.describe()}\n" + _renamed(
            d.renames, _assemble(d, view, body))


def _renamed(renames, text):
    """Gives variables other names; members and strings keep theirs."""
    if not renames:
        return text
    words = "|".join(map(re.escape, renames))
    return re.sub(rf'(?<![\w."])({words})(?!\w)', lambda m: renames[m[1]], text)


def _prepare(d, view):
    """Everything before the body is put together, in the order in which later
    parts need earlier ones."""
    d.scope["n"] = "int {}"
    if view.any("type", "struct"):
        d.helpers[f"{d.name}_pair"] = (f"struct {d.name}_pair {{\n"
                                       "  float a, b;\n};")
    for array in d.arrays:
        _source(d, view, array)
    if view["qualifier"] == "members":
        fields = "".join(f"  const {a.source_type} *{a.base_name};\n"
                         for a in d.arrays)
        d.helpers[f"{d.name}_from"] = f"struct {d.name}_from {{\n{fields}}};"
        d.scope["from"] = f"{d.name}_from {{}}"
    d.scope["tid"] = "int {}"
    d.scope["sum"] = "float &{}"
    if d.outer == "persistent":
        d.scope["job"] = "int {}"
    for name, axis, own in grammar.questions(dict(view.choices)):
        if axis not in (around.AFTER, illegal.ILLEGAL, *grammar.EFFECTS,
                        *grammar.BESIDES):
            option = axis.options[view.choices[name]]
            option.write(d, *([d.array(own.array)] if own.array else []))
            if name == "header":
                d.before += [line.replace("BK", d.depth)
                             for line in d.loop.before]
                d.scope.update(d.loop.variables)
                d.inner.update(d.loop.variables)
                d.loop.move = d.loop.move.replace("BK", d.depth)
                d.loop.first = d.loop.first.replace("BK", d.depth)
    for array in d.arrays:
        d.scope[array.name] = array.passed()
    if view["names"] == "taken":
        d.before += ["const int stage = n & 3;", "float load_tile = 1.5f;",
                     "const float compute_tile = 2, fetch_tile = 1, "
                     "store_tile = 3, xs_reg = 4;"]
        d.slots["compute"].append("sum += float(stage) * load_tile - "
                                  "compute_tile + fetch_tile + store_tile * "
                                  "xs_reg;")
    for axis in (*grammar.EFFECTS, *grammar.BESIDES, around.AFTER,
                 illegal.ILLEGAL):
        d.apart(axis.options[view[axis.name]].write)
    d.storage = home.storage(d, view)


def _source(d, view, array):
    kind, name = array.kind_of_source, array.base_name
    d.buffers.append((name, kind.source(name, array.elements()),
                      kind.argument(name)))
    if view["qualifier"] != "members":
        const = "" if view["qualifier"] == "plain" else "const "
        restrict = "__restrict__ " if view["qualifier"] == "restrict" else ""
        declaration = f"{const}{array.source_type} *{restrict}{{}}"
        d.parameters.append(declaration.format(name))
        d.scope[name] = declaration


def _body(d, view):
    """The statements of the loop's body."""
    arrangement, out = view["arrangement"], []
    if arrangement in ("first", "both"):
        out.append(d.barrier())
    if arrangement == "skip-first":
        out += [f"if ({d.K} > 0) {{", f"  {d.barrier()}", "}"]
    out += d.slots["top"]
    loads = [array.load() for array in d.arrays]
    if arrangement == "between":
        for lines in loads[:-1]:
            out += lines + [d.barrier()]
        loads = loads[-1:]
    out += delivery.load(d, [line for lines in loads for line in lines])
    out += d.slots["load"] + d.slots["behind-load"]
    if d.guarded_barrier:
        out += ["if (tid < 16)", f"  {d.barrier()}"]
    else:
        out += [d.barrier()]
    if arrangement == "doubled":
        out.append(d.barrier())
    out += d.slots["behind-barrier"]
    out += delivery.compute(d, compute.lines(d))
    out += d.slots["compute"] + d.slots["behind-compute"]
    out += barrier.closing(d)
    return out + d.slots["end"] + [s.replace("BK", d.depth)
                                   for s in d.loop.step]


def _loop(d, view, body):
    lines = []
    if view["directive"] != "none":
        lines.append(f"// kpipe: {view['directive']}")
    if view["qualifier"] == "assume":
        lines.append("// kpipe: assume(no-alias)")
    if view["pragma"] != "none":
        lines.append(f"#pragma {view['pragma'].split(' and')[0]}")
    if "comment" in view["pragma"]:
        lines.append("// over the tiles")
    lines.append(d.loop.opening.replace("BK", d.depth))
    lines += indent(body) + [d.loop.closing]
    if view["wrap"] == "condition":
        lines = ["if (n >= 0) {"] + indent(lines) + ["}"]
    if d.divergent:
        lines = ["if (tid < 16) {"] + indent(lines) + [
            "} else {", f"  for (int k0 = 0; k0 < n; k0 += {d.depth}) {{",
            "    __syncthreads();", "    __syncthreads();", "  }", "}"]
    return lines


def _stale(d):
    """Values for elements that a guard without a fill leaves alone."""
    lines = []
    for a in d.arrays:
        if a.view["fill"] in access.STALE:
            lines += cover(d, a.view.plain(),
                           lambda r, c: [f"{a.at(r, c)} = {a.element.zero};"])
    return lines + ["__syncthreads();"] if lines else []


# Loops around the loop: what stands before, what opens, what closes it.
_OUTERS = {
    "range-for": (["const int passes[2] = {1, 2};"], "for (int pass : passes) {",
                  ["  sum += float(pass);", "}"]),
    "while": (["int pass = 0;"], "while (pass < 2) {", ["  ++pass;", "}"]),
    "do": (["int pass = 0;"], "do {", ["} while (++pass < 2);"]),
    "goto-back": (["int pass = 0;"], "back: {",
                  ["}", "if (++pass < 2)", "  goto back;"]),
    "closure": ([], "auto pass = [&] {", ["};", "pass();", "pass();"]),
}


def _assemble(d, view, body):
    extents = shape.dimensions(view)
    tid = {1: "threadIdx.x",
           2: f"threadIdx.y * {extents[0]} + threadIdx.x",
           3: "(threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x"}[len(extents)]
    storage, dynamic = d.storage
    stale = _stale(d)
    again = (view["after"] != "nothing" or
             view["arrangement"] in barrier.OPEN or
             view["wrap"] in delivery.OWN or
             any(view[e] == "yes" for e in ("counter", "scratch-behind",
                                            "scratch-own", "table")))
    end = [d.barrier()] if again else []
    inner = d.before + _loop(d, view, body) + d.after
    memory = storage + d.shared_lines
    stale = stale + d.early
    template = {"template": "int BK", "template-twice": "int BK, int Twist"}.get(
        view["wrap"])
    if view["wrap"] == "template-twice":
        inner.append("sum *= Twist;")
    if view["wrap"] in delivery.OWN:
        inner, memory, stale = memory + stale + inner, [], []
    if view["wrap"] in delivery.FUNCTIONS:
        inner = _function(d, view, inner, [d.barrier()])
    result = f"y[{d.block} * {d.threads} + tid] = sum;"
    if d.outer == "repeat":
        inner = ["for (int again = 0; again < 2; ++again) {"] + indent(
            inner + end) + ["}"]
    if d.outer in _OUTERS:
        first, opening, last = _OUTERS[d.outer]
        inner = first + [opening] + indent(inner + end) + last
    if d.outer == "persistent":
        inner = ["for (int job = blockIdx.x; job < 3; job += gridDim.x) {"
                 ] + indent(["float sum = 0.0f;"] + inner + [result] + end
                            ) + ["}"]
    else:
        inner = ["float sum = 0.0f;"] + inner + [result]
    lines = memory + [f"const int tid = {tid};"]
    lines += d.locals + stale + inner

    parameters = d.parameters + ["float *y", "int n"]
    if view["qualifier"] == "members":
        parameters.insert(0, f"{d.name}_from from")
    if d.shadowed:
        parameters.append("int k0")
    head = f"template <{template}>\n" if template else ""
    kernel = (f"{head}__global__ void __launch_bounds__({d.threads})\n"
              f"{d.name}({', '.join(parameters)}) {{\n" +
              "\n".join(indent(lines)) + "\n}")
    parts = [f"#define {name} {text}" for name, text in d.macros.items()]
    parts += list(d.helpers.values()) + [kernel]
    instances = [""]
    if template:
        deep = shape.depth(view)
        instances = [f"<{deep}>"] if template == "int BK" else [
            f"<{deep}, 1>", f"<{deep}, 2>"]
        kinds = ", ".join(_kind(p) for p in parameters)
        parts += [f"template __global__ void {d.name}{i}({kinds});"
                  for i in instances]
    parts += launch.functions(d, view, parameters, instances, dynamic)
    parts += _case(d, view, instances, dynamic)
    parts += [f"#undef {name.split('(')[0]}" for name in d.macros]
    return "\n".join(parts) + "\n"


def _kind(parameter):
    """The type of a parameter's declaration."""
    return parameter[:max(parameter.rfind(" "), parameter.rfind("*")) +
                     1].strip()


def _function(d, view, inner, barrier):
    """Puts the loop and what belongs to it into a function of its own."""
    scope, run, wrap = d.scope, f"{d.name}_run", view["wrap"]
    gone = set(d.inner)
    if wrap in delivery.OWN:  # the arrays are declared within
        gone |= {a.name for a in d.arrays}
        gone |= {re.search(r"(\w+)(\[[^]]*\])*;$", line)[1]
                 for line in d.shared_lines}
    if wrap in delivery.METHODS:  # members of its object
        gone |= {"n", "tid"} | ({"sum"} if wrap == "keeping-method" else set())
    d.scope = {name: declaration for name, declaration in scope.items()
               if name not in gone or d.shadowed and name == "k0"}
    call = d.outline(run, inner, *(["void"] if wrap == "keeping-method" else
                                   ["float", "sum"]))
    d.scope = scope
    if wrap in delivery.METHODS:
        call = _method(d, wrap, run, call[0])
    if wrap in delivery.TWICE:
        second = call[0].replace("+=", "-= 3 *")
        if wrap == "function-then-none":
            second = re.sub(r"\bn\b", "0", second)
        call += barrier + [second]
    return call


def _method(d, wrap, run, call):
    """Makes a function a member of an object that a call of it is made for."""
    text = d.helpers.pop(run)
    fields, given = "  int n, tid;\n", "n, tid"
    if wrap == "keeping-method":
        fields, given = fields + "  float sum;\n", given + ", 0.0f"
    member = run
    if wrap in ("call-operator", "operator-own"):
        text, member = text.replace(f"{run}(", "operator()(", 1), ""
    call = call.replace(run, f"job_of.{member}" if member else "job_of", 1)
    body = "\n".join(indent(text.split("\n")))
    d.helpers[run] = f"struct {d.name}_job {{\n{fields}{body}\n}};"
    lines = [f"{d.name}_job job_of{{{given}}};", call]
    return lines + ["sum += job_of.sum;"] * (wrap == "keeping-method")


def _case(d, view, instances, dynamic):
    """How the program is launched, as test/Kernels/harness.h takes it."""
    deep, extents = shape.depth(view), shape.dimensions(view)
    lines = []
    if not around.partial(view):
        lines.append(f"for (int n : multiples({deep})) {{")
    elif view.any("unit", "2", "4", "8", "16"):
        lines += [f"for (int whole : multiples({deep})) {{",
                  f"  const int n = whole + whole / {deep} % 2 * {deep // 2};"]
    else:
        lines.append(f"for (int n : sizes({deep})) {{")
    if d.loop.some_tiles:
        lines += ["  if (n == 0)", "    continue;"]
    lines += [f"  auto {name} = {buffer};" for name, buffer, _ in d.buffers
              if buffer]
    arguments = [argument for _, _, argument in d.buffers]
    if view["qualifier"] == "members":
        count = len(d.arrays)
        arguments = [f"{d.name}_from{{{', '.join(arguments[:count])}}}"
                     ] + arguments[count:]
    # Parameters that are no arrays' sources come behind these.
    tail = ["y", "n"] + (["7"] if d.shadowed else [])
    grid = f"dim3(2), dim3({', '.join(map(str, extents))})"
    if dynamic:
        grid += f", {dynamic}"
    for number, instance in enumerate(instances):
        lines.append("  {")
        lines += [f"    {line}" for line in d.setup]
        lines.append(f"    auto y = out<float>(\"y\", {d.blocks * d.threads});")
        given = ", ".join(arguments + tail)
        lines.append(
            f"    launch({{{grid}}}, {d.name}{instance}, {given});"
            if view["launch"] == "harness" else
            f"    {d.name}_launch{number}({given});")
        lines.append("  }")
    return ["#ifdef KPIPE_HARNESS", f"CASE({d.name}) {{"] + indent(
        lines + ["}"]) + ["}", "#endif"]
