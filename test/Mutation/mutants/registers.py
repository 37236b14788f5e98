# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Registers as nvcc says, and what is written into launch bounds.
from .mutant import Mutant


def chosen(file, what, old, new):
    return Mutant(f'registers by nvcc: {what}', file, old, new)


REGISTERS = [
    chosen('lib/Engine/KernelsOfLoops.cpp',
           'instantiations without the loop do not count',
           '  addOthers(Kernels);', '  ;'),
    chosen('tool/registers/Groups.cpp',
           'functions that were not inlined may spill',
           'if (L.Kernel.LoopIsCalled)', 'if (false)'),
    chosen('tool/registers/Groups.cpp', 'numbers of another kernel are told',
           'if (Other.Name == PlanFailsIn)', 'if (false)'),
]
