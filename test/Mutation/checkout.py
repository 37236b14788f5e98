# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The checkout with its build, and broken views of it. A view is an overlay over
# the checkout, mounted at the checkout's own path where only the view's commands
# see it: the build goes on from the whole one, so that a mutant costs one
# compilation and a link, many can be judged at once, and the checkout itself
# stays as it is. Mounting wants root's rights.
import os
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

TIMEOUT = 1800  # seconds for a build or a suite: broken programs may not end

# In a mount and process namespace of its own; what it started ends with it.
MOUNTED = ['unshare', '--mount', '--pid', '--fork', '--kill-child',
           '--mount-proc', 'sh', '-c',
           'mount -t overlay overlay -o '
           'lowerdir="$1",upperdir="$2/changed",workdir="$2/work" "$1" && '
           'cd "$1" && shift 2 && exec "$@"', 'sh']


def is_unit_test(name):
    """A unit test, or some of one group: Order.*"""
    return re.fullmatch(r'\w+\.[\w*]+', name) is not None


def is_test(name):
    """A test of lit; its folders begin with a capital, not so its suffix."""
    return re.fullmatch(r'[A-Z]\w*/[\w./-]+\.\w+', name) is not None


def run(command, seconds=TIMEOUT):
    """What a command printed; status None if it did not end in time."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, errors='replace',
                              timeout=max(seconds, 1))
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, None, '')


class Checkout:
    """The checkout with its build folder, and a folder for the views' layers."""

    def __init__(self, build, layers):
        self.build = os.path.realpath(build)
        self.layers = os.path.realpath(layers)
        self.usual = {}
        self.asking = threading.Lock()  # one test at a time is asked unbroken
        if not self.build.startswith(ROOT + os.sep):
            sys.exit(f'{build} is not in {ROOT}')
        if self.layers.startswith(ROOT + os.sep):
            sys.exit(f'{layers} is in {ROOT}')
        built = run(['ninja', '-C', self.build])
        if built.returncode:
            sys.exit('the unbroken source does not build:\n'
                     + built.stdout[-2000:])

    def lit(self):
        with open(os.path.join(self.build, 'CMakeCache.txt')) as cache:
            return re.search('KPIPE_LIT:.*=(.*)', cache.read()).group(1)

    def unbroken(self, test):
        """(Whether a test passes unbroken, the seconds it takes)."""
        with self.asking:
            if test not in self.usual:
                with View(self, 'whole') as view:
                    start = time.time()
                    passes = view.ask(test, TIMEOUT) is None
                    self.usual[test] = passes, time.time() - start
            return self.usual[test]


class View:
    """The checkout as it is, or broken by a mutant, while it is open."""

    def __init__(self, checkout, name, mutant=None):
        self.checkout = checkout
        self.layer = os.path.join(checkout.layers, name)
        shutil.rmtree(self.layer, ignore_errors=True)
        for part in ('changed', 'work'):
            os.makedirs(os.path.join(self.layer, part))
        if mutant:
            self.change(mutant)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.layer, ignore_errors=True)

    def change(self, mutant):
        with open(os.path.join(ROOT, mutant.file)) as file:
            whole = file.read()
        broken = os.path.join(self.layer, 'changed', mutant.file)
        os.makedirs(os.path.dirname(broken))
        with open(broken, 'w') as file:
            file.write(whole.replace(mutant.old, mutant.new))

    def run(self, command, seconds):
        return run([*MOUNTED, ROOT, self.layer, *command], seconds)

    def compile(self, targets, seconds):
        return self.run(['ninja', '-j1', '-C', self.checkout.build, *targets],
                        seconds)

    def ask(self, suite, seconds):
        """What failed first in a suite or in one test, or None."""
        if suite == 'unit' or is_unit_test(suite):
            chosen = [] if suite == 'unit' else ['--gtest_filter=' + suite]
            ran = self.run([os.path.join(self.checkout.build, 'bin/kpipe-unit'),
                            '--gtest_brief=1', *chosen], seconds)
            failed = re.search(r'\[  FAILED  \] (\S+?),? ', ran.stdout)
        else:
            # In another order each time, not the slowest first.
            ran = self.run([sys.executable, self.checkout.lit(), '--quiet', '-j1',
                            '--max-failures=1', '--order=random',
                            os.path.join(self.checkout.build, 'test', suite)],
                           seconds)
            failed = re.search(r'Failed Tests.*\n  (?:kpipe :: )?(\S+)',
                               ran.stdout)
        if ran.returncode is None:
            raise TimeoutError(suite)
        if ran.returncode == 0:
            return None
        return failed.group(1) if failed else f'{suite} (status {ran.returncode})'
