# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The runtime header.
from .mutant import Mutant


def runtime(what, file, old, new=''):
    return Mutant(f'runtime: {what}', f'runtime/include/kpipe/{file}.h', old, new)


RUNTIME = [
    runtime('a wait that waits for nothing', 'wait_prior',
            'asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");'),
    runtime('a wait for one group less', 'wait_prior', '"n"(N)', '"n"(N + 1)'),
    runtime('a commit that commits nothing', 'commit',
            'asm volatile("cp.async.commit_group;" : : : "memory");'),
    runtime('a copy of less than its size', 'copy_async',
            '"n"(sizeof(T))', '"n"(4)'),
    runtime('no copy before sm_80', 'copy_async', '*dst = *src;'),
    runtime('no zero fill', 'copy_async_zfill', 'valid ? sizeof(T) : 0',
            'sizeof(T)'),
    runtime('no zero fill before sm_80', 'copy_async_zfill',
            '    memset(static_cast<void *>(dst), 0, sizeof(T));', '    ;'),
    runtime('any size is copied', 'copy_async',
            'sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16', 'true'),
    runtime('any alignment is copied', 'copy_async',
            'alignof(T) % sizeof(T) == 0', 'true'),
    runtime('stages at any byte', 'staged_bytes',
            '(bytes + 127) / 128 * 128 * S', 'bytes * S'),
    runtime('bytes for one stage less', 'staged_bytes', '* 128 * S', '* 128 * (S - 1)'),
    runtime('a stage that begins anywhere', 'bytes_per_stage',
            'bytes / (128 * S) * 128', 'bytes / S'),
    runtime('a quotient that is rounded down', 'ceil_div',
            ' + (a % b != 0)'),
]
