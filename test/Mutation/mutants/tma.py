# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tiles that the copy engine brings in place of threads, and their check.
from .mutant import Mutant, source


def tma(file, what, old, new):
    return Mutant(f'copies by TMA: {what}', f'lib/Tma/{file}', old, new)


def check(file, what, old, new):
    return Mutant(f'check of copies by TMA: {what}', source(file, 'lib/Validation'), old, new)


TMA = [
    tma('Tma.cpp', 'guards', 'if (!E.Guards.empty() || Copy.Guard || !Box.Around.empty())',
        'if (false)'),
    tma('Tma.cpp', 'copies of 16 bytes', 'if (Copy.Bytes != 16 ||', 'if (false &&'),
    tma('Tma.cpp', 'indices that wrap', 'if (!Boxes.offsets().Widened.empty())', 'if (false)'),
    tma('OtherWrites.cpp', 'stores in front',
        'if (storesGlobally(E) || !llvm::all_of(E.Events, isQuiet))', 'if (false)'),
    tma('TileSource.cpp', 'parameters that change',
        'return At.values().unchanged(V) ||', 'return true ||'),
    tma('TileSource.cpp', 'negative places', '           notNegative(Out.Column) &&', ''),
    tma('TileSource.cpp', 'aligned columns', 'Asked.numbers().empty()) ||', 'true) ||'),
    tma('TileSource.cpp', 'columns beyond an int', 'Fits.has(Of.Column, Columns)) ||', 'true) ||'),
    tma('FitsInt.cpp', 'sums of few bits', 'Found->second >= Factor &&', 'false &&'),
    tma('SwizzledArray.cpp', 'effects of subscripts',
        'return !Of.isPure() || !Of.Writes.empty();', 'return false;'),
    tma('LaunchMaps.cpp', 'names without parameters', 'if (F->isExternC())', 'if (false)'),
    tma('SwizzledArray.cpp', 'width of rows', 'if (Width != HalfLine && Width % LineBytes != 0)',
        'if (false)'),
    tma('SwizzledArray.cpp', 'columns within the row', 'if (!staysInRow(U))', 'if (false)'),
    tma('SwizzledArray.cpp', 'stores by the compute', '  if (U.Write)', '  if (false)'),
    tma('SwizzledArray.cpp', 'accesses within 16 bytes', 'U.Offset != 0 || !U.Bytes ||',
        '!U.Bytes ||'),
    tma('LaunchMaps.cpp', 'effects of arguments',
        'if (A->HasSideEffects(Context, /*IncludePossibleEffects=*/true))', 'if (false)'),
    check('TileRuns.cpp', 'bytes that are expected', 'Good &= Expected == Brought;', ''),
    check('TileRuns.cpp', 'places in front of a matrix', 'if (Column.Number < 0 || Row.Number < 0 ||',
          'if ('),
    check('TmaRun.cpp', 'sources', '|| !(Found->second == From)', ''),
    check('TmaRun.cpp', 'one thread that issues', 'Copies.Issues != (T == 0)', 'false'),
    check('TmaLaunches.cpp', 'a matrix in each launch', '!keep(Into.Bases, Other.Bases))', 'false)'),
    check('EngineComparison.cpp', 'the barrier behind the mbarrier', '    return isBarrier(T);',
          '    return true;'),
]
