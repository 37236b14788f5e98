#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.py [DIR] --json=FILE [--rounds=5] [--minutes=8] [--pause=0] [--nvcc=nvcc]
# [--jobs=N] [--close=1.05]: compiles and runs what prepare.py wrote into DIR
# (where this file's copy is), on a machine with a GPU, nvcc and Python 3. Programs
# are compiled side by side and run one at a time, with a pause of so many seconds
# before each, in rounds over all of them; a time is the median of the rounds, each
# of which is the median of the program's own runs. With --close forms that take
# more than so many times their program's best are run in the first round alone,
# but for the original, the planned form and the version by hand. A form must print the hash that its
# original prints, and so must the version pipelined by hand; the parts of a form
# (loads only, compute only) say how much of its time overlap can hide. Prints a
# table of all forms and one of the planned forms beside the versions by hand;
# what there was time for is written as JSON, which plot.py draws.
#
# run.py [DIR] --sanitizer=compute-sanitizer [--tools=racecheck,memcheck]: runs
# each form once under each tool instead, all sizes divided by 8, side by side.
# Nothing may be found, and outputs have to be those of the original.
import argparse
import concurrent.futures
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import time

TIMEOUT = 60  # seconds for one program


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ''


def compile_one(args, arch, program, form):
    form['exe'] = os.path.abspath(
        os.path.join(args.work, form['source'][:-3].replace(os.sep, '-')))
    done = subprocess.run(
        [args.nvcc, '-std=c++17', '-O3', '-arch=' + arch, '-I' + args.folder,
         *program['flags'], '-Xptxas', '-v',
         os.path.join(args.folder, form['source']), '-o', form['exe']],
        stderr=subprocess.PIPE, text=True)
    if done.returncode:
        form['failure'] = 'does not compile: ' + next(
            (line for line in done.stderr.splitlines() if 'error' in line), '')
        return
    # The kernels of bench.h use neither barriers nor shared memory.
    used = [re.search(r'Used (\d+) registers', line)
            for line in done.stderr.splitlines()
            if ' smem' in line or 'used 1 barriers' in line]
    form['registers'] = max((int(u[1]) for u in used if u), default=0)
    spills = re.findall(r'(\d+) bytes spill stores', done.stderr)
    form['spills'] = max(map(int, spills), default=0)


def run_one(form):
    """The time and the rest of the output."""
    try:
        done = subprocess.run([form['exe']], capture_output=True, text=True,
                              timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        form['failure'] = 'does not end'
        return None
    if done.returncode:
        form['failure'] = 'fails: ' + done.stderr.strip()[:200]
        return None
    found = re.search(r'^kpipe-time: .* (\S+)$', done.stdout, re.M)
    if not found:
        form['failure'] = 'prints no time: ' + done.stderr.strip()[:200]
        return None
    rest = re.sub(r'^kpipe-time: .*\n', '', done.stdout, flags=re.M)
    return float(found[1]), rest


def take_turn(program, form):
    got = run_one(form)
    if not got:
        return
    milliseconds, printed = got
    if form is program['forms'][0]:
        program.setdefault('output', printed)
    if form['kind'] != 'part' and printed != program.get('output'):
        form['failure'] = 'prints ' + printed.strip()
        return
    form.setdefault('times', []).append(milliseconds)


def contenders(program, close):
    """The forms that are worth another round."""
    timed = [statistics.median(f['times']) for f in program['forms']
             if f['kind'] == 'form' and 'times' in f and 'failure' not in f]
    limit = min(timed, default=0) * close
    return [f for f in program['forms'] if 'failure' not in f and
            (not close or not f.get('times') or f is program['forms'][0] or
             f['planned'] or f['kind'] == 'by hand' or
             f['kind'] == 'form' and statistics.median(f['times']) <= limit)]


def measure(programs, rounds, pause, deadline, close):
    """Rounds that were run."""
    for number in range(rounds):
        for program in programs:
            for form in contenders(program, close):
                if time.time() > deadline:
                    return number
                time.sleep(pause)
                take_turn(program, form)
        print(f'round {number + 1} of {rounds} done', file=sys.stderr,
              flush=True)
    return rounds


def sanitize_one(args, tool, form):
    """The output of a form under a tool; what the tool found is a failure."""
    done = subprocess.run(
        [args.sanitizer, '--tool', tool, '--error-exitcode', '9', form['exe']],
        capture_output=True, text=True,
        env={**os.environ, 'BENCH_RUNS': '1', 'BENCH_DIVIDE': '8'})
    if done.returncode:
        form['failure'] = f'{tool}: ' + next(
            (line for line in done.stdout.splitlines()
             if re.search('error|hazard', line, re.I)), f'{done.returncode}')
    return re.sub(r'^(kpipe-time: |=====).*\n', '', done.stdout, flags=re.M)


def sanitize(args, programs):
    """Runs that were made."""
    work = [(tool, program, form) for tool in args.tools.split(',')
            for program in programs for form in program['forms']
            if form['kind'] != 'part' and 'failure' not in form]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        outputs = list(pool.map(
            lambda item: sanitize_one(args, item[0], item[2]), work))
    for (tool, program, form), printed in zip(work, outputs):
        if printed != program.setdefault('output', printed):
            form.setdefault('failure', f'{tool}: prints {printed.strip()}')
    return len(work)


def conclude(program):
    """The best form, and the part of its time that no overlap can hide."""
    medians = {f['name']: f['median'] for f in program['forms']
               if 'median' in f and f['kind'] == 'form'}
    if not medians:
        return
    program['best'] = min(medians, key=medians.get)
    parts = {f['name']: f['median'] for f in program['forms']
             if 'median' in f and f['kind'] == 'part'}
    compute = 'compute-only' + (
        ' unrolled' if 'compute unrolled' in program['best'] else '')
    if 'loads-only' in parts and compute in parts:
        program['efficiency'] = max(parts['loads-only'], parts[compute]) / \
            medians[program['best']]


def table(programs):
    print(f'{"program":28} {"form":24} {"ms":>9} {"min":>9} {"max":>9} '
          f'{"speed-up":>8}  regs')
    for program in programs:
        original = program['forms'][0]
        for form in program['forms']:
            start = f'{program["name"]:28} {form["name"]:24} '
            if 'failure' in form:
                print(start + form['failure'])
            elif 'times' not in form:
                print(start + 'not run')
            else:
                mark = ('*' if form['name'] == program.get('best') else '') + (
                    '+' if form['planned'] else '')
                speed = original['median'] / form['median'] \
                    if 'median' in original else float('nan')
                print(start + f'{form["median"]:9.4f} {min(form["times"]):9.4f} '
                      f'{max(form["times"]):9.4f} {speed:8.3f}  '
                      f'{form.get("registers", 0)}'
                      f'{" spills" if form.get("spills") else ""} {mark}')
        if 'efficiency' in program:
            print(f'{program["name"]:28} overlap efficiency '
                  f'{program["efficiency"]:.2f}')
    print('* best  + planned by kpipe')


def ratio(above, below):
    return f'{above / below:.3f}' if above and below else '-'


def summary(programs):
    """What kpipe plans, beside the original and the version by hand."""
    print(f'\n{"program":28} {"original":>9} {"auto":>9} {"best":>9} '
          f'{"by hand":>9} {"original/auto":>13} {"auto/by hand":>12}  equal')
    for program in programs:
        forms = [f for f in program['forms'] if f['kind'] != 'part']

        def median(rule):
            return next((f.get('median') for f in forms if rule(f)), None)

        original = median(lambda f: f is forms[0])
        auto = median(lambda f: f['planned'])
        best = median(lambda f: f['name'] == program.get('best'))
        by_hand = median(lambda f: f['kind'] == 'by hand')
        print(f'{program["name"]:28} ' +
              ' '.join(f'{f"{t:.4f}" if t else "-":>9}'
                       for t in (original, auto, best, by_hand)) +
              f' {ratio(original, auto):>13} {ratio(auto, by_hand):>12}  ' +
              ('no' if any('failure' in f for f in forms) else 'yes'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', nargs='?',
                        default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument('--json')
    parser.add_argument('--sanitizer')
    parser.add_argument('--tools', default='racecheck,memcheck')
    parser.add_argument('--work', default='/tmp/kpipe-bench')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--minutes', type=float, default=8)
    parser.add_argument('--close', type=float, default=0, metavar='TIMES')
    parser.add_argument('--pause', type=float, default=0, metavar='SECONDS')
    parser.add_argument('--nvcc', default='nvcc')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    if not args.json and not args.sanitizer:
        parser.error('--json=FILE or --sanitizer=PROGRAM is needed')
    deadline = time.time() + args.minutes * 60
    with open(os.path.join(args.folder, 'forms.json')) as file:
        listed = json.load(file)
    programs = listed['programs']
    os.makedirs(args.work, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in [pool.submit(compile_one, args, listed['arch'], p, f)
                       for p in programs for f in p['forms']]:
            future.result()
    print(f'compiled in {args.minutes * 60 - (deadline - time.time()):.0f} s',
          file=sys.stderr, flush=True)
    if args.sanitizer:
        runs = sanitize(args, programs)
        failed = [(p, f) for p in programs for f in p['forms'] if 'failure' in f]
        for program, form in failed:
            print(f'{program["name"]} {form["name"]}: {form["failure"]}')
        print(f'{runs} runs, {len(failed)} failures')
        return 1 if failed else 0
    done = measure(programs, args.rounds, args.pause, deadline, args.close)
    for program in programs:
        for form in program['forms']:
            form.pop('exe', None)
            if 'times' in form and 'failure' not in form:
                form['median'] = statistics.median(form['times'])
        conclude(program)
    result = {
        'gpu': output_of('nvidia-smi', '--query-gpu=name', '--format=csv,noheader'),
        'driver': output_of('nvidia-smi', '--query-gpu=driver_version',
                            '--format=csv,noheader'),
        'nvcc': output_of(args.nvcc, '--version').split('\n')[-1],
        'date': datetime.date.today().isoformat(), 'arch': listed['arch'],
        'rounds': done, 'programs': programs}
    with open(args.json, 'w') as file:
        json.dump(result, file, indent=1)
    table(programs)
    summary(programs)
    failures = sum('failure' in f for p in programs for f in p['forms'])
    print(f'{result["gpu"]}: {done} rounds, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
