# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ways to what has stages that are no names of variables: bindings, bits of an
# address, other blocks, sizes; and other files that read an edited header.
from .mutant import Mutant, source


def way(where, what, old, new='if (false)'):
    by = 'other ways'
    if source(where).startswith('lib/Validation/'):
        by += ', validator'
    return Mutant(f'{by}: {what}', source(where), old, new)


def reader(what, old, new):
    return Mutant(f'readers of headers: {what}', 'tool/rewrite/HeaderReaders.cpp',
                  old, new)


WAYS = [
    way('Recognition/Stages/Blocks', 'bindings are names of a part',
        'isa<DecompositionDecl>(P) || ', ''),
    way('Recognition/Stages/Blocks', 'numbers make names of a part',
        '!takesNumber(P->getInit()) ||', 'true ||'),
    way('Recognition/Stages/ViewsByNumber', 'an address twice is one address',
        '!mentions(R) && number(L);', 'number(L);'),
    way('Recognition/Stages/ViewsByNumber', 'any function returns an address',
        'return R && R->getRetValue() && number(R->getRetValue());', 'return R;'),
    way('Recognition/Stages/ViewsByNumber', 'a choice by the address',
        'return !mentions(O->getCond()) && ', 'return '),
    way('Recognition/Stages/ViewsAsAddresses', 'operands of all kinds are addresses',
        "if (!At || Text[At - 1] != '[')"),
    way('Recognition/Stages/ViewsAsAddresses', 'memory holds numbers',
        'return isSum(B) &&\n               keepIn(', 'return isSum(B) ||\n               keepIn('),
    way('Recognition/Stages/ViewsAsAddresses', 'numbers of all kinds are added',
        'return isSum(B);\n    }', 'return true;\n    }'),
    way('Recognition/Stages/Blocks', 'numbers are given other addresses',
        '(Known.unchanged(P) && isOnlyAddress(P, Facts.Tile.Function))',
        'isOnlyAddress(P, Facts.Tile.Function)'),
    way('Recognition/Stages/Rings', 'rows of matrices lie anywhere',
        'if (hasNumberView(B))'),
    way('Recognition/Stages/AddressFlowOfCalls', 'functions keep nothing in arrays',
        '} else if (E->getType()->isArrayType()) {\n', '} else if (false) {\n'),
    way('Recognition/Stages/AddressFlowOfCalls', 'functions give what they load',
        'D.Keeps = Inner.Away || !Inner.Outer.empty();', 'D.Keeps = true;'),
    way('Recognition/Stages/AddressFlowOfCalls', 'objects keep nothing',
        '  if (Object)\n    keep(Object);\n', ''),
    way('Recognition/Stages/AddressFlowOfCalls', 'closures store to nothing of others',
        '    hold(V, Any);\n  if (!D.Keeps)', '    (void)V;\n  if (!D.Keeps)'),
    way('Recognition/Stages/AddressFlow', 'a choice of two variables holds nothing',
        'return content(C->getTrueExpr()) | content(C->getFalseExpr());',
        'return Nothing;'),
    way('Lowering/SharedNumbers', 'nobody else asks for numbers',
        'namesOf(Other, Body->getBody()).empty() && isOnlyCopiedTo(Other);',
        'namesOf(Other, Body->getBody()).empty();'),
    way('Emission/Stages', 'names of the kernel are known in front of it',
        'if (Elsewhere && Elsewhere->Replaced)'),
    way('Storage/WordsOfAddresses', 'bits of an address are none',
        'return parts(B, In);\n  const Share L', 'return 0;\n  const Share L'),
    way('Storage/WordsOfAddresses', 'a reference to const is kept by whoever has it',
        ' && !usesIn(Body->getBody()).Handed.count(P);', ';'),
    way('Storage/WordsOfAddresses', 'operands of all kinds are addresses',
        'return standsInBrackets(A, A->getNumOutputs() + I);', 'return true;'),
    way('Order/UseChecks', 'numbers go anywhere',
        '(View && !WordsOfAddresses(B, Of.In, nullptr).areAddresses())', 'false'),
    way('OutsideAddresses', 'bindings hold addresses',
        'if (isa<DecompositionDecl>(V))'),
    way('OutsideAddresses', 'all stages have the same bits',
        'if ((Left != Is::Other || Right != Is::Other) && asksForBits(B))'),
    way('Recognition/Stages/Movable', 'nobody asks for the size',
        'if (B.NotDynamic.empty())\n      B.NotDynamic = Asked;', ''),
    way('Recognition/Stages/Rings', 'no block reaches into another',
        'Uses && reachesOtherBlocks(Facts.Tile.Function->getBody())', 'false'),
    way('Code/OtherBlocks', 'callees reach no other block',
        'TraverseStmt(Definition->getBody());', ';'),
    way('Lockstep/OutsideNames', 'all stages have the same bits',
        'if ((address(Left) || address(Right)) && takesApart(T))'),
    way('Order/UseChecks', 'bindings have stages',
        'if (auto Lost = checkBinding(D))\n      return Lost;', ''),
    way('Order/UseChecks', 'numbers make names of a part',
        'isMadeOfNumber(V->getInit());', 'false;'),
    way('Order/UseChecks', 'no block reaches into another',
        'const bool Other = reachesOtherBlock(Loop.Function);',
        'const bool Other = false;'),
    way('Order/UseChecks', 'nobody asks for the size',
        'Plan.dynamic() ? sharedSizeQuery(Loop.Function) : nullptr', 'nullptr'),
    reader('who has another loop there', '(!F.IsCompiled || ', '(true || '),
    reader('the first file edits', 'Wrong = compare(Other, New);', ';'),
    reader('a later file edits', 'Wrong = compare(New, Other);', ';'),
]
