#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# table.py --kpipe=KPIPE --execute=EXECUTE [--env=NAME=VALUE] [--only=LIST]
# [FILE.cu...]:
# what a kpipe makes of each program of this folder, as a Markdown table: right,
# WRONG, refused (with the rules) or an internal error, and in which forms. For
# builds in which rules are switched off: do the validators alone catch it?
# Knows nothing of the programs; a file's own RUN line says how it is executed.

import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'Execution'))
import variants  # noqa: E402

ORDER = ['WRONG', 'does not compile', 'internal error', 'original', 'right',
         'refused']


def programs(text):
    """Cases of a file with the last line of each kernel, and what each calls.
    What stands before a kernel, back to the one before it, is its own."""
    lines, found = text.split('\n'), []
    lines = [re.sub('//.*', '', line) for line in lines]
    for name in re.findall(r'^[A-Z_]+\((\w+)[,)]', text, re.M):
        start = next((i for i, line in enumerate(lines)
                      if re.search(r'\b%s\(' % name, line)), 0)
        end = next((i for i in range(start, len(lines))
                    if lines[i].startswith('}')), start)
        found.append((end + 1, name))
    found.sort()
    # Loops may stand in a helper: all that a program defines or calls.
    calls, start = {}, 0
    for end, name in found:
        calls[name] = {name} | set(
            re.findall(r'\b(\w+)\(', '\n'.join(lines[start:end])))
        start = end
    return found, calls


def ids(loops):
    return sorted({reason['id'][6:] for loop in loops
                   for reason in loop['archs'][0]['reasons']
                   if reason.get('id') and
                   loop['archs'][0]['verdict'] == 'refused'})


def attempt(args, way, work, cases, calls, names):
    """Verdict for each of the names. Where one spoils the file for the others,
    all are tried alone; what can be written is executed together."""
    out = os.path.join(work, 'out.cu')

    def rewrite(names):
        called = sorted({n for name in names for n in calls[name]})
        return variants.rewrite(
            args, way, out, ['--kernel=(^|:)(%s)(<|$)' % '|'.join(called)]
            if len(names) < len(cases) else [])

    def together(parts):
        return {name: verdict for part in parts for name, verdict in
                attempt(args, way, work, cases, calls, part).items()}

    def halves(names):
        return [names[:len(names) // 2], names[len(names) // 2:]]

    done, loops = rewrite(names)
    if done.returncode != 0 and len(names) > 1:
        bad = {name for name in names if rewrite([name])[0].returncode != 0}
        rest = [name for name in names if name not in bad]
        parts = [[name] for name in bad] + ([rest] if bad and rest else [])
        return together(parts or halves(names))
    if done.returncode != 0:
        line = re.search(r'error: (.*)', done.stderr)
        return {names[0]: 'internal error' if 'internal error' in done.stderr
                else 'error: ' + (line[1] if line else done.stderr[:60])}
    ran = variants.execute(
        args, [out], variants.most_stages([way]), capture_output=True,
        text=True, more=['--timeout=30', '--case=' + ','.join(names)])
    wrong = set(re.findall(r'(?:difference: |\[rewritten; )(\w+)[,;:]',
                           ran.stdout))
    before = set(re.findall(r'\[original; (\w+)[,;]', ran.stdout))
    found = (wrong | before) & set(names)
    if found and found != set(names) and not re.search(
            r'^FAIL: \d+ hazards', ran.stdout, re.M):
        # It did not come to its end: what was not run is not right.
        return together([[name] for name in names])
    if ran.returncode != 0 and not found:
        if len(names) == 1:
            return {names[0]: 'does not compile'
                    if 'does not compile' in ran.stdout else 'WRONG'}
        return together(halves(names))
    verdicts, end_of = {}, {name: end for end, name in cases}
    for name in names:
        start = max([end for end, _ in cases if end < end_of[name]] + [0])
        mine = [loop for loop in loops
                if start < loop['line'] <= end_of[name]]
        if name in before:
            verdicts[name] = 'original has hazards'
        elif name in wrong:
            verdicts[name] = 'WRONG'
        elif any(loop['archs'][0]['verdict'] == 'pipelined' for loop in mine):
            verdicts[name] = 'right'
        else:
            verdicts[name] = ('refused: ' + ', '.join(ids(mine)) if mine
                              else 'refused: no loop of its own')
    return verdicts


def of_file(path, kpipe, execute, only):
    with open(path) as f:
        text = f.read()
    run = re.search(r'// RUN: %variants (.*)', text)
    cases, calls = programs(text)
    wanted = [name for _, name in cases
              if not only or '%s:%s' % (os.path.basename(path), name) in only]
    if not run or not wanted:
        return []
    words = [w.replace('%S', HERE) for w in shlex.split(run[1]) if w != '%s']
    args = variants.parse(['--kpipe=' + kpipe, '--execute=' + execute] +
                          words + [path])
    verdicts = {}
    with tempfile.TemporaryDirectory(prefix='kpipe-table-') as work:
        for way in variants.FEW:
            found = attempt(args, way, work, cases, calls, wanted)
            for name, verdict in found.items():
                verdicts.setdefault(name, []).append((verdict, way))
    rows = []
    for name in wanted:
        worst = min((v for v, _ in verdicts[name]), key=lambda v: next(
            (i for i, o in enumerate(ORDER) if v.startswith(o)), 0))
        forms = [' '.join(o.split('=')[1] for o in way)
                 for v, way in verdicts[name] if v == worst]
        rows.append((os.path.basename(path), name, worst,
                     '' if len(forms) == len(variants.FEW)
                     else ', '.join(forms)))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--execute', required=True)
    parser.add_argument('--env', action='append', default=[],
                        metavar='NAME=VALUE')
    parser.add_argument('-j', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--only', metavar='FILE',
                        help='programs to look at, as FILE.cu:NAME, one a line')
    parser.add_argument('files', nargs='*')
    args = parser.parse_args()
    os.environ.update(pair.split('=', 1) for pair in args.env)
    files = args.files or sorted(glob.glob(os.path.join(HERE, '*.cu')))
    only = open(args.only).read().split() if args.only else None
    counts = {}
    print('| file | program | verdict | only in forms |\n|---|---|---|---|')
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for rows in pool.map(lambda f: of_file(os.path.abspath(f), args.kpipe,
                                               args.execute, only), files):
            for row in rows:
                print('| %s |' % ' | '.join(row), flush=True)
                kind = row[2].split(':')[0]
                counts[kind] = counts.get(kind, 0) + 1
    print('\n' + ', '.join('%d %s' % (n, k) for k, n in sorted(counts.items())))


if __name__ == '__main__':
    main()
