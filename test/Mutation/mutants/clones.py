# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Parameters that clones of helpers do without, and helpers that go.
from .mutant import analysis

CLONES = [
    analysis('an argument is given whose type nobody else knows',
             'Emission/UnusedParameters',
             '(Deduces && P->getType()->isDependentType()) ||', ''),
    analysis('a macro names no parameter', 'Emission/UnusedParameters',
             'Hidden.Names.contains(P->getName()) ||', ''),
    analysis('no other type names a parameter', 'Emission/UnusedParameters',
             'identifiersOf(Others, Language).contains(P->getName()))',
             'false)'),
    analysis('a list with comments is taken apart', 'Emission/ArgumentLists',
             '!All.contains("/*") &&', ''),
    analysis('a helper that others name goes', 'Emission/UncalledHelpers',
             '!mentions(New, W->getName(), Language) &&', ''),
    analysis('a string names nobody', 'Emission/UncalledHelpers',
             ': wordsOf(Spelled).contains(Name))', ': false)'),
    analysis('the text of a macro calls nobody', 'Emission/UncalledHelpers',
             ' || calledByMacro(W) ||', ' ||'),
    analysis('a helper with a C name goes', 'Emission/UncalledHelpers',
             ' || W->isExternC() ||', ' ||'),
    analysis('a declaration stays alone', 'Emission/UncalledHelpers',
             'W->getPreviousDecl() || W->getMostRecentDecl() != W ||', ''),
    analysis('other units declare no device function',
             'Emission/UncalledHelpers',
             '(DeviceOnly &&\n'
             '          !W->getASTContext().getLangOpts().GPURelocatableDeviceCode)',
             'DeviceOnly'),
    analysis('skipped text pastes no name', 'Emission/UncalledHelpers',
             '!mayPaste(New, W->getName(), Language))', 'true)'),
    analysis('a helper of one pass is cloned', 'Kernel/UnreadHelpers',
             'Own == File && At < Loop && !endsBefore(File, At, Loop)', 'true'),
    analysis('a group that ends does not end', 'Kernel/UnreadHelpers',
             'return Ends;', 'return false;'),
]
