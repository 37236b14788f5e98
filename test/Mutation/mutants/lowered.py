# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The check of lowered copies: it believes too much of a place, of a condition,
# of what went.
from .mutant import Mutant


def lowered(file, what, old, new):
    return Mutant(f'lowered copies: {what}', f'lib/Validation/{file}.cpp', old,
                  new)


LOWERED = [
    lowered('PlainCopies', 'any place', 'return At == Want;', 'return true;'),
    lowered('PlainCopies', 'any condition in front',
            'if (!(Only == Copy.Only))', 'if (false)'),
    lowered('PlainCopies', 'any condition of zeros',
            'if (!(Kept == *Copy.Kept) || !isZero(From->kid(2), F))',
            'if (!isZero(From->kid(2), F))'),
    lowered('PlainCopies', 'anything for zeros',
            'if (!(Kept == *Copy.Kept) || !isZero(From->kid(2), F))',
            'if (!(Kept == *Copy.Kept))'),
    lowered('PlainCopies', 'any alignment',
            'Copy.Alignment && Copy.Alignment < 16', 'Copy.Alignment && false'),
    lowered('PlainCopies', 'words begin anywhere',
            'constantOf(*H->First, F) != 0 ||', ''),
    lowered('PlainCopies', 'any group',
            'spelled(groupIn(Of->kid(0)), F) == Copy.Group', 'true'),
    lowered('Addresses', 'bytes are elements',
            'sizeOf(exprOf(T)->getType(), F.Context)', '1'),
    lowered('Addresses', 'a value from elsewhere is the same here',
            'return Found == Changes.end() ||', 'return true ||'),
    lowered('Addresses', 'what loops change', 'return L.has(At) &&',
            'return false &&'),
    lowered('KeptBytes', 'zeros are bytes that stay',
            'if (OfZeros ? AllThen : AllElse)', 'if (false)'),
    lowered('KeptBytes', 'a part of the bytes',
            'return *Known == (OfZeros ? 0 : All);', 'return true;'),
    lowered('AsyncMeaning', 'arguments do nothing',
            'Read.Effects += F.Caller ? 0 : effectsIn(*A);',
            'Read.Effects += 0 * effectsIn(*A);'),
    lowered('LoweredCode', 'effects are not counted', 'if (!Async.Effects)',
            'if (true)'),
    lowered('LoweredCode', 'names are not paired',
            'return There->second == Old && Here->second == New;',
            'return There->second == Old || Here->second != 0;'),
    lowered('LoweredCode', 'barriers may go', 'return Fits(J) && ++J;',
            'J += Fits(J); return true;'),
    lowered('LoweredCode', 'what is behind the list',
            'if (J == New.size())\n      return true;', 'return true;'),
    lowered('LoweredCode', 'a number is any pointer',
            'addressIn(Old.kid(0), A) != addressIn(New.kid(0), L) ||', ''),
    lowered('MissedWaits', 'nothing stays in flight',
            'Now.Issued : Now.Committed).insert', 'Now.Issued : Now.Committed).erase'),
    lowered('MissedWaits', 'a branch always waits', 'After.join(Now);\n      // A case',
            'After = Now;\n      // A case'),
    lowered('MissedWaits', 'breaks bring nothing', 'AtBreak.join(Now);\n    } else',
            '} else'),
    lowered('CopyInstructions', 'predicates are not looked at', 'I.Only = Asked;',
            ';'),
]
