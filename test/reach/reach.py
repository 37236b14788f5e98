#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reach.py --kpipe PROGRAM --root DIR [--compile NVCC]: runs kpipe over the tile
# loops of public repositories that reach.tsv and survey.tsv list and writes
# reach.md and survey.md beside them. DIR holds a checkout of each repository at
# the commit in commits.tsv, as <owner>+<name>. No code of theirs is kept here; a
# loop is named by repository, file, line and function.
#
# With --compile, nvcc compiles each original (device code only) and, where that
# succeeds, what kpipe makes of it. Exit 1 if a share is under its bar, if a loop
# is pipelined that should be refused, or if an output does not compile although
# its original does.

import argparse
import collections
import concurrent.futures
import csv
import datetime
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, '..', '..', 'runtime', 'include')

# Headers of other projects that host code includes and kernels do not need:
# empty files on the include path stand in for them.
STANDINS = ('c10/cuda/CUDAGuard.h', 'omp.h', 'torch/extension.h',
            'torch/types.h')

Unit = collections.namedtuple('Unit', 'repository path made flags')
Verdict = collections.namedtuple('Verdict', 'kind form stages rules message')
NOT_SEEN = Verdict('not seen', '', 0, (), '')


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return list(csv.DictReader(file, delimiter='\t'))


def unit_of(row):
    return Unit(row['repository'], row['unit'], row.get('made', ''),
                row['flags'])


class Checkouts:
    """The repositories, and what is put beside them for the compiler."""

    def __init__(self, root, folder):
        self.root, self.folder = os.path.abspath(root), folder
        self.empty = os.path.join(folder, 'empty')
        for header in STANDINS:
            path = os.path.join(self.empty, header)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, 'w').close()

    def repository(self, name):
        return os.path.join(self.root, name.replace('/', '+'))

    def source(self, unit, repository):
        """The file to parse. A header that no .cu of its project includes in a
        way that stands alone is parsed through a .cu that only includes it."""
        path = os.path.join(repository, unit.path)
        if not unit.made:
            return path
        name = re.sub(r'\W', '_', unit.repository + '_' + unit.path) + '.cu'
        made = os.path.join(self.folder, 'made-' + name)
        with open(made, 'w') as file:
            file.write(f'#include "{path}"\n')
        return made

    def flags(self, unit, repository):
        return shlex.split(unit.flags.replace('{repo}', repository)
                           .replace('{empty}', self.empty)
                           .replace('{root}', self.root))


def command_of(options, path, instantiate, report):
    command = [options.kpipe, 'rewrite', path, '--arch=' + options.arch,
               '--report=' + report, '--header-filter=.*']
    if options.cuda_path:
        command.append('--cuda-path=' + options.cuda_path)
    return command + ['--instantiate=' + i for i in instantiate]


def verdict_of(made):
    if made['verdict'] == 'pipelined':
        return Verdict('pipelined', made['variant'], made['stages'], (), '')
    reasons = [r for r in made['reasons'] if r.get('id')]
    rules = tuple(dict.fromkeys(r['id'] for r in reasons))
    message = reasons[0]['message'] if reasons else ''
    return Verdict('refused', '', 0, rules,
                   re.sub('^not pipelined: ', '', message))


def parse(options, checkouts, unit, instantiate, logs):
    """The verdicts of a unit's loops, by file and line."""
    repository = checkouts.repository(unit.repository)
    path = checkouts.source(unit, repository)
    name = re.sub(r'\W', '_', unit.repository + '_' + unit.path)
    report = os.path.join(logs, name + '.json')
    command = command_of(options, path, instantiate, report)
    try:
        said = subprocess.run(
            command + ['-n', '--'] + checkouts.flags(unit, repository),
            capture_output=True, text=True, errors='replace', timeout=600)
        words = said.stderr
    except subprocess.TimeoutExpired:
        words = 'timeout'
    with open(os.path.join(logs, name + '.txt'), 'w') as file:
        file.write(words)
    found = {}
    if not os.path.exists(report):
        return found
    with open(report) as file:
        loops = json.load(file)['loops']
    for loop in loops:
        key = (os.path.realpath(loop['file']), loop['line'])
        verdict = verdict_of(loop['archs'][0])
        # Of a template's instantiations, the one that is pipelined counts.
        if key not in found or verdict.kind == 'pipelined':
            found[key] = verdict
    return found


def parse_all(options, checkouts, rows, logs):
    """Adds each row's verdict as row['verdict']."""
    units = collections.OrderedDict()
    for row in rows:
        wanted = units.setdefault(unit_of(row), [])
        if row['instantiate'] and row['instantiate'] not in wanted:
            wanted.append(row['instantiate'])
    verdicts = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(parse, options, checkouts, unit, wanted, logs)
                for unit, wanted in units.items()]
        for number, job in enumerate(jobs):
            for key, verdict in job.result().items():
                if verdicts.get(key, NOT_SEEN).kind != 'pipelined':
                    verdicts[key] = verdict
            print(f'\r{number + 1}/{len(jobs)}', end='', file=sys.stderr)
    print(file=sys.stderr)
    for row in rows:
        path = os.path.join(checkouts.repository(row['repository']),
                            row['file'])
        row['verdict'] = verdicts.get(
            (os.path.realpath(path), int(row['line'])), NOT_SEEN)
    return units


def compiles(options, path, flags):
    """None if nvcc takes a file, else its words."""
    command = [options.compile, '-arch=' + options.arch, '-cubin', '-o',
               os.devnull, '-w', '-I' + RUNTIME, path]
    try:
        said = subprocess.run(command + flags, capture_output=True, text=True,
                              errors='replace', timeout=options.limit)
    except subprocess.TimeoutExpired:
        return 'timeout'
    return None if said.returncode == 0 else said.stderr or 'failed'


def restore(original, copy):
    """Undoes what was written in a copy since it was made."""
    for folder, _, names in os.walk(copy):
        for name in names:
            path = os.path.join(folder, name)
            before = os.path.join(original, os.path.relpath(path, copy))
            if not os.path.exists(before):
                os.remove(path)
            elif os.stat(path).st_mtime_ns != os.stat(before).st_mtime_ns:
                shutil.copy2(before, path)


def compile_all(options, checkouts, units, logs):
    """For each unit: does the original compile, and does the output? An output
    is made in a copy of the repository, since it may change headers."""
    made = {}
    for number, (unit, instantiate) in enumerate(units.items()):
        print(f'\rcompiling {number + 1}/{len(units)}', end='',
              file=sys.stderr)
        original = checkouts.repository(unit.repository)
        words = compiles(options, checkouts.source(unit, original),
                         checkouts.flags(unit, original))
        name = re.sub(r'\W', '_', unit.repository + '_' + unit.path)
        with open(os.path.join(logs, name + '.nvcc'), 'w') as file:
            file.write(words or '')
        made[unit] = (words is None, True)
        if words is not None:
            continue
        copy = os.path.join(checkouts.folder, 'copy',
                            unit.repository.replace('/', '+'))
        if not os.path.exists(copy):
            shutil.copytree(os.path.realpath(original), copy)
        path = checkouts.source(unit, copy)
        flags = checkouts.flags(unit, copy)
        report = os.path.join(checkouts.folder, 'rewritten.json')
        subprocess.run(command_of(options, path, instantiate, report)
                       + ['-i', '--'] + flags, capture_output=True)
        words = compiles(options, path, flags)
        with open(os.path.join(logs, name + '.output.nvcc'), 'w') as file:
            file.write(words or '')
        made[unit] = (True, words is None)
        restore(os.path.realpath(original), copy)
    print(file=sys.stderr)
    return made


def staged(row):
    """Two or more stages, or copies that need no registers."""
    verdict = row['verdict']
    return verdict.kind == 'pipelined' and \
        (verdict.stages > 1 or verdict.form in ('cp.async', 'mixed'))


def percent(part, whole):
    return f'{100 * part / max(whole, 1):.0f} %'


class Sums:
    """What a list amounts to. Copies of a loop count once."""

    def __init__(self, rows):
        distinct = [r for r in rows if not r['duplicate']]
        wanted = [r for r in distinct if r['expected'] == 'pipeline']
        self.rows, self.distinct = len(rows), len(distinct)
        self.any = sum(r['verdict'].kind == 'pipelined' for r in distinct)
        self.wanted = len(wanted)
        self.pipelined = sum(r['verdict'].kind == 'pipelined' for r in wanted)
        self.staged = sum(map(staged, wanted))
        two = [r for r in wanted if not r.get('form', '').startswith('single')]
        self.two, self.two_staged = len(two), sum(map(staged, two))
        self.unseen = sum(r['verdict'] is NOT_SEEN for r in distinct)
        self.unseen_wanted = sum(r['verdict'] is NOT_SEEN for r in wanted)
        self.wrong = [r for r in rows if r['expected'] == 'refuse'
                      and r['verdict'].kind == 'pipelined'
                      and not r.get('right')]

    def passes(self, options):
        return (self.pipelined >= self.wanted * options.bar / 100
                and self.staged >= self.pipelined * options.bar_staged / 100
                and not self.wrong)


def words_of(row):
    """A row's verdict as a line of a page."""
    verdict, notes = row['verdict'], []
    if verdict.kind == 'pipelined':
        words = f'pipelined, {verdict.form}, {verdict.stages} stage' \
            + 's' * (verdict.stages != 1)
    elif verdict.kind == 'refused':
        words = f"refused: {', '.join(verdict.rules)}"
        if 'reason' in row and verdict.message:
            words += ': ' + textwrap.shorten(verdict.message, 90,
                                             placeholder=' …')
    else:
        words = 'not seen'
    if row['expected'] == 'refuse':
        reason = row.get('reason')
        notes.append('expected to be refused' + (f': {reason}' if reason
                                                 else ''))
        if row.get('right') and verdict.kind == 'pipelined':
            notes.append('pipelined rightly: ' + row['right'])
    elif row.get('form', '').startswith('single'):
        notes.append('one stage expected: ' + row['reason'])
    if row['duplicate']:
        notes.append('copy')
    return words + (f" ({'; '.join(notes)})" if notes else '')


def lists(rows, commits):
    """A heading for each repository, a link for each file, a line a loop."""
    place = ('', '')
    for row in rows:
        repository, name = row['repository'], row['file']
        if place[0] != repository:
            yield f'\n## {repository}\n'
        if place != (repository, name):
            yield (f'- [{name}](https://github.com/{repository}/blob/'
                   f'{commits[repository]}/{name})')
        place = (repository, name)
        yield textwrap.fill(
            f"{row['line']} `{row['function']}`: {words_of(row)}", 100,
            initial_indent='  - ', subsequent_indent='    ',
            break_long_words=False, break_on_hyphens=False)


def system():
    """The machine and the CUDA headers of a run, for a page."""
    try:
        name = platform.freedesktop_os_release()['PRETTY_NAME']
    except OSError:
        name = platform.system()
    name = re.sub(r' \(.*\)', '', name).replace('GNU/Linux ', '')
    return f'{os.cpu_count()} cores, {name}'


def compiled_words(rows, compiled):
    """How many originals and outputs nvcc takes."""
    if not compiled:
        return 'nvcc was not run.'
    units = {unit_of(row) for row in rows}
    takes = [compiled[u] for u in units if compiled[u][0]]
    return (f'nvcc compiles {len(takes)} of {len(units)} originals as they '
            'are parsed here (the others need libraries that are not there); '
            'where the original compiles, the output must too: '
            f'{sum(o for _, o in takes)} of {len(takes)}.')


def old_page(rows, sums, commits):
    yield ('Which tile loops of public repositories kpipe pipelines with '
           'default options for {arch}. The loops come from a survey of the '
           'repositories at the commits below: '
           f'{sums.rows} tile loops, {sums.distinct} of them distinct. The '
           'others are copies, marked so. "Expected to be refused" means that '
           'a rule forbids the loop, or that it does not compile at all. A '
           'second, larger list: [survey.md](survey.md).')
    yield (f'**{sums.any} of {sums.distinct} distinct tile loops pipelined, '
           f'{percent(sums.any, sums.distinct)}**; of the {sums.wanted} '
           f'expected to be, {sums.pipelined} '
           f'({percent(sums.pipelined, sums.wanted)}).')


def survey_page(rows, sums, commits):
    yield ('A second survey, of other repositories and other files than '
           '[reach.md](reach.md): loops with a barrier found by a scan of the '
           'text and read, and what kpipe should do with each written down '
           'before kpipe saw it. '
           f'{sums.rows} loops, {sums.distinct} of them distinct. "Expected '
           'to be refused" gives the reason; "one stage expected" too, where '
           'the source or the budget of {arch} forbids more.')
    wrong = 'none' if not sums.wrong else str(len(sums.wrong))
    yield (f'**{sums.pipelined} of the {sums.wanted} distinct loops expected '
           f'to be pipelined are, {percent(sums.pipelined, sums.wanted)}; '
           f'{sums.staged} of these {sums.pipelined} with two or more stages '
           f'or cp.async, {percent(sums.staged, sums.pipelined)}** (of the '
           f'{sums.two} where that is expected, {sums.two_staged}). Loops '
           f'that should be refused and are pipelined: {wrong}. kpipe does '
           f'not see {sums.unseen} loops, {sums.unseen_wanted} of them '
           'expected to be pipelined: their kernels need headers that are not '
           'there or have no instantiation, or they have no block barrier '
           'and store to shared memory that it knows.')


PAGES = {'reach': ('Reach', old_page), 'survey': ('Survey', survey_page)}


def write(name, rows, sums, options, compiled):
    commits = {r['repository']: r['commit'] for r in read('commits.tsv')}
    title, text = PAGES[name]
    run = ['    test/reach/reach.py --kpipe build/release/bin/kpipe '
           '--root CHECKOUTS'
           + (' --compile nvcc' if compiled else '')]
    texts = [t.replace('{arch}', options.arch)
             for t in text(rows, sums, commits)]
    what = (f'Run on {datetime.date.today()} on {system()}. '
            + compiled_words(rows, compiled))
    table = ['| repository | commit |', '|---|---|'] + [
        f'| {r} | {commits[r][:12]} |'
        for r in dict.fromkeys(row['repository'] for row in rows)]
    parts = ['# ' + title, textwrap.fill(texts[0], 100), '\n'.join(run),
             textwrap.fill(what, 100), '\n'.join(table),
             textwrap.fill(texts[1], 100),
             'Each item below is a loop: its line, its function, the verdict, '
             'and the form or the rule.']
    with open(os.path.join(HERE, name + '.md'), 'w') as file:
        file.write('\n\n'.join(parts) + '\n')
        file.write('\n'.join(lists(rows, commits)) + '\n')


def say(name, rows, sums, options, compiled):
    if options.only:
        for row in rows:
            print(f"{row['repository']} {row['file']}:{row['line']}: "
                  f'{words_of(row)}')
    print(f'{name}: {sums.pipelined} of {sums.wanted} expected loops '
          f'pipelined, {sums.staged} with two stages or cp.async')
    for row in sums.wrong:
        print(f"{row['repository']} {row['file']}:{row['line']}: pipelined, "
              f"expected to be refused: {row.get('reason', '')}")
    for unit, (original, output) in (compiled or {}).items():
        if original and not output:
            print(f'{unit.repository} {unit.path}: the original compiles, '
                  'the output does not')
    if compiled:
        print(compiled_words(rows, compiled))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--root', required=True)
    parser.add_argument('--list', choices=PAGES, help='only this list')
    parser.add_argument('--only', metavar='REGEX', help='only rows whose '
                        'repository or unit matches; no page is written')
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--cuda-path', help='root of a CUDA toolkit for kpipe')
    parser.add_argument('--compile', metavar='NVCC')
    parser.add_argument('--limit', type=int, default=300,
                        help='seconds for one run of nvcc')
    parser.add_argument('--jobs', '-j', type=int, default=1)
    parser.add_argument('--logs', help='folder for what kpipe and nvcc say')
    parser.add_argument('--bar', type=float, default=85)
    parser.add_argument('--bar-staged', type=float, default=75)
    options = parser.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        checkouts = Checkouts(options.root, folder)
        logs = options.logs or os.path.join(folder, 'logs')
        os.makedirs(logs, exist_ok=True)
        for name in [options.list] if options.list else PAGES:
            rows = [r for r in read(name + '.tsv') if re.search(
                options.only or '', r['repository'] + ' ' + r['unit'])]
            units = parse_all(options, checkouts, rows, logs)
            compiled = compile_all(options, checkouts, units, logs) \
                if options.compile else None
            sums = Sums(rows)
            if not options.only:
                write(name, rows, sums, options, compiled)
            say(name, rows, sums, options, compiled)
            passed &= sums.passes(options)
            passed &= not compiled or all(o for _, o in compiled.values())
    return 0 if passed else 1


if __name__ == '__main__':
    sys.exit(main())
