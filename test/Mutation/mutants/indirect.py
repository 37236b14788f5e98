# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Launches whose bytes are said elsewhere, functions in both arms of a
# condition, and small rows of a flat array.
from .mutant import Mutant


def configs(what, old, new):
    return Mutant(f'configured launches: {what}', 'lib/Kernel/LaunchConfigs.cpp',
                  old, new)


def handed(what, old, new):
    return Mutant(f'handed launches: {what}', 'lib/Kernel/HandedLaunches.cpp',
                  old, new)


def checked(what, old, new):
    return Mutant(f'indirect launches, checked: {what}',
                  'lib/Validation/Launches/IndirectLaunches.cpp', old, new)


def either(what, old, new):
    return Mutant(f'stored by either call: {what}',
                  'lib/Recognition/TileCopies/StoredByEitherCall.cpp', old, new)


def rows(what, old, new):
    return Mutant(f'small rows: {what}', 'lib/Recognition/Sums/RowsOfPlaces.cpp',
                  old, new)


INDIRECT = [
    configs('other uses', 'Uses.Known.size() != Uses.Names.size() ||', 'false ||'),
    configs('several kernels', '!llvm::all_equal(Uses.Launched) ||', 'false ||'),
    configs('set twice', 'P.Assigned == 1 && P.Named == 1;', 'true;'),
    configs('copies of others',
            '!(Made && Made->getNumArgs() == 0))\n      return std::nullopt;',
            '!Made)\n      return std::nullopt;'),
    configs('cooperative ones', 'Found.Cooperative = Uses.NamesCooperative;', ''),
    configs('any attributes',
            'if (!Given || !attributesAreKnown(Given, Host, Context))',
            'if (!Given)'),
    configs('hidden text',
            '        !Known.contains(T.getLocation()))\n      return false;',
            '        false)\n      return false;'),
    configs('values that go on', 'Statements.count(Whole) && !Operator', '!Operator'),
    configs('bytes in macros', ' && !Operator.isMacroID())', ')'),
    configs('any class', ' || !isToolkits(R))', ')'),
    configs('names by directives', 'if (Found.OpensNames)', 'if (false)'),
    handed('overloads and types', 'hangsOnTypeOfBytes(F, Bytes->', 'false && hangsOnTypeOfBytes(F, Bytes->'),
    checked('values that go on', 'if (!isa_and_nonnull<CompoundStmt>(Whole) ||',
            'if (false ||'),
    checked('overloads and types', 'isOnlyOfName(F, J) &&', ''),
    checked('any class', 'if (!R || !SM.isInSystemHeader(R->getLocation()))',
            'if (!R)'),
    handed('other uses of the bytes',
           '!isOnly(Bytes, Seen, Counts))', 'false)'),
    handed('other uses of the kernel',
           'Seen.Found.empty() || !isOnly(Kernel, Seen, Seen.Known))',
           'Seen.Found.empty())'),
    handed('limits of their own',
           'else if (!ruleIsSwitchedOff("launches"))\n        return std::nullopt;',
           'else if (false)\n        return std::nullopt;'),
    handed('virtual functions', 'M && M->isVirtual())', 'false)'),
    handed('several counts', 'if (!B || (Bytes && Bytes != B->getDecl()))',
           'if (!B)'),
    Mutant('configured launches: opting in anywhere',
           'lib/Kernel/ConfiguredApart.cpp', '!Once ||', 'false ||'),
    checked('counts that stay',
            '          !isAsked(Set->getRHS(), Bytes))\n        return false;',
            '          false)\n        return false;'),
    checked('other kernels',
            'return Holder == Kernel || (D && sameKernel(D->getDecl(), Kernel));',
            'return true;'),
    checked('text of other passes',
            'Any && spellsNowhereElse(Host, V, Names, Context);', 'Any;'),
    checked('other uses of the bytes',
            '           llvm::all_of(Counts, onlyAsks) &&', '          '),
    checked('other uses of the kernel',
            'return llvm::all_of(Kernels, onlyLaunches) && Launched &&',
            'return Launched &&'),
    either('other arguments',
           'staysSame(Other) && sameButFor(Map, From, OthersFrom, In.context());',
           'staysSame(Other);'),
    either('parameters that change',
           'staysSame(Mine) &&\n        staysSame(Other) && same', 'same'),
    either('other counts of turns',
           '!sameButFor(Map, With.Bound, L.Bound, Context) ||', 'false ||'),
    either('under any condition',
           'return calls(I->getThen()) && calls(I->getElse());',
           'return calls(I->getThen()) || calls(I->getElse());'),
    either('on one way of the function',
           'return stores(I->getThen(), Map, Depth) &&',
           'return stores(I->getThen(), Map, Depth) ||'),
    rows('rows that reach into the next', '|| Low < 0 || High >= Length)',
         '|| Low < 0)'),
    rows('terms of other lengths', 'if (Factor % Length)', 'if (false)'),
]
