#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# execute.py ORIGINAL [REWRITTEN...]: compiles the programs for the executor,
# runs all their cases under every order of threads and completion of copies,
# and prints hazards, differences and a verdict. Exit 0: clean and equal bit for
# bit; 1: not, or a program does not compile; 2: could not run.

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import prepare  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(os.path.dirname(HERE), 'Kernels')
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'runtime',
                       'include')
STAND_INS = (os.path.join(HERE, 'include'), RUNTIME)
# -O1 keeps promotion of registers, without which everything is instrumented,
# and leaves out the vectorisers, whose wide accesses the callbacks lack.
FLAGS = [
    '-x', 'c++', '-std=c++17', '-O1', '-fPIC', '-w',
    '-fvisibility=hidden', '-fno-vectorize', '-fno-slp-vectorize',
    '-ffp-contract=off', '-fno-exceptions', '-fsanitize=thread',
    # As on a GPU: no call may come to depend on one more condition.
    '-fconvergent-functions',
    '-ftemplate-depth=1024', '-DKPIPE_HARNESS',
    '-mllvm', '-tsan-instrument-func-entry-exit=0',
    '-mllvm', '-tsan-instrument-read-before-write',
]
# Named in what is reported.
PLACES = ['-gline-tables-only']
# Not kpipe/pipeline.h, which a program may have inlined instead.
PREFIX = ['cuda_runtime.h', 'cuda_fp16.h', 'cuda_bf16.h', 'mma.h',
          'cooperative_groups.h', 'cuda_pipeline.h', 'harness.h']


def includes():
    return [f for d in (os.path.join(HERE, 'include'), RUNTIME, KERNELS)
            for f in ('-isystem', d)]


def build_prefix(clang, out):
    """Precompiles the stand-ins, which are most of what a kernel includes.
    Programs that were compiled with older ones are dropped."""
    shutil.rmtree(os.path.join(os.path.dirname(out), 'cache'),
                  ignore_errors=True)
    header = os.path.splitext(out)[0] + '.h'
    with open(header, 'w') as f:
        f.writelines('#include <%s>\n' % name for name in PREFIX)
    flags = ['c++-header' if f == 'c++' else f for f in FLAGS] + PLACES
    # Once here, not once in every program.
    flags.append('-fpch-instantiate-templates')
    tail = os.path.join(HERE, 'include', 'kx', 'tail.cpp')
    return (subprocess.run([clang] + flags + includes() +
                           [header, '-o', out]).returncode or
            subprocess.run([clang] + FLAGS + ['-c', tail, '-o',
                                              out + '.tail.o']).returncode)


class Program:
    """One source on its way to a shared object. With a cache, one that was
    compiled before with the same text and flags is taken from there."""

    def __init__(self, args, source, base, cache, plain=False):
        self.args, self.source, self.base = args, source, base
        self.plain, self.cache, self.library = plain, None, base + '.so'
        self.included = {}
        path = os.path.abspath(source)
        with open(source, errors='replace') as f:
            self.text, self.dynamic = prepare.prepare(
                f.read(), path, prepare.Includes(
                    [STAND_INS[0]], self.folders(path), self.include),
                args.arch)
        # What a program includes besides the stand-ins is in the key only if it
        # had to be changed.
        if set(re.findall(r'#\s*include\s*"([^"]*)"',
                          ''.join([self.text, *self.included.values()]))) <= {
                              'harness.h', *self.included}:
            self.cache = cache

    def folders(self, path):
        """Where what it includes may be that is no stand-in."""
        return [os.path.dirname(path)] + [
            flag[2:] for flag in self.args.flag if flag.startswith('-I')] + [
                RUNTIME]

    def include(self, path, text):
        """Stores what an included file becomes; returns where."""
        became = '%s.%d.h' % (self.base, len(self.included))
        with open(became, 'w') as f:
            f.write(text)
        self.included[became] = text
        return became

    def command(self, places):
        """What compiles it, with the places of its code or without."""
        prefix = FLAGS + ['-include-pch', self.args.prefix]
        if self.plain:  # the precompiled prefix is an optimised one
            prefix = ['-O0' if f == '-O1' else f for f in FLAGS] + [
                '-include', os.path.splitext(self.args.prefix)[0] + '.h']
        return ([self.args.clang] + prefix + (PLACES if places else []) +
                ['-I', os.path.dirname(os.path.abspath(self.source))] +
                includes() + self.args.flag +
                ['-c', self.base + '.cpp', '-o', self.base + '.o'])

    def compile(self, places):
        """Returns what is wrong, or nothing."""
        cached = None
        if self.cache:
            texts = [t.replace(self.base, '')
                     for t in (self.text, *self.included.values())]
            key = repr((texts, self.args.flag, places,
                        os.stat(self.args.prefix).st_mtime_ns))
            cached = os.path.join(
                self.cache, hashlib.sha256(key.encode()).hexdigest() + '.so')
            if os.path.exists(cached):
                self.library = cached
                return ''
        self.library = self.base + '.so'
        with open(self.base + '.cpp', 'w') as f:
            f.write(self.text)
        link = [self.args.linker, '-shared', '-Bsymbolic', self.base + '.o',
                self.args.prefix + '.tail.o', '-o', self.library]
        link += ['--defsym=%s=kx_dynamic_shared' % n for n in self.dynamic]
        for command in self.command(places), link:
            done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                return done.stderr or 'status %d\n' % done.returncode
        if cached:
            self.keep(cached)
        return ''

    def keep(self, cached):
        os.makedirs(os.path.dirname(cached), exist_ok=True)
        # Complete or absent, whoever else is writing it.
        temporary = '%s.%d' % (cached, os.getpid())
        shutil.copy(self.library, temporary)
        os.rename(temporary, cached)


def compile_all(programs, places=False):
    """Many may be compiled: no more at once than the machine has cores."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        wrong = list(pool.map(lambda p: p.compile(places), programs))
    for program, errors in zip(programs, wrong):
        if errors:
            sys.stderr.write(errors)
            print('FAIL: %s does not compile for the executor' %
                  program.source)
    return not any(wrong)


MARK = re.compile(r'@\{(\d+):([0-9a-f]+)\}')


def place(frames):
    """The innermost frame that is the program's own."""
    for frame in frames:
        if not frame['FileName'].startswith(STAND_INS):
            return '%s:%d:%d' % (frame['FileName'], frame['Line'],
                                 frame['Column'])
    return '??'


def resolve(output, symbolizer, libraries):
    """Replaces the executor's @{program:pc} marks by file:line:column."""
    places = {}
    for index in {m[0] for m in MARK.findall(output)}:
        pcs = sorted({m[1] for m in MARK.findall(output) if m[0] == index})
        # A return address stands behind its call.
        query = ['0x%x' % max(int(pc, 16) - 1, 0) for pc in pcs]
        done = subprocess.run(
            [symbolizer, '--obj=' + libraries[int(index)],
             '--output-style=JSON', '--inlines'] + query,
            stdout=subprocess.PIPE, text=True)
        for pc, answer in zip(pcs, json.loads(done.stdout or '[]')):
            places[index, pc] = place(answer.get('Symbol', []))
    return MARK.sub(lambda m: places.get(m.groups(), '??'), output)


def unique(output):
    """One line for each kind and pair of places: a copy of the code that the
    compiler made for its own reasons is no second defect."""
    seen, lines = set(), []
    for line in output.split('\n'):
        found = re.search(r': hazard: .* \[([a-z-]+)\] \[([^;]*);', line)
        key = found and (found.groups(), *re.findall(r'[^ ]+:\d+:\d+', line))
        if not key or key not in seen:
            lines.append(line)
        seen.add(key)
    return '\n'.join(lines)


def run(args, work):
    # Only originals come again.
    programs = [Program(args, source, os.path.join(work, str(i)),
                        None if i else args.cache)
                for i, source in enumerate([args.original] + args.rewritten)]
    if not compile_all(programs):
        return 1
    done, output = execute(args, programs)
    if done == 1 and only_reads_more(output):
        # The compiler may have dropped a read of the original's whose value it
        # does not use: asked again without optimisation.
        programs[0] = Program(args, args.original, os.path.join(work, 'plain'),
                              None, plain=True)
        if compile_all(programs[:1]):
            done, output = execute(args, programs)
    if MARK.search(output):
        # Few programs have anything wrong with them, so that debug information
        # is made only for those. It changes nothing else about the code.
        wrong = {int(m[0]) for m in MARK.findall(output)}
        if not compile_all([programs[i] for i in wrong], places=True):
            return 1
        again, output = execute(args, programs)
        done = done or again
        output = resolve(output, args.symbolizer,
                         [p.library for p in programs])
    sys.stdout.write(unique(output))
    return done


def only_reads_more(output):
    """Is all that differs that a rewritten program reads more?"""
    wrong = re.findall(r'^(?:rewritten.*: difference|.*: hazard): .*$', output,
                       re.M)
    return wrong and all('which the original does not read' in w
                         for w in wrong)


def execute(args, programs):
    """The status of a run and what it printed, with marks for places."""
    # As much time for each program as three have by themselves.
    timeout = args.timeout * max(1, (len(programs) + 2) // 3)
    done = subprocess.run(
        [args.executor, '--stages=%d' % args.stages, '--seed=%d' % args.seed,
         '--modes=' + args.modes, '--orders=' + args.orders,
         '--timeout=%d' % timeout, '--case=' + args.case] +
        (['--records'] if args.records else []) +
        (['--clocks'] if args.clocks else []) +
        [p.library for p in programs],
        stdout=subprocess.PIPE, text=True, errors='replace')
    if done.returncode not in (0, 1, 2):
        return 1, done.stdout + ('FAIL: the executor ended with status %d\n' %
                                 done.returncode)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(
        description='Runs CUDA kernels on the CPU and compares them.')
    parser.add_argument('original')
    parser.add_argument('rewritten', nargs='*')
    parser.add_argument('--executor', required=True)
    parser.add_argument('--prefix', required=True,
                        help='precompiled stand-ins (see --build-prefix)')
    parser.add_argument('--clang', default='clang++-22')
    parser.add_argument('--linker', default='ld.lld-22')
    parser.add_argument('--symbolizer', default='llvm-symbolizer-22')
    parser.add_argument('--stages', type=int, default=2,
                        help='S, from which trip counts are derived')
    parser.add_argument('--case', default='', help='only cases with one of these, A,B, in the name')
    parser.add_argument('--modes', default='late,early,random')
    parser.add_argument('--orders', default='forward,reverse,shuffled')
    parser.add_argument('--records', action='store_true',
                        help="print the original's buffers as a GPU run does")
    parser.add_argument('--arch', help='what __CUDA_ARCH__ says: sm_90a')
    parser.add_argument('--clocks', action='store_true',
                        help='vector clocks also where intervals would do')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--timeout', type=int, default=60, help='seconds')
    parser.add_argument('--flag', action='append', default=[],
                        help='a flag for the compiler, such as -DX')
    parser.add_argument('--cache', metavar='DIR',
                        help='where compiled originals are kept; empty: not')
    parser.add_argument('--keep', metavar='DIR',
                        help='leave what was compiled there')
    args = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        return run(args, args.keep)
    with tempfile.TemporaryDirectory(prefix='kpipe-execute-') as work:
        return run(args, work)


if __name__ == '__main__':
    if sys.argv[1:2] == ['--build-prefix']:  # --build-prefix CLANG OUTPUT
        sys.exit(build_prefix(*sys.argv[2:4]))
    sys.exit(main())
