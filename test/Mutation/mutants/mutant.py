# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A small break of one source file, and who is asked first if it notices.
from collections import namedtuple

Mutant = namedtuple('Mutant', 'name file old new')

# Suites that notice most mutants of a folder, the fastest first.
SUITES = {
    'lib/Emission/Schedule.cpp': ['unit', 'Planning', 'Kernels'],
    'lib/Emission/ScheduleValidator.cpp': ['unit'],
    'lib/Emission/DynamicShared.cpp': ['Planning', 'Kernels'],
    'lib/Emission/Stages.cpp': ['Planning', 'Legality', 'Kernels'],
    'lib/Emission': ['Legality', 'Kernels', 'Execution'],
    'lib/Analysis/Relaunch.cpp': ['Planning', 'Kernels'],
    'lib/Analysis/Movable.cpp': ['Planning', 'Kernels'],
    'lib/Analysis/Blocks.cpp': ['Legality', 'Kernels'],
    'lib/Analysis': ['Legality', 'Planning', 'Kernels'],
    'lib/Planning': ['unit', 'Planning', 'Legality', 'Kernels'],
    'lib/Engine': ['Planning', 'Legality', 'Kernels'],
    'lib/Validation': ['unit', 'Validation'],
    'lib/Target': ['unit', 'Planning'],
    'runtime': ['Runtime', 'Kernels'],
}


def drop(name, file, text):
    return Mutant(name, file, text, '')
