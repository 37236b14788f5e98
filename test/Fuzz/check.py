# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks a batch of programs: rewrites them in every way, executes what is new,
# and says what came of each. A program that breaks a rule must keep its text.
import collections
import re

import sections
import ways


class Outcome:
    """What came of one program. `kind` is "pipelined", "refused", "illegal"
    (refused as it must be), or what is wrong with it; `ids` are the reasons."""

    GOOD = ("pipelined", "refused", "illegal")

    def __init__(self, kind, ids=(), text="", rewritten="", way=()):
        self.kind, self.ids, self.text = kind, list(ids), text
        self.rewritten, self.way = rewritten, way

    @property
    def good(self):
        return self.kind in self.GOOD


REMARKS = ("pipelined", "off", "already-pipelined", "nothing-pipelined",
           "passed-over", "own-declarations", "directive")


def check(tools, programs, some_ways, thorough=False):
    """`programs` maps names to programs. Returns their outcomes by name."""
    texts = {name: p.text(name) for name, p in programs.items()}
    outcomes, layers = {}, collections.defaultdict(dict)
    distinct = {name: [] for name in texts}
    for way, done in zip(some_ways, tools.rewrite(texts, some_ways)):
        if done.error:
            failed = failing(tools, texts, way, done.error)
            others = {name: program for name, program in programs.items()
                      if name not in failed}
            return failed | (check(tools, others, some_ways, thorough)
                             if others else {})
        for name, text in texts.items():
            new = done.texts[name]
            if way == ways.DEFAULT:
                outcomes[name] = judge(programs[name], done.said[name])
            # What is inlined goes into the prelude: the same text differs.
            key = (new, done.prelude if way == ways.INLINED else "")
            if new == text or key in [k for k, _ in distinct[name]]:
                continue
            if not programs[name].legal and outcomes[name].good:
                outcomes[name] = Outcome("accepted", text="pipelined although "
                                         "illegal", rewritten=new, way=way)
            inlined = way == ways.INLINED
            layer = -1 if inlined else sum(
                not k[1] for k, _ in distinct[name])
            distinct[name].append((key, way))
            layers[layer][name] = (new, done.prelude, way)
    for layer in layers.values():
        run_layer(tools, texts, layer, outcomes, thorough)
    return outcomes


def judge(program, said):
    """What the default way made of a program."""
    ids = sorted({which for which, _ in said if which not in REMARKS})
    if "invalid-code" in ids:
        return Outcome("does-not-parse", ids, text=str(said))
    if program.legal:
        piped = any(which == "pipelined" for which, _ in said)
        return Outcome("pipelined" if piped and not ids else "refused", ids,
                       text="\n".join(f"{w}: {m}" for w, m in said
                                      if w not in REMARKS))
    # Of a loop that is none of tiles, no further rule is checked; nor is one
    # whose last barrier a macro's loop hides under a condition. A loop inside a
    # closure is not looked at; in a call operator, tiles that are given are not
    # known to be shared memory.
    unseen = not ids and (program.choices.get("outer") == "closure" or
                          program.choices.get("wrap") == "call-operator")
    first = {"not-a-tile-loop"}
    if program.choices.get("barrier") == "do-while":
        first.add("uniform-barrier")
    if program.expected and not unseen and not set(ids) & {*program.expected,
                                                           *first}:
        return Outcome("other-reason", ids, text=f"{ids}, not one of "
                       f"{program.expected}: {said}")
    return Outcome("illegal", ids)


def run_layer(tools, texts, layer, outcomes, thorough):
    """Executes one rewritten text of each program in a layer."""
    layer = {name: layer[name] for name in texts
             if name in layer and outcomes[name].good}
    if not layer:
        return
    originals = {name: text for name, text in texts.items()
                 if name in layer}
    prelude = max((entry[1] for entry in layer.values()), key=len)
    stages = max([2] + [int(option[-1]) for entry in layer.values()
                        for option in entry[2] if "--stages=" in option])
    printed = tools.execute(originals, {n: e[0] for n, e in layer.items()},
                            prelude, stages, thorough)
    if not printed:
        return
    if len(layer) > 1:
        find_out(tools, texts, layer, outcomes, thorough, printed)
        return
    (name, (new, _, way)), = layer.items()
    broken = " 0 hazards in the original" not in printed
    kind = ("does-not-compile" if "does not compile" in printed else
            "unsound-original" if broken else "wrong")
    outcomes[name] = Outcome(kind, outcomes[name].ids, printed, new, way)


def failing(tools, texts, way, error):
    """Those of the programs on which kpipe fails, by halves."""
    if len(texts) == 1:
        return {name: Outcome("kpipe-failed", text=error, way=way)
                for name in texts}
    names, found = list(texts), {}
    for part in names[:len(names) // 2], names[len(names) // 2:]:
        some = {name: texts[name] for name in part}
        done = next(tools.rewrite(some, [way]))
        if done.error:
            found |= failing(tools, some, way, done.error)
    return found or {name: Outcome("only-together", text=error, way=way)
                     for name in texts}


def find_out(tools, texts, layer, outcomes, thorough, printed):
    """Runs parts of a layer to find out with which programs something is wrong:
    those alone that the report names, else one half and the other."""
    def bad():
        return any(not outcomes[name].good for name in layer)

    names = list(layer)
    ran = "does not compile" not in printed and "differences;" in printed
    for name in names if ran else ():
        if re.search(rf"\b{name}\b", printed):
            run_layer(tools, texts, {name: layer[name]}, outcomes, True)
    if bad() and not re.search("wild-access|timeout|unsupported", printed):
        return  # all ran to their end
    before = {name for name in names if not outcomes[name].good}
    for part in names[:len(names) // 2], names[len(names) // 2:]:
        run_layer(tools, texts, {name: layer[name] for name in part}, outcomes,
                  thorough)
    if not before and not bad():
        for name in names:
            outcomes[name] = Outcome("only-together", text=printed)
