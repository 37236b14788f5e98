# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which folder includes which: compares the #include lines of lib/ and tool/ with
# the table of docs/architecture.md, both ways, so that the table says neither
# more nor less than what is so.
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTED = 'Recognition', 'Validation'
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
ROW = re.compile(r'^\| `((?:lib|tool)/[\w/]+)` \|([^|]*)\|([^|]*)\|', re.M)


def folder(path):
    """`lib/Code` of `lib/Code/Scope.h`; lib/include/kpipe is one folder, and each
    folder of lib/Recognition and lib/Validation is one of its own."""
    parts = path.relative_to(ROOT).parts[:-1]
    return '/'.join(parts[:3 if parts[1] in PARTED else 2])


def included(file, name):
    """The file that a line of an #include means, or None for others' headers."""
    roots = [file.parent, ROOT / 'lib', ROOT / 'lib/include', ROOT / 'tool']
    return next((r / name for r in roots if (r / name).is_file()), None)


def graph():
    found = defaultdict(dict)
    for file in sorted(ROOT.glob('lib/*/**/*')) + sorted(ROOT.glob('tool/*/*')):
        if file.suffix not in ('.h', '.cpp') or 'declarations' in file.parts:
            continue
        found[folder(file)]
        for name in INCLUDE.findall(file.read_text()):
            target = included(file, name)
            if target and folder(target) != folder(file):
                found[folder(file)].setdefault(folder(target), f'{file.relative_to(ROOT)} includes {name}')
    return found


def table():
    page = (ROOT / 'docs/architecture.md').read_text()
    return {name: set(re.findall(r'\w+', may))
            for name, _, may in ROW.findall(page)}


def short(name, allowed):
    """As the table calls a folder: by its last name, or all of lib/Recognition
    and all of lib/Validation by theirs."""
    whole, _, last = name.rpartition('/')
    whole = whole.rpartition('/')[2]
    return whole if whole in allowed else last


def wrong(found, allowed):
    for name, uses in found.items():
        if name == 'lib/include':
            continue
        if name not in allowed:
            yield f'docs/architecture.md has no row for {name}'
            continue
        for target, where in uses.items():
            if target == 'lib/include':
                continue
            if short(target, allowed[name]) not in allowed[name]:
                yield f'{where}: {name} may not include {target}'
        for extra in allowed[name] - {short(t, allowed[name]) for t in uses}:
            yield f'{name} does not include {extra}, which the table allows'
    for name in allowed.keys() - found.keys():
        yield f'docs/architecture.md has a row for {name}, which is not there'
    lasts = [name.rpartition('/')[2] for name in found]
    for last in {last for last in lasts if lasts.count(last) > 1}:
        yield f'two folders are called {last}, and the table cannot tell them apart'
    for cycle in cycles(found):
        yield 'folders include one another: ' + ' -> '.join(cycle)


def cycles(found):
    """Each way back to a folder that the walk is in."""
    done = set()

    def walk(name, way):
        if name in way:
            yield way[way.index(name):] + [name]
            return
        if name in done:
            return
        for target in found.get(name, {}):
            if target != 'lib/include':
                yield from walk(target, way + [name])
        done.add(name)

    for name in found:
        yield from walk(name, [])


if __name__ == '__main__':
    found, allowed = graph(), table()
    if '--print' in sys.argv:
        for name, uses in found.items():
            print(name, *sorted({short(t, allowed.get(name, ())) for t in uses} - {'include'}))
    problems = sorted(set(wrong(found, allowed)))
    print('\n'.join(problems) or f'{len(found)} folders include as the table says')
    sys.exit(bool(problems))
