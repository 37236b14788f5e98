# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One text with a form for each architecture.
from .mutant import Mutant


def guard(what, old, new='if (false)'):
    return Mutant(f'per arch: {what}', 'tool/rewrite/ArchGuards.cpp', old, new)


ARCHS = [
    guard('newer ones take an older one\'s form',
          'if (!Above)\n      One +=', 'if (false)\n      One +='),
    guard('host code may differ',
          'if (R.Begin < Host.End && Host.Begin < std::max(R.End, R.Begin + 1) &&\n'
          '          !(R.Begin == R.End && R.Begin == Host.Begin))'),
    guard('a condition stands anywhere', 'if (L < V->Free.size() && !V->Free[L])'),
    guard('half a loop', 'if (R.Begin != Before.Begin || R.End != Before.End)'),
    guard('functions that belong together are apart',
          'if (!mentions(Text, Known.Device[G].Name) || Group[F] == Group[G])',
          'if (true)'),
]
