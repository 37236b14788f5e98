# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stages of an author's that kpipe takes over: what the proof asks is not asked.
from .mutant import Mutant


def proof(what, file, old, new):
    return Mutant(f'restaged: {what}', f'lib/Validation/Restaged/{file}.cpp',
                  old, new)


RESTAGED = [
    proof('any condition is that of the next turn', 'StagedTurns',
          'if (!isNextCondition(S, At))', 'if (false)'),
    proof('terms change sides without a sign', 'StagedTurns',
          'if (!Same && isSigned(Wanted) && isSigned(*Asked) &&', 'if (!Same &&'),
    proof('other names are not looked for', 'StagedTurns',
          'if (T.Local && !Fits && !T.is("Var"))', 'if (false)'),
    proof('an assignment at any place is early', 'StagedTurns',
          '!Past &&\n        (T.is("CompoundAssignOperator") ||', '(T.is("CompoundAssignOperator") ||'),
    proof('functions read no memory', 'TurnText',
          'return fail(T);\n  if (T.is("LambdaExpr")', ';\n  if (T.is("LambdaExpr")'),
    proof('inner variables hold nothing', 'TurnReads', 'Inner.insert(X.Local);', ';'),
    proof('objects are assigned without their addresses', 'TurnReads',
          'Operator && Operator->isAssignmentOp();', 'false;'),
    proof('members are no addresses', 'TurnReads',
          'Most == Has::Address || (E && E->getType()->isAnyPointerType())', 'Most == Has::Address'),
    proof('what copies name may change', 'StagedTurns',
          'if (Changed.count(Local) && Local != Counter &&', 'if (false &&'),
    proof('jumps leave the loop', 'StagedTurns',
          'return !Jump || fail(*Jump, msg::restage_jumps);', 'return true;'),
    proof('copies in the loop are any', 'MovedCopies',
          'return (!Other.Bad && Mine == Others) || fail(X);', 'return true;'),
    proof('the counter is the same in the first turn', 'FirstTile',
          'Moved.Other.CounterIs = T.Begin;', ''),
    proof('stores in front of the loop', 'FirstTile',
          'return M.Write || M.Atomic || M.Volatile;', 'return M.Atomic;'),
    proof('a barrier that goes shows nothing', 'FirstTile',
          'return between() && (!Barrier || showsNothing(T.Both.Author));',
          'return between();'),
    proof('a tile is there before the barrier', 'BufferRuns',
          'if (S.Is != Shown)', 'if (S.Is == Empty)'),
    proof('any tile will do', 'BufferRuns', 'if (S.Tile != Turn)', 'if (false)'),
    proof('waits cover what is not committed', 'BufferRuns',
          '(B.Is == Issued && E.What == BufferEvent::WaitAll)', 'B.Is == Issued'),
    proof('a wait is for every group', 'BufferRuns',
          'B.Group < Groups - E.Keep', 'true'),
    proof('what the last turn waits for others wait for', 'BufferRuns',
          '!E.IfLast', 'true'),
    proof('pointers are at one buffer', 'BufferIndex',
          '!Arrays[0] || First[0] == First[1]', '!Arrays[0]'),
]
