# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Steps that are written elsewhere, and what the check believes of them; values
# that a call makes.
from .mutant import Mutant, source


def steps(what, old, new, file='CountedLoops'):
    return Mutant(f'steps: {what}', f'lib/Lowering/{file}.cpp', old, new)


def bounds(what, old, new):
    return Mutant(f'given bounds: {what}',
                  'lib/Recognition/Sums/SumsOfVariables.cpp', old, new)


def meaning(what, old, new):
    return Mutant(f'moved steps: {what}',
                  source('Trees/StepMeaning', 'lib/Validation'), old, new)


def names(what, old, new):
    return Mutant(f'names of counters: {what}',
                  source('Trees/CounterNames', 'lib/Validation'), old, new)


def own(what, old, new):
    return Mutant(f'own counters: {what}', 'lib/Lowering/OwnCounters.cpp', old,
                  new)


def meant(what, old, new):
    return Mutant(f'own counters, checked: {what}',
                  source('Trees/OwnCounter', 'lib/Validation'), old, new)


STEPS = [
    own('what is left is read', 'timesNamedApart(To.Function, V) ||', ''),
    own('of nested loops', 'return S ? loopsOf(S, V) - 1 : 0;', 'return 0;'),
    own('loops are entered', 'isEnteredElsewhere(To.Function, V) ||', ''),
    own('second names', '!hasOneName(V, To.Function) ||', ''),
    own('what is needed goes', ' &&\n      isLeftOver(To.Function, V))', ')'),
    meant('what is left is read', 'timesNamedApart(Function, Local) ||', ''),
    meant('of nested loops', 'return loopsOf(T, Local) - 1;', 'return 0;'),
    meant('loops are entered', 'isEnteredElsewhere(Function, Local)', 'false'),
    meant('second names', '!hasOnlyItsName(Function, Local) ||', ''),
    meant('what it begins with asks for it',
          ' ||\n      timesNamedIn(Set.kid(1), Set.kid(0).Local))', ')'),
    Mutant('references: values of a call are any memory',
           'lib/Validation/Storage/StorageResolver.cpp',
           'Found.empty() && (!C->isGLValue() || R.Values.empty());',
           'Found.empty();'),
    Mutant('parts of parts: of a specialised class',
           'lib/Emission/EveryInstance.cpp',
           '!specializedOtherwise(dyn_cast<CXXRecordDecl>(Part->getParent())) &&',
           ''),
    Mutant('parts of parts: none', 'lib/Emission/EveryInstance.cpp',
           'return partNamesItsClass(M, Member);', 'return false;'),
    Mutant('value barriers: they end no tile',
           'lib/Recognition/Body/BarrierStatements.cpp',
           ' || Kind == CallKind::ValueBarrier)', ')'),
    Mutant('value barriers: not in conditions',
           'lib/Recognition/Body/BarrierStatements.cpp',
           '(in(I->getInit()) || in(I->getCond()));', 'in(I->getInit());'),
    bounds('none is known', 'if (!P || !Cond || !testedIndex(L)',
           'if (true || !P || !Cond || !testedIndex(L)'),
    bounds('that change', '!In.argument(P) || !Known.unchanged(P))',
           '!In.argument(P))'),
    bounds('one more is none', '*End - !OrEqual - First->Low',
           '*End - 1 - First->Low'),
    bounds('ends that are passed by',
           'Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE', 'false'),
    steps('taken twice', 'drop(Source->statement(Of.Step));', ';'),
    steps('behind the last brace', 'Edits.insert({Last.End, 0, Text});',
          'Edits.insert({*End + 1, 0, Text});', 'SecondSteps'),
    steps('of a copy go', 'replace(Whole, Plain + Behind);',
          'replace(Whole, Plain);', 'SteppingStores'),
    steps('of what only computes', 'isEntered(Loop) || !fillsTile(Loop) ||',
          'isEntered(Loop) ||'),
    meaning('any condition', '!Same(Loop.kid(While ? 0 : 2), Lowered.kid(2)) ||',
            ''),
    meaning('any first value', 'V.Label.empty() && Same(V, Loop.kid(0).kid(0));',
            'V.Label.empty();'),
    meaning('any step', ' ||\n      !Same(*Step, Lowered.kid(3)))', ')'),
    meaning('others have an effect',
            'Quiet &= !hasOwnEffect(One.Origin) &&', 'Quiet &='),
    meaning('any others',
            'if (V.get() != &But && !Same(*V, Other.kid(J++)))\n      return false;',
            ''),
    meaning('a turn may go on, or end objects',
            '!endsQuietly(*Loop.Kids.back()))', 'false)'),
    meaning('a second step behind what it skips',
            'if (!endsQuietly(Loop.kid(4)))\n    return std::nullopt;', ''),
    names('second names', 'return !Kept && Named == Known;', 'return !Kept;'),
    names('captures', 'return !Kept && Named == Known;',
            'return Named == Known;'),
    names('static ones', '!V->hasLocalStorage() ||', ''),
    names('volatile ones', 'V->getType().isVolatileQualified() ||', ''),
    meaning('the counter is asked for', 'else if (timesNamedIn(*Part, Local))',
            'else if (false)'),
    meaning('in any order',
            'if (!Same(*Part, *New.back()))\n      return std::nullopt;',
            ''),
    meaning('behind any store', ' || !Same(*New, *Lowered.front()))', ')'),
    meaning('by any operator', "Old.Label != Now.Label + \" post\" ||", ''),
    meaning('named twice', 'timesNamedIn(Store, Local) != 1 || ', ''),
    meaning('second names of an index',
            '!hasOnlyItsName(Function, Local) ||\n        !Now.is', '!Now.is'),
    meaning('perhaps not taken',
            'if (!Always)\n      return nullptr;', ''),
]
