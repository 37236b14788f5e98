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
    chosen('tool/registers/GroupReports.cpp',
           'numbers of another kernel are told',
           'return Rank(X) < Rank(Y);', 'return Rank(Y) < Rank(X);'),
    chosen('lib/Kernel/LaunchEdits.cpp', 'threads that a caller in the unit gives',
           'Own = L->certainThreads();', 'Own = L->threads();'),
    chosen('lib/Kernel/LaunchEdits.cpp', 'one instantiation stands for all',
           'if (launchedFromAfar(F))', 'if (false)'),
    chosen('lib/Kernel/UnreadText.cpp', 'other configurations launch nothing',
           'if (InSkipped.contains(Kernel->getName()))', 'if (false)'),
    chosen('lib/Kernel/UnreadSizes.cpp', 'a size that the host reads otherwise',
           'if (Walker.Differs)', 'if (false)'),
    chosen('lib/Kernel/UnreadSizes.cpp', 'a macro of a macro that varies',
           'W.InMacro && Varies.insert(W.Macro).second', 'false'),
    chosen('lib/Kernel/Launches.cpp', 'what a reference means stays',
           'V->getType()->isReferenceType() ||', ''),
    chosen('lib/Code/Values.cpp', 'any class is a size',
           'if (!isDim3(C->getType()))', 'if (false)'),
    chosen('lib/Code/Values.cpp', 'a weak function is the one that is linked',
           ' || F->isWeak())', ')'),
    chosen('lib/Code/Values.cpp', 'volatile constants',
           'if (V->getType().isVolatileQualified() || V->isWeak())', 'if (false)'),
    chosen('lib/Kernel/LaunchBounds.cpp', 'bounds beside a block size',
           'if (W.Text == "__block_size__")', 'if (false)'),
    chosen('lib/Kernel/LaunchBounds.cpp', 'bounds beside what a macro holds',
           'if (hasMacroOfUser())', 'if (false)'),
    chosen('tool/registers/Cache.cpp', 'damaged entries are believed',
           'if (Hash != hashOf((Key + "\\n" + Text).str()))', 'if (false)'),
    chosen('tool/registers/Cache.cpp', 'files that only nvcc reads never change',
           'if (Was.getAsString() != hashOfFile(Name.str()))', 'if (false)'),
    chosen('tool/registers/Cache.cpp', 'an empty home is the working directory',
           'path::is_absolute(Found)) {', 'true) {'),
]
