# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# both_ways.py KPIPE FILE...: rewrites each file with a CUDA toolkit's headers
# and with kpipe's own declarations. What is said and what is written must be
# equal, but for the remark that there is no toolkit. A file's flags stand in
# its line `// FLAGS:`.
import os
import re
import subprocess
import sys

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')


def rewrite(kpipe, file, flags):
    ran = subprocess.run([kpipe, 'rewrite', file, '--arch=sm_86', '--verbose', '--', *flags],
                         capture_output=True, text=True)
    said = [line for line in ran.stderr.split('\n') if '[kpipe-own-declarations]' not in line]
    return ran.returncode, said, ran.stdout


def main():
    kpipe, files = sys.argv[1], sys.argv[2:]
    different = 0
    for file in files:
        flags = ' '.join(re.findall(r'^// FLAGS: (.*)$', open(file).read(), re.M)).split()
        toolkit = rewrite(kpipe, file, flags)
        own = rewrite(kpipe, file, flags + ['-nocudainc'])
        parsed = not any('passed-over' in line or 'invalid-code' in line for line in toolkit[1])
        if toolkit == own and parsed:
            continue
        different += 1
        print(f'{file}: ' + ('does not parse' if toolkit == own else 'differs'))
        print('  with a toolkit:', *toolkit[1], sep='\n    ')
        print('  without:', *own[1], sep='\n    ')
    print(f'{len(files)} files, {different} different')
    return different != 0


sys.exit(main())
