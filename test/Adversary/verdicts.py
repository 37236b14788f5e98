#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# verdicts.py --kpipe=KPIPE [--unruled=KPIPE [--off=RULES]] --expected=FILE
# [--schemas=REPORT.json,SARIF.json] [--update] FILE.cu... compares what becomes of each loop, and for what reason,
# with a list: once as kpipe is, and with --unruled once more with its rules
# switched off, all unless told, when the checks of the result stand alone. A
# program that is refused for another reason than before is still refused, and
# other tests pass; here a rule that no longer sees it shows. With --schemas the
# reports of the first are what these say.
#
# --update writes the list anew, for `git diff`.
import argparse
import collections
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

ARCH = 'sm_86'  # or what a file says: `verdicts: sm_90a`


def said(loop):
    """What became of a loop, in a line."""
    at = loop['archs'][0]
    if at['verdict'] == 'refused':
        return '; '.join(f"{r['message']} [{r['id'][6:]}]"
                         for r in at['reasons'] if r.get('id')) or 'refused'
    if at['verdict'] != 'pipelined':
        return at['verdict']
    ways = collections.Counter((c['array'], c['route']) for c in at['copies'])
    return f"{at['stages']} stages, {at['schedule']}: " + ', '.join(
        f'{array} {route}' for array, route in sorted(ways))


def asked(path):
    """The architecture that a file asks for, such as `verdicts: sm_90a`; None."""
    with open(path) as file:
        found = re.search(r'^// verdicts: (sm_\w+)', file.read(), re.M)
    return found and found[1]


def validators(paths):
    """What finds errors in reports, for each schema."""
    if not paths:
        return []
    import jsonschema
    schemas = []
    for path in paths.split(','):
        with open(path) as file:
            schemas.append(json.load(file))
    return [jsonschema.validators.validator_for(s)(s) for s in schemas]


def verdicts(kpipe, path, schemas=(), **env):
    """{function, with a number where it has several loops: what is said}."""
    arch = asked(path) or ARCH
    with tempfile.TemporaryDirectory() as folder:
        reports = [os.path.join(folder, 'report.json'),
                   os.path.join(folder, 'report.sarif')]
        ran = subprocess.run([kpipe, 'rewrite', '--dry-run', '--arch=' + arch,
                              '--report=' + reports[0], '--sarif=' + reports[1],
                              os.path.basename(path)],
                             cwd=os.path.dirname(os.path.abspath(path)),
                             capture_output=True, env={**os.environ, **env})
        if b'internal error' in ran.stderr:
            sys.exit(f'{path}, {env}: {ran.stderr.decode()}')
        if not os.path.exists(reports[0]):
            return {'': 'not parsed'}
        for report, schema in zip(reports, schemas):
            with open(report) as file:
                for error in schema.iter_errors(json.load(file)):
                    sys.exit(f'{path}, {os.path.basename(report)}: '
                             f'{error.json_path}: {error.message}')
        with open(reports[0]) as file:
            loops = json.load(file)['loops']
    seen, found = collections.Counter(), {}
    for loop in loops:
        if os.path.basename(loop['file']) != os.path.basename(path):
            continue
        name = loop['function']
        seen[name] += 1
        found[name if seen[name] == 1 else f'{name} {seen[name]}'] = said(loop)
    return found


def listed(kpipe, unruled, off, schemas, path):
    """The lines of a file's loops."""
    yield os.path.basename(path) + '\n'
    with_rules = verdicts(kpipe, path, schemas)
    # Without rules no ring of the copy engine can be planned: what it is made of
    # was not found.
    unruled = unruled if not asked(path) else None
    without = unruled and verdicts(unruled, path, KPIPE_RULES_OFF=off)
    for name in sorted({**with_rules, **(without or {})}):
        first = with_rules.get(name, 'no tile loop')
        yield f'  {name}: {first}\n'
        alone = first if not unruled else without.get(name, 'no tile loop')
        if alone != first:
            yield f'    rules off: {alone}\n'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--unruled')
    parser.add_argument('--off', default='all')
    parser.add_argument('--expected', required=True)
    parser.add_argument('--schemas')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('files', nargs='+')
    args = parser.parse_args()
    args.kpipe = os.path.abspath(args.kpipe)
    args.unruled = args.unruled and os.path.abspath(args.unruled)
    schemas = validators(args.schemas)
    lines = [line for path in sorted(args.files)
             for line in listed(args.kpipe, args.unruled, args.off, schemas,
                                path)]
    if args.update:
        with open(args.expected, 'w') as file:
            file.writelines(lines)
        return 0
    with open(args.expected) as file:
        before = file.readlines()
    sys.stdout.writelines(difflib.unified_diff(before, lines, 'expected', 'now'))
    return 0 if before == lines else 1


if __name__ == '__main__':
    sys.exit(main())
