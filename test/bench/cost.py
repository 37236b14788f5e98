#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cost.py --kpipe=KPIPE --clang=CLANG++ [--runs=9] [--scale]: CPU time and peak
# memory of kpipe against those of clang++ --cuda-device-only -fsyntax-only on
# the same files, which it generates. CPU time is user and system time of the
# process and its children; runs of both alternate and the median counts.
# Exit 0 if the bars hold: 1.15 where nothing is rewritten, 1.5 with the second
# parse of the result; with --scale, a cost per kernel that does not grow from
# 1 to 1000 kernels in a file. With --attempts=N the bars are measured again, up
# to N times, where they do not hold: other work on the machine may be the cause,
# and what kpipe costs too much it costs each time.
#
# cost.py --kpipe=KPIPE --against=OLDER FILE...: what rewriting the files costs
# one kpipe and another. Exit 0 if it is at most 1.05 times as much.
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')
# Clang parses its headers in each run, so kpipe does.
os.environ.pop('KPIPE_HEADER_CACHE', None)

HEAD = '#include <cuda_runtime.h>\n#include <cstdio>\n'
KERNEL = '''
__global__ void gemm{n}(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int N) {{
  __shared__ float As[16][16];
  __shared__ float Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.f;
  for (int k0 = 0; k0 < N; k0 += 16) {{
    As[ty][tx] = A[row * N + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
    {last}
  }}
  C[row * N + col] = acc;
}}
'''


def source(kernels, pipelinable):
    last = '__syncthreads();' if pipelinable else '// racy: refused'
    return HEAD + ''.join(KERNEL.format(n=n, last=last)
                          for n in range(kernels))


def measure(command):
    """CPU seconds and peak KB of one run, children included."""
    with open(os.devnull, 'w') as null:
        process = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f'failed: {" ".join(command)}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def compare(commands, runs):
    """The median of each command's runs, taken in turns."""
    samples = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            samples[name].append(measure(command))
    return {name: (statistics.median(s[0] for s in taken),
                   statistics.median(s[1] for s in taken))
            for name, taken in samples.items()}


def against(args):
    """The CPU time of two kpipes for files that both pipeline alike."""
    def command(kpipe, path):
        return [kpipe, 'rewrite', path, f'--arch={args.arch}', '-n']

    def pipelined(kpipe, path):
        done = subprocess.run(command(kpipe, path), capture_output=True,
                              text=True)
        return done.stderr.count('remark: pipelined')

    total, worst, files = [0, 0], (0, ''), 0
    for path in args.files:
        if pipelined(args.kpipe, path) != pipelined(args.against, path):
            continue
        results = compare({name: command(name, path)
                           for name in (args.kpipe, args.against)}, args.runs)
        new, old = results[args.kpipe][0], results[args.against][0]
        total[0] += new
        total[1] += old
        worst = max(worst, (new / old, path))
        files += 1
    print(f'{files} files that both pipeline alike: {total[0]:.2f} s against '
          f'{total[1]:.2f} s, {total[0] / total[1]:.3f} times; at most '
          f'{worst[0]:.2f} times, {os.path.basename(worst[1])}')
    return total[0] > 1.05 * total[1]


def bars_fail(args):
    """Measures kpipe beside Clang; True if a bar does not hold."""
    failed = False

    def commands(path):
        return {
            'clang': [args.clang, '--cuda-device-only', '-fsyntax-only',
                      f'--cuda-gpu-arch={args.arch}', '-w', path],
            'analyze': [args.kpipe, 'analyze', path, f'--arch={args.arch}'],
            'rewrite': [args.kpipe, 'rewrite', path, f'--arch={args.arch}',
                        '--variant=cp-async', '-o', os.devnull],
        }

    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = os.path.join(folder, name)
            with open(path, 'w') as file:
                file.write(text)
            return path

        print(f'{"file":24} {"command":8} {"CPU s":>7} {"ratio":>6} '
              f'{"peak MB":>8} {"ratio":>6}  bar')
        cases = [('nothing rewritten', source(1, False),
                  {'analyze': 1.15, 'rewrite': 1.15}),
                 ('one kernel rewritten', source(1, True),
                  {'analyze': 1.15, 'rewrite': 1.5})]
        for name, text, bars in cases:
            results = compare(commands(write('case.cu', text)), args.runs)
            base = results['clang']
            for command, (seconds, kilobytes) in results.items():
                bar = bars.get(command)
                time, memory = seconds / base[0], kilobytes / base[1]
                over = bar is not None and max(time, memory) > bar
                failed |= over
                print(f'{name:24} {command:8} {seconds:7.3f} {time:6.2f} '
                      f'{kilobytes / 1024:8.1f} {memory:6.2f}  '
                      f'{bar or ""}{" EXCEEDED" if over else ""}')

        if args.scale:
            print('\nkernels  clang CPU s  rewrite CPU s  ratio  '
                  'rewrite ms per kernel beyond clang')
            extra = []
            for count in (1, 10, 100, 300, 1000):
                path = write('scale.cu', source(count, True))
                results = compare(commands(path), 1 if count > 100 else 3)
                clang, rewrite = results['clang'][0], results['rewrite'][0]
                extra.append((rewrite - clang) / count * 1000)
                print(f'{count:7} {clang:12.3f} {rewrite:14.3f} '
                      f'{rewrite / clang:6.2f} {extra[-1]:10.2f}')
            # Linear: the cost of a kernel among 1000 is that of one among 100.
            if extra[-1] > 1.5 * extra[2]:
                print('the cost grows faster than the number of kernels')
                failed = True
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--clang', default='clang++')
    parser.add_argument('--against', metavar='KPIPE')
    parser.add_argument('files', nargs='*')
    parser.add_argument('--arch', default='sm_86')
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--scale', action='store_true')
    parser.add_argument('--attempts', type=int, default=1)
    args = parser.parse_args()
    if args.against:
        return against(args)
    return int(all(bars_fail(args) for _ in range(args.attempts)))


if __name__ == '__main__':
    sys.exit(main())
