# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A file in many forms: the first by `kpipe rewrite`, as a user has it, the
# others by kpipe-forms, which parses the file once for all of them.
import os
import subprocess

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')


class Form:
    """What came of one form: the exit code and what was said. The text is in
    `path`, the report in `path`.json."""

    def __init__(self, path, returncode, stderr):
        self.path, self.returncode, self.stderr = path, returncode, stderr


def rewrite(kpipe, source, way, path, flags=()):
    """One form by `kpipe rewrite`."""
    done = subprocess.run(
        [kpipe, 'rewrite', source, '-o', path, '--report=' + path + '.json',
         *way, *(['--', *flags] if flags else [])],
        stderr=subprocess.PIPE, text=True, errors='replace')
    return Form(path, done.returncode, done.stderr)


def rewrite_all(kpipe, source, ways, paths, common=(), flags=()):
    """The forms of all `ways`, in `paths`; `common` are options of all."""
    yield rewrite(kpipe, source, [*common, *ways[0]], paths[0], flags)
    if len(ways) == 1:
        return
    program = os.path.join(os.path.dirname(kpipe), 'kpipe-forms')
    lines = ['%s %s\n' % (path, ' '.join(way))
             for way, path in zip(ways[1:], paths[1:])]
    done = subprocess.run(
        [program, source, *common, *(['--', *flags] if flags else [])],
        input=''.join(lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, errors='replace')
    codes = done.stdout.split()
    for path, code in zip(paths[1:], codes):
        with open(path + '.err') as file:
            yield Form(path, int(code), file.read())
    for path in paths[1 + len(codes):]:  # it died on the first of these
        yield Form(path, done.returncode or 1, done.stderr)
