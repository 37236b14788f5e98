# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rows that the copy engine brings in place of threads, and their check.
from .mutant import Mutant, source


def rows(file, what, old, new):
    return Mutant(f'rows in bulk: {what}', f'lib/Tma/{file}', old, new)


def check(file, what, old, new):
    return Mutant(f'check of rows in bulk: {what}', source(file, 'lib/Validation'), old, new)


BULK_ROWS = [
    rows('Bulk.cpp', 'guards', 'if (!E.Guards.empty() || Copy.Guard || !Box.Around.empty())',
         'if (false)'),
    rows('Bulk.cpp', 'rows of 16 bytes',
         'if (Row % BulkPiece || Box.First % BulkPiece || Pitch % BulkPiece)', 'if (false)'),
    rows('Bulk.cpp', 'short rows', 'if (Row < ShortestCopy)', 'if (false)'),
    rows('Bulk.cpp', 'many rows', 'if (Count > MostCopies)\n', 'if (false)\n'),
    rows('Bulk.cpp', 'places that change', 'if (const VarDecl *Changed = changedIn(Box))',
         'if (const VarDecl *Changed = nullptr)'),
    rows('Bulk.cpp', 'rows that are unaligned', 'if (!knownAligned(Box) && !askAligned(Box))',
         'if (false)'),
    rows('Bulk.cpp', 'arrays that are not filled whole', 'if (Asks && Partly)', 'if (false)'),
    rows('Bulk.cpp', 'other uses', 'if (Message Not = otherUse(Facts, Box))',
         'if (Message Not = Message())'),
    rows('Bulk.cpp', 'indices that wrap', 'if (!Wraps.hold(Box, R))', 'if (false)'),
    rows('RowWraps.cpp', 'wraps within a row',
         'if (Most && !Aligned.ask(Of.Sum, llvm::NextPowerOf2(Most)))', 'if (false)'),
    rows('RowWraps.cpp', 'a part of an index that wraps',
         'if (!isWhole(Of, First) || Facts', 'if (Facts'),
    rows('RowText.cpp', 'products of 32 bits', 'Sum += Size + "LL * " + T.Names;',
         'Sum += Size + " * " + T.Names;'),
    rows('EngineText.cpp', 'threads that left', 'if (Loop.LeftBefore)', 'if (false)'),
    check('BulkRun.cpp', 'sources',
          'Row->From == Element.From && Row->Number + Before == Element.Number;', 'true;'),
    check('BulkRun.cpp', 'bytes of both', '|| *All != *Brought ||', '||'),
    check('BulkRun.cpp', 'alignment', '(Row.Number % 16 == 0 && Asked.isAsked(Row.From))', 'true'),
    check('BulkRun.cpp', 'pointers that are asked', '&& Asked.isAsked(Row.From)', ''),
    check('BulkRun.cpp', 'one thread that issues', 'Inits != 1 || Issues != 1', 'Inits != 1'),
    check('BulkRun.cpp', 'one thread that initialises', 'Inits != 1 || Issues != 1',
          'Issues != 1'),
    check('BulkRun.cpp', 'threads that differ', '|| (T && Here != Holds)', ''),
    check('BulkRun.cpp', 'uses of a tile on its way', 'if (!llvm::all_of(Code.Between, isQuiet))',
          'if (false)'),
    check('BulkRun.cpp', 'a condition that never holds', 'return Held != 0;', 'return true;'),
    check('RowRuns.cpp', 'arrays that are unaligned',
          'Context.getDeclAlign(To.Base).getQuantity() % PieceOfRow)', 'false)'),
    check('BulkCode.cpp', 'what threads copy', 'if (I == Old.size() || !same(*Old[I], *T))',
          'if (I == Old.size())'),
    check('BulkCode.cpp', 'the branch for what is unaligned',
          'if (Flag && !beside(Old, I, New, J))', 'if (Flag && beside(Old, I, New, J) && false)'),
    check('EngineFills.cpp', 'copies by the author', 'return Brought.all();', 'return true;'),
    Mutant('rows in bulk: arrays that are refilled in part',
           'lib/Recognition/Stages/FilledWhole.cpp', 'return End == int64_t(B.Bytes);', 'return true;'),
    Mutant('rows in bulk: parts that lie on one another',
           'lib/Recognition/Stages/FilledWhole.cpp', 'if (At != End)', 'if (false)'),
]
