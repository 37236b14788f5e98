#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# prepare.py --kpipe=KPIPE --out=DIR [--arch=sm_90] [--registers=nvcc]
# [--only=REGEX] [--forms=REGEX] [--jobs=N]
# writes every form of every program of programs/list.json into DIR, with all
# that run.py needs where there is neither kpipe nor LLVM: the headers, a list,
# run.py itself. The forms are those of `kpipe tune`, whose build and run do
# nothing here, and what `kpipe rewrite --registers=…` plans; where
# programs/by_hand has the program pipelined by hand, that comes as well. --only
# takes the programs whose name matches. --forms takes the forms whose name
# matches, and always the original, the planned form and the version by hand.
import argparse
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What `tune` and `analyze` say here needs no nvcc.
os.environ['KPIPE_REGISTERS'] = 'estimate'

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, 'programs')
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'runtime',
                       'include')


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def forms_of(args, name, source, flags):
    """What `kpipe tune` would measure, each form with its text."""
    with tempfile.TemporaryDirectory() as work:
        profile = os.path.join(work, 'profile.json')
        done = subprocess.run(
            [args.kpipe, 'tune', source, '--arch=' + args.arch,
             '--build=touch {exe}; : {src}',
             '--run=echo kpipe-time: none 1; : {exe}', '--rounds=1', '--limits', '--all',
             '--profile=' + profile, '--work-dir=' + work,
             '--', '-std=c++17', '-I' + RUNTIME, '-I' + PROGRAMS, *flags],
            stderr=subprocess.PIPE, text=True)
        if done.returncode or not os.path.exists(profile):
            sys.exit(f'{name}: {done.stderr}')
        loops = json.loads(read(profile))['loops']
        if len(loops) != 1:
            sys.exit(f'{name}: {len(loops)} loops, not 1')
        forms = loops[0]['forms']
        for file in os.listdir(work):
            # <source>-<line>-<number of the form or part>-<what it is>.cu
            match = re.fullmatch(
                r'.*-\d+-(\d+|loads-only|compute-only)-[^-]+(-\d+)?(-guarded)?'
                r'\.cu', file)
            if match and match[1].isdigit():
                forms[int(match[1])]['text'] = read(work, file)
            elif match:
                forms.append({'part': match[1], 'text': read(work, file)})
        forms += unrolled_part(forms)
        return sorted(forms, key=lambda form: form.get('part', ''))


def add_planned(args, name, source, flags, forms):
    """Marks the form that `kpipe rewrite` makes by itself, or adds it."""
    with tempfile.TemporaryDirectory() as work:
        out, report = os.path.join(work, 'out.cu'), os.path.join(work, 'report.json')
        done = subprocess.run(
            [args.kpipe, 'rewrite', source, '--arch=' + args.arch,
             '--registers=' + args.registers, '--inline-runtime',
             '-o', out, '--report=' + report,
             '--', '-std=c++17', '-I' + RUNTIME, '-I' + PROGRAMS, *flags],
            stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f'{name}: {done.stderr}')
        text, made = read(out), json.loads(read(report))['loops'][0]['archs'][0]
    for form in forms:
        form.pop('planned', None)
    same = next((f for f in forms if 'part' not in f and f.get('text') == text), None)
    if not same:
        same = {'asked': {'form': 'auto', 'schedule': made.get('schedule')},
                'variant': made.get('variant', 'original'),
                'stages': made.get('stages', 1), 'text': text}
        forms.append(same)
    same['planned'] = True


def unrolled_part(forms):
    """The compute of the planned form alone, with the loops unrolled that the
    same form with --unroll=compute unrolls: what such forms are measured by."""
    planned = next((f for f in forms if f.get('planned')), None)
    alone = next((f for f in forms if f.get('part') == 'compute-only'), None)
    if not planned or not alone:
        return []
    twin = next((f for f in forms if f.get('asked', {}).get('unroll') == 'compute'
                 and all(f.get(key) == planned.get(key) for key in
                         ('variant', 'stages', 'padded')) and
                 ('guarded' in describe(f)) == ('guarded' in describe(planned))),
                None)
    if not twin:
        return []
    after = set()
    lines = twin['text'].split('\n')
    for tag, _, _, begin, end in difflib.SequenceMatcher(
            None, planned['text'].split('\n'), lines, False).get_opcodes():
        if tag == 'insert' and lines[begin].strip() == '#pragma unroll':
            after.add(lines[end])
    text = ''.join(('#pragma unroll\n' if line in after else '') + line + '\n'
                   for line in alone['text'].split('\n'))
    return [{'part': 'compute-only unrolled', 'text': text}]


def rolled_operations(loop):
    """Operations of a thread on a tile, if some stand in a loop that nvcc may
    leave one; else 0."""
    arch = loop['archs'][0]
    threads = re.search(r'\b(\d+) threads a block', json.dumps(arch['reasons']))
    if not loop.get('shortLoops') or not threads:
        return 0
    return (loop.get('operationsPerByte', 0) *
            arch['budget']['sharedBytesBefore'] / int(threads[1]))


def features_of(args, source, flags):
    """What the planner knows of the loop, for fit.py."""
    def analyze(*options):
        with tempfile.NamedTemporaryFile() as report:
            subprocess.run(
                [args.kpipe, 'analyze', source, '--arch=' + args.arch,
                 '--report=' + report.name, *options,
                 '--', '-std=c++17', '-I' + RUNTIME, '-I' + PROGRAMS, *flags],
                check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            return json.loads(read(report.name))['loops'][0]

    loop, by_registers = analyze(), analyze('--variant=ldg')
    arch = loop['archs'][0]
    # Which copies could be asynchronous shows where all are asked to be.
    try:
        copies = analyze('--variant=cp-async')['archs'][0].get('copies', [])
    except subprocess.CalledProcessError:
        copies = []
    return {'tensor_cores': loop.get('tensorCores', False),
            'ratio': loop.get('operationsPerByte', 0),
            'tile_bytes': arch['budget']['sharedBytesBefore'],
            'copies': [{'bytes': mine['bytes'],
                        'async': index < len(copies) and
                        copies[index]['route'] == 'cp.async'}
                       for index, mine in enumerate(arch['copies'])],
            'rolled_operations': rolled_operations(loop),
            'registers': by_registers['archs'][0].get('registersStaged')}


def describe(form):
    if 'part' in form:
        return form['part']
    if form['asked']['form'] == 'original':
        return 'original'
    last = ' guarded' if form['asked'].get('schedule') == 'guarded' else ''
    last += {'stages': ' unrolled', 'never': ' rolled',
             'compute': ' compute unrolled'}.get(form['asked'].get('unroll'), '')
    more = ' remap' if form['asked'].get('copies') == 'remap' else ''
    more += ' padded' if form.get('padded') else ''
    more += ' -occupancy' if form['asked'].get('allowOccupancyDrop') else ''
    blocks = form['asked'].get('minBlocks')
    more += f' {blocks} blocks' if blocks else ''
    more += ' as planned' if form['asked']['form'] == 'auto' else ''
    return f'{form["variant"]} {form["stages"]}{last}{more}'


class Folder:
    """The forms of one program, written one after the other."""

    def __init__(self, args, name):
        self.args, self.forms, self.texts = args, [], set()
        self.name = re.sub(r'\W+', '-', name)
        os.makedirs(os.path.join(args.out, self.name))

    def add(self, name, text, kind, planned=False):
        source = os.path.join(self.name, re.sub(r'\W+', '-', name) + '.cu')
        with open(os.path.join(self.args.out, source), 'w') as file:
            file.write(text)
        self.forms.append({'name': name, 'source': source, 'kind': kind,
                           'planned': planned})

    def add_all(self, forms):
        for form in forms:
            name, planned = describe(form), form.get('planned', False)
            wanted = planned or name == 'original' or re.search(self.args.forms, name)
            # What asks for the same in other words is measured once.
            if wanted and form['text'] not in self.texts:
                self.texts.add(form['text'])
                self.add(name, form['text'],
                         'part' if 'part' in form else 'form', planned)


def write(args, program):
    """All that is measured of one program."""
    source = os.path.join(PROGRAMS, program['source'])
    folder = Folder(args, program['name'])
    forms = forms_of(args, program['name'], source, program['flags'])
    add_planned(args, program['name'], source, program['flags'], forms)
    folder.add_all(forms)
    if 'by_hand' in program:
        folder.add('by hand', read(PROGRAMS, program['by_hand']), 'by hand')
    return {'name': program['name'], 'flags': program['flags'],
            'features': features_of(args, source, program['flags']),
            'forms': folder.forms}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--registers', default='nvcc',
                        choices=['auto', 'nvcc', 'estimate'])
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--only', metavar='REGEX', default='')
    parser.add_argument('--forms', metavar='REGEX', default='')
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    os.makedirs(args.out)
    wanted = [program for program in json.loads(read(PROGRAMS, 'list.json'))
              if re.search(args.only, program['name'])]
    written = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program in pool.map(lambda program: write(args, program), wanted):
            written.append(program)
            print(f'{program["name"]}: ' + ', '.join(
                form['name'] + (' (planned)' if form['planned'] else '')
                for form in program['forms']), flush=True)
    with open(os.path.join(args.out, 'forms.json'), 'w') as file:
        json.dump({'arch': args.arch, 'programs': written}, file, indent=1)
    shutil.copy(os.path.join(PROGRAMS, 'bench.h'), args.out)
    shutil.copy(os.path.join(HERE, 'run.py'), args.out)
    os.makedirs(os.path.join(args.out, 'kpipe'))
    shutil.copy(os.path.join(RUNTIME, 'kpipe', 'timing.h'),
                os.path.join(args.out, 'kpipe'))
    print(f'{sum(len(p["forms"]) for p in written)} forms of {len(written)} '
          f'programs in {args.out}')


if __name__ == '__main__':
    main()
