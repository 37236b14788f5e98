#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# prepare.py --kpipe=KPIPE --out=DIR [--arch=sm_90] [--only=WORD] [--root=CLONES]
# writes every form of every program of programs/list.json into DIR, with all
# that run.py needs where there is neither kpipe nor LLVM: the headers, a list,
# run.py itself. The forms are those of `kpipe tune`, whose build and run do
# nothing here. With --root the pairs of programs/pairs.json as well: public
# kernels beside the version that their author pipelined by hand. CLONES holds
# a checkout of each repository as <owner>+<name>; no code of theirs is kept here.
import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, 'programs')
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'runtime',
                       'include')


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def forms_of(args, name, source, flags, kernel=''):
    """What `kpipe tune` would measure, each form with its text."""
    with tempfile.TemporaryDirectory() as work:
        profile = os.path.join(work, 'profile.json')
        done = subprocess.run(
            [args.kpipe, 'tune', source, '--arch=' + args.arch,
             '--build=touch {exe}; : {src}',
             '--run=echo kpipe-time: none 1; : {exe}', '--rounds=1', '--limits',
             '--profile=' + profile, '--work-dir=' + work,
             *([f'--kernel=^{kernel}$'] if kernel else []), '--',
             '-std=c++17', '-I' + RUNTIME, '-I' + PROGRAMS, *flags],
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


def features_of(args, source, flags, kernel=''):
    """What the planner knows of the loop, for fit.py."""
    def analyze(*options):
        with tempfile.NamedTemporaryFile() as report:
            subprocess.run(
                [args.kpipe, 'analyze', source, '--arch=' + args.arch,
                 '--report=' + report.name, *options,
                 *([f'--kernel=^{kernel}$'] if kernel else []), '--',
                 '-std=c++17', '-I' + RUNTIME, '-I' + PROGRAMS, *flags],
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
    more = ' padded' if form.get('padded') else ''
    more += ' -occupancy' if form['asked'].get('allowOccupancyDrop') else ''
    return f'{form["variant"]} {form["stages"]}{last}{more}'


class Folder:
    """The forms of one program, written one after the other."""

    def __init__(self, args, name):
        self.args, self.forms = args, []
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
            self.add(describe(form), form['text'],
                     'part' if 'part' in form else 'form',
                     form.get('planned', False))


def own(args, program):
    folder = Folder(args, program['name'])
    folder.add_all(forms_of(args, program['name'],
                            os.path.join(PROGRAMS, program['source']),
                            program['flags']))
    return {'name': program['name'], 'flags': program['flags'],
            'features': features_of(args, os.path.join(PROGRAMS, program['source']),
                                    program['flags']),
            'forms': folder.forms}


def pasted(args, pair, source, call, needs=''):
    """Somebody's kernels without what binds them to other libraries.

    needs: a line that they expect of another file of theirs."""
    lines = [needs]
    for line in read(args.root, pair['repository'], source).split('\n'):
        if re.match(r'#include <(torch|cublas)', line):
            continue
        if 'torch::' in line or line.startswith('#ifndef NO_MMA_HGEMM_BIN'):
            break
        lines.append(line)
    return '\n'.join(['#include "bench.h"', *lines,
                      '#define ELEMENT ' + pair['element'],
                      '#define CALL ' + call,
                      read(PROGRAMS, 'pairs', 'gemm.cu')])


def of_others(args, pair):
    folder = Folder(args, pair['name'])
    with tempfile.NamedTemporaryFile('w', suffix='.cu') as file:
        file.write(pasted(args, pair, pair['source'], pair['call']))
        file.flush()
        folder.add_all(forms_of(args, pair['name'], file.name, [],
                                pair['kernel']))
        features = features_of(args, file.name, [], pair['kernel'])
    folder.add('author', pasted(args, pair, pair['author_source'],
                                pair['author_call'],
                                pair.get('author_needs', '')), 'author')
    return {'name': pair['name'], 'flags': [], 'features': features,
            'forms': folder.forms}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--only', default='')
    parser.add_argument('--root', default='')
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    os.makedirs(args.out)
    work = [(own, p) for p in json.loads(read(PROGRAMS, 'list.json'))]
    if args.root:
        work += [(of_others, p) for p in json.loads(read(PROGRAMS, 'pairs.json'))]
    written = []
    for make, program in work:
        if args.only not in program['name']:
            continue
        written.append(make(args, program))
        print(f'{program["name"]}: ' + ', '.join(
            form['name'] + (' (planned)' if form['planned'] else '')
            for form in written[-1]['forms']), flush=True)
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
