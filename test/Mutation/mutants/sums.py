# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sums that unrolling leaves as they are.
from .mutant import Mutant


def changed(file, what, old, new):
    return Mutant(f'sums that unrolling changes: {what}', f'lib/Metrics/{file}',
                  old, new)


SUMS = [
    changed('Sums.cpp', 'two products', 'if (Only)\n        return fails',
            'if (false)\n        return fails'),
    changed('Sums.cpp', 'products in variables', 'if (!P && Kept.mayBe(Part))',
            'if (false)'),
    changed('Sums.cpp', 'products less something',
            'if (S.Subtracts && writtenProduct(Parts[0]))', 'if (false)'),
    changed('Sums.cpp', 'products in branches', 'return S.At.Certain ||',
            'return true ||'),
    changed('Sums.cpp', 'known numbers',
            'if (Added.count(P.E) && (Known[0] || Known[1]))', 'if (false)'),
    changed('Sums.cpp', 'products of products', 'return !((Known[0] &&',
            'return !((false &&'),
    changed('Sums.cpp', 'the same product in several turns',
            '!readsOthersEachTurn(*Value)', 'false'),
    changed('Sums.cpp', 'the same product in two places',
            '!readOtherElements(All[I].second, All[J].second)', 'false'),
    changed('Sums.cpp', 'sums in the load', 'if (!Code.NotFollowed.empty())',
            'if (false)'),
    changed('KeptProducts.cpp', 'negative zeros',
            'return !isNonZeroLiteral(U->getSubExpr());', 'return false;'),
    changed('KeptProducts.cpp', 'products that are converted',
            'mayBe(C->getSubExpr());', 'false;'),
    changed('ProductReads.cpp', 'values that a branch keeps', '!G.At.Certain ||',
            ''),
    changed('ProductReads.cpp', 'indices that move',
            'if (!Known.unchanged(V))', 'if (false)'),
    changed('ElementTurns.cpp', 'digits that overlap',
            'if (D.Weight <= Smaller)', 'if (false)'),
    changed('ElementTurns.cpp', 'steps that make up for a difference',
            'Apart % Divisor != 0', 'Apart != 0'),
    changed('ElementTurns.cpp', 'values that are not followed',
            'if (!A.Complete || !B.Complete)', 'if (false)'),
    changed('FloatCode.cpp', 'names that stand for a variable',
            'return escapes(V->getInit());', 'return true;'),
    changed('FloatCode.cpp', 'divisions', 'return giveUp(B, {msg::floats_divided});',
            'break;'),
    changed('SeenCalls.cpp', 'arithmetic in functions',
            'return !Find.Found;', 'return true;'),
    changed('SeenCalls.cpp', 'arithmetic in assembly',
            'return !Fusible.match(A->getAsmString());', 'return true;'),
    Mutant('registers by nvcc: unrolling may cost a block of the plan',
           'lib/Planning/RegisterChoice.cpp',
           '*New.BlocksAfter >= *Old.BlocksAfter', 'true'),
    Mutant('registers by nvcc: unrolling may spill',
           'lib/Planning/RegisterChoice.cpp',
           'New.SpilledAfter > Old.SpilledAfter ||', ''),
    Mutant('registers by nvcc: how to unroll is asked for and not heeded',
           'tool/registers/Groups.cpp', 'if (Planned.Asked.Unroll)', 'if (false)'),
]
