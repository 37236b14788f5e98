# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The runtime header.
from .mutant import Mutant


def runtime(what, file, old, new=''):
    return Mutant(f'runtime: {what}', f'runtime/include/kpipe/{file}.h', old, new)


RUNTIME = [
    runtime('a wait that waits for nothing', 'wait_prior',
            'asm volatile("cp.async.wait_group %0;" : : "n"(_Pending) : "memory");'),
    runtime('a wait for one group less', 'wait_prior', '"n"(_Pending)', '"n"(_Pending + 1)'),
    runtime('a commit that commits nothing', 'commit',
            'asm volatile("cp.async.commit_group;" : : : "memory");'),
    runtime('a copy of less than its size', 'copy_async',
            '"n"(sizeof(_Tp))', '"n"(4)'),
    runtime('no copy before sm_80', 'copy_async', '*__dst = *__src;'),
    runtime('no zero fill', 'copy_async_zfill', '__valid ? sizeof(_Tp) : 0',
            'sizeof(_Tp)'),
    runtime('no zero fill before sm_80', 'copy_async_zfill',
            '    memset(static_cast<void *>(__dst), 0, sizeof(_Tp));', '    ;'),
    runtime('any size is copied', 'copy_async',
            'sizeof(_Tp) == 4 || sizeof(_Tp) == 8 || sizeof(_Tp) == 16', 'true'),
    runtime('any alignment is copied', 'copy_async',
            'alignof(_Tp) % sizeof(_Tp) == 0', 'true'),
    runtime('stages at any byte', 'staged_bytes',
            '(__bytes + (_Multiple - 1)) / _Multiple * _Multiple * _Stages',
            '__bytes * _Stages'),
    runtime('bytes for one stage less', 'staged_bytes', '* _Multiple * _Stages',
            '* _Multiple * (_Stages - 1)'),
    runtime('a stage that begins anywhere', 'bytes_per_stage',
            '__bytes / (_Multiple * _Stages) * _Multiple', '__bytes / _Stages'),
    runtime('a quotient that is rounded down', 'ceil_div',
            ' + (__a % __b != 0)'),
]
