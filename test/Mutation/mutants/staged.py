# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops that are staged by hand: anything is taken for a stage, or for a mistake.
from .mutant import Mutant


def told(what, old, new):
    return Mutant(f'stages by hand: {what}', 'lib/HandStaged/HandStaged.cpp', old,
                  new)


def mistake(what, old, new):
    return Mutant(f'stages by hand: {what}',
                  'lib/HandStaged/StagingMistakes.cpp', old, new)


def traced(what, old, new, file='StageMentions'):
    return Mutant(f'stages by hand: {what}', f'lib/HandStaged/{file}.cpp', old,
                  new)


STAGED = [
    told('places that are not known', 'if (!E.Base || E.Maybe)\n        return false;',
         'if (!E.Base || E.Maybe)\n        continue;'),
    told('values from shared memory', '(!E.FromGlobal || E.FromShared)',
         '!E.FromGlobal'),
    told('no tile is loaded ahead', 'if (!Least || !*Least ||', 'if (!Least ||'),
    told('nothing is read meanwhile', 'size_t I = Load; I != End; ++I',
         'size_t I = Load; I != T.Events.size(); ++I'),
    told('one buffer is overwritten early',
         '(Found.Buffers == 1 && !Barrier)', 'false'),
    told('a group is one earlier', 'Commits > Group + E.Keep',
         'Commits + 1 > Group + E.Keep'),
    told('all stages are the first one', 'Found.Buffers == 1 ? 1 : *Least + 1',
         'Found.Buffers == 1 ? 1 : *Least'),
    mistake('the last tile is in the right buffer for some number',
            'Left.size() > 1 && !Known.Found', 'false'),
    mistake('conditions say nothing of the number of tiles',
            'Left.size() > 1 && !Known.Found', 'Left.size() > 1'),
    mistake('a buffer of several tiles is one of one',
            'S.Buffers < 2 || readsAtDistance(S.Buffers)', 'S.Buffers < 2'),
    mistake('a load that is computed with is of a tile',
            '!isComputedWith(E.At, Of.Loop)', 'true'),
    mistake('no turn reads what it loads', 'if (readsAtDistance(0))',
            'if (false)'),
    mistake('what overwrites a buffer reads it',
            'return E.Kind == TraceKind::Read && !E.Maybe ? &E : nullptr;',
            'return &E;'),
    mistake('a load that stays is one more', 'if (Loads.size() < 3)\n      return false;',
            'if (Loads.size() < 3)\n      return false;\n    return true;'),
    mistake('zeros are loaded', 'E.Maybe || E.Guarded', 'E.Maybe'),
    mistake('tiles behind the loop are none', 'if (readsBehind(T) || !loadsBefore(T))',
            'if (!loadsBefore(T))'),
    mistake('every group is waited for', 'Commits > E.Keep ? Commits - E.Keep : 0',
            'Commits'),
    mistake('all turns may lack a commit', 'W.Holes.empty() || !W.Holes.front().Wait->Keep',
            'false'),
    traced('conditional values are all read',
           'if (Test.isNumber())\n    return touch(Test.Number', 'if (false)\n    return touch(Test.Number'),
    traced('the host gives one tile', 'RunValue::of(Host, true), T)',
           'RunValue::of(16, true), T)', 'StageTracer'),
]
