# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Buffers that are used outside the loop as well: who copies what they hold, and
# other ways of an address into the loop; launches in what a macro is given.
from .mutant import Mutant, source


def kept(where, what, old, new='if (false)'):
    by = 'kept contents'
    if source(where).startswith('lib/Validation/'):
        by += ', validator'
    return Mutant(f'{by}: {what}', source(where), old, new)


CONTENTS = [
    kept('KeptContents', 'some threads do not copy',
         'if (!allThreadsCome(Facts))'),
    kept('WhoComes', 'who has left copies', 'if (Out.Found)', 'if (false)'),
    kept('WhoComes', 'who passes by copies',
         'if (S != Inside && Threads.divides(S))', 'if (false)'),
    kept('WhoComes', 'callers divide nobody',
         'F->hasAttr<CUDAGlobalAttr>() || allCallsCome(F, Depth)', 'true'),
    kept('KeptContents', 'closures outside mean the first stage',
         'return M.InClosure || (!B.Block && M.Fixed);', 'return false;'),
    kept('KeptContents', 'parts of 16 bytes',
         'if (!B.Block && B.Bytes % CopiedAtOnce != 0)'),
    kept('KeptContents', 'any count of turns', 'Turns && Turns < FewestTurns)',
         'false)'),
    kept('KeptContents', 'functions of kernels copy',
         'if (!Facts.Tile.Function->hasAttr<CUDAGlobalAttr>())'),
    kept('OutsideAddresses', 'calls keep nothing',
         'return touchesOnlyArguments(F);', 'return true;'),
    kept('OutsideAddresses', 'objects hold no address', '    else\n      lose(Where);',
         ''),
    kept('OutsideAddresses', 'memory holds no address',
         'isIntegerType()))\n      lose(B);', 'isIntegerType()))\n      ;'),
    kept('OutsideAddresses', 'shared pointers are local',
         'if (!V->hasLocalStorage())', 'if (false)'),
    kept('OutsideAddresses', 'the loop names no holder',
         'if (V && !First && (', 'if (false && ('),
    kept('OutsideAddresses', 'closures name nothing',
         'return All.Found;', 'return false;'),
    kept('Lockstep/ContentMoves', 'some threads do not copy',
         '!SameForAll(*M.Function).come(A) ||\n      ', ''),
    kept('Lockstep/ContentMoves', 'some threads do not move',
         'AllMove = SameForAll(*M.Function).come(A)', 'AllMove = true'),
    kept('Lockstep/ContentMoves', 'who has left copies',
         'come(A) ||\n      mayHaveLeft(L, M.Context.getSourceManager()))',
         'come(A))'),
    kept('Trees/EndedThreads', 'callees end nobody',
         'ends(Body->getBody(), Known))', 'false)'),
    kept('Code/ThreadEnds', 'callees end nobody',
         'TraverseStmt(Definition->getBody());', ';'),
    kept('Code/ThreadEnds', 'destructors end nobody',
         'R->hasNonTrivialDestructor());', 'false);'),
    kept('Code/InlineAssembly', 'no word ends a thread',
         'hasWord(Clean, "exit") || hasWord(Clean, "ret")', 'false'),
    kept('Lockstep/ContentMoves', 'any way into the loop',
         'if (B.KeepsContents && otherWayIn(*M.Function, A, B))'),
    kept('Lockstep/OutsideNames', 'calls keep nothing',
         '!onlyFollows(F) || ', ''),
    kept('Lockstep/OutsideNames', 'objects hold no address',
         '    else\n      blame(T);\n    return Part::None;',
         '    return Part::None;'),
    kept('Lockstep/OutsideNames', 'closures name nothing',
         'return isNamed(T) ? blame(T) : Part::None;', 'return Part::None;'),
    kept('Lockstep/OutsideNames', 'shared pointers are local',
         '!V->hasLocalStorage() ||', ''),
    kept('BlockRuns/StoredElements', 'other runs have their own stages',
         'if (Kept.contains(P.Base))\n      continue;', ''),
    kept('Emission/PipelineWriter', 'no contents in other stages',
         'spreadContents(Out);', ''),
    kept('Emission/PipelineWriter', 'the last tile stays where it is',
         'keepLastTile(Shape, Out);', ''),
    kept('Code/MacroPlaces', 'the text of a macro is edited',
         'if (!SM.isMacroArgExpansion(At))', 'if (false)'),
    kept('Kernel/MacroLaunches', 'bytes may mean something else there',
         '!isGivenWith(Kernel, L.Bytes->getBeginLoc(), SM)', 'false'),
    kept('Kernel/MacroLaunches', 'one text launches one kernel',
         'SM.getFileLoc(Other.Kernel->getLocation()) == Text', 'false'),
    kept('Kernel/LaunchEdits', 'what is used twice is edited twice',
         'Texts.insert(SM.getFileLoc(Name->getLocation())).second)',
         'true)'),
    kept('Emission/DynamicShared', 'bytes are edited as often as they are used',
         '''  Edits.erase(std::unique(Edits.begin(), Edits.end(),
                          [](const Edit &A, const Edit &B) {
                            return A.Offset == B.Offset;
                          }),
              Edits.end());
''', ''),
]
