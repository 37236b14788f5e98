# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A small break of one source file, and who is asked first if it notices.
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).parents[3]

Mutant = namedtuple('Mutant', 'name file old new')

# Suites that notice most mutants of a folder, the fastest first.
SUITES = {
    'lib/Emission/Schedule.cpp': ['unit', 'Planning', 'Kernels'],
    'lib/Emission/ScheduleValidator.cpp': ['unit'],
    'lib/Emission/DynamicShared.cpp': ['Planning', 'Kernels'],
    'lib/Emission/RingSchedule.cpp': ['unit', 'Kernels'],
    'lib/Emission/BarrierStages.cpp': ['Kernels', 'Emission'],
    'lib/Emission/Stages.cpp': ['Planning', 'Legality', 'Kernels'],
    'lib/Emission': ['Legality', 'Kernels', 'Execution'],
    'lib/Engine/KernelsOfLoops.cpp': ['Registers', 'Planning'],
    'lib/Kernel/LaunchBounds.cpp': ['Registers'],
    'tool/registers': ['Registers', 'unit'],
    'tool/rewrite/SeveralArchs.cpp': ['Driver'],
    'tool/nvcc': ['Registers', 'Verify'],
    'lib/Kernel/LaunchEdits.cpp': ['Planning', 'Registers', 'Kernels'],
    'lib/Kernel/UnreadSizes.cpp': ['Registers'],
    'lib/Recognition/Movable.cpp': ['Planning', 'Kernels'],
    'lib/Recognition/BulkLoops.cpp': ['Legality'],
    'lib/Recognition/BulkBarrier.cpp': ['Legality'],
    'lib/Recognition/BulkObstacles.cpp': ['Legality'],
    'lib/Recognition/BulkParity.cpp': ['Legality'],
    'lib/Recognition/MatrixFlight.cpp': ['Legality', 'Kernels'],
    'lib/Code/BulkOps.cpp': ['Legality'],
    'lib/Validation/OrderRuns.cpp': ['unit', 'Kernels'],
    'lib/Recognition/Blocks.cpp': ['Legality', 'Kernels'],
    'lib/Code/AsyncOps.cpp': ['Async'],
    'lib/Code/AsyncWrappers.cpp': ['Async'],
    'lib/Code/Conversions.cpp': ['Async'],
    'lib/Code/InFlight.cpp': ['Async', 'Legality'],
    'lib/Lowering/ConstantBranches.cpp': ['Legality', 'Kernels'],
    'lib/Lowering': ['Async', 'Legality', 'Kernels'],
    'lib/Metrics/ElementTurns.cpp': ['unit', 'Planning'],
    'lib/Code': ['Legality', 'Planning', 'Adversary', 'Kernels'],
    'lib/Recognition': ['Legality', 'Planning', 'Adversary', 'Kernels'],
    'lib/Legality': ['Legality', 'Adversary'],
    'lib/Kernel': ['Planning', 'Legality', 'Kernels'],
    'lib/Metrics': ['Planning', 'Legality', 'Kernels'],
    'lib/Planning': ['unit', 'Planning', 'Legality', 'Kernels'],
    'lib/Engine': ['Planning', 'Legality', 'Kernels'],
    'lib/HandStaged': ['HandStaged'],
    'lib/Validation': ['unit', 'Validation', 'Adversary', 'Legality'],
    'lib/Verify': ['unit', 'Verify'],
    'lib/Target': ['unit', 'Planning'],
    'runtime': ['Runtime', 'Kernels'],
    'tool/tune': ['unit', 'Tune'],
}


def source(name):
    """The one file of lib/ with that name, `Rings` or `Emission/Skeleton`."""
    found = list(ROOT.glob(f'lib/**/{name}.cpp'))
    assert len(found) == 1, f'{name}: {len(found)} files'
    return str(found[0].relative_to(ROOT))


def drop(name, file, text):
    return Mutant(name, file, text, '')


def analysis(what, file, old, new):
    return Mutant(f'analysis: {what}', source(file), old, new)
