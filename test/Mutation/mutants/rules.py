# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The rules and the analyses under them.
from .mutant import Mutant


def rule(name, check):
    """A rule that is never checked."""
    return Mutant(f'rule skipped: {name}', 'lib/Analysis/Legality.cpp',
                  f'{{"{name}", {check}}}', f'{{"{name}", nullptr}}')


def analysis(what, file, old, new):
    return Mutant(f'analysis: {what}', f'lib/Analysis/{file}.cpp', old, new)


def ring(what, old, new='if (false)'):
    return analysis(f'a ring although {what}', 'Rings', old, new)


RULES = [
    rule('control-flow', 'controlFlow'),
    rule('carried-scalar', 'hiddenWrites'),
    rule('carried-shared', 'carriedShared'),
    rule('shared-escape', 'sharedEscape'),
    rule('other-shared', 'otherShared'),
    rule('may-alias', 'mayAlias'),
    rule('load-effects', 'loadEffects'),
    rule('sync-order', 'syncOrder'),
    rule('foreign-async', 'foreignAsync'),
    rule('uniform-barrier', 'uniformBarrier'),
    analysis('rule skipped: invalid-code', 'Recognition',
             'if (Facts.Body.has(EventKind::Invalid))', 'if (false)'),
    analysis('rule skipped: missing-barrier', 'Recognition', 'if (!Guarded) {',
             'if (false) {'),
    analysis('two load phases are taken for one', 'Recognition',
             'if (S != First && (', 'if (false && ('),
    analysis('two loads of one array are taken for one', 'Recognition',
             'if (const VarDecl *V = commonWrite(Earlier, S))',
             'if (const VarDecl *V = nullptr)'),
    analysis('compute before the load', 'Recognition',
             'if (First > 1 || (First == 1 && !stretchIsScalar(0)))', 'if (false)'),
    analysis('a barrier inside the compute is dropped', 'Recognition',
             'if (B + 1 != Barriers.size() || KeepAll || !Guarded)', 'if (false)'),
    analysis('the last barrier is dropped although code follows it',
             'Recognition', 'bool KeepAll = !stretchIsScalar(Barriers.size()) ||',
             'bool KeepAll = false &&'),
    analysis('no barrier before an outer loop enters again', 'Recognition',
             '(!Kernel || Facts.InOuterLoop || Communicates)',
             '(!Kernel || Communicates)'),
    analysis('no barrier before code that shares memory', 'Recognition',
             '(!Kernel || Facts.InOuterLoop || Communicates)',
             '(!Kernel || Facts.InOuterLoop)'),
    analysis('no barrier before a device function returns', 'Recognition',
             '(!Kernel || Facts.InOuterLoop || Communicates)',
             '(Facts.InOuterLoop || Communicates)'),
    analysis('copies in flight before the loop', 'Recognition',
             'Facts.AsyncBefore = drains(E) ? nullptr : S;', ';'),
    ring('it is a parameter', 'if (isa<ParmVarDecl>(V))'),
    ring('dynamic shared memory has names that get no stage',
         'if (auto Why = findViews(Facts, B))',
         'if (auto Why = (findViews(Facts, B), std::optional<NoBlock>()))'),
    ring('another function declares it',
         'if (V->getDeclContext() != Facts.Tile.Function)'),
    ring('a macro declares it', 'if (V->getLocation().isMacroID())'),
    ring('a stage is not aligned', 'if (B.Bytes % B.Alignment != 0)'),
    ring('the compute stores it', '''(!A.Root.Var || A.Root.Var == V))
        no(B,''', '''false)
        no(B,'''),
    ring('an address is kept', 'if (auto Kept = carriedAddress(Facts, B))',
         'if (auto Kept = std::optional<CarriedAddress>())'),
    ring('the places vary', 'if (placeVaries(Place, Facts.Variant, *In))'),
    ring('it is used after the block of the loop',
         'else if (!Block || !within(D->getLocation(), Block))',
         'else if (false)'),
    analysis('control does not make a value vary', 'Variance',
             'Control += varies(E, Variant, In);', ';'),
    analysis('data does not make a value vary', 'Variance',
             'return Variant.count(V);\n                   });',
             'return false;\n                   });'),
    analysis('a jump decides nothing', 'Variance',
             'return Inside.Jumps ? Inside.Found : Conditions();',
             'return Conditions();'),
    analysis('a copy loop may change its index', 'CopyLoops',
             'changes(F->getBody(), L.Index)', 'false'),
    analysis('a changed start is as it was declared', 'CopyLoops',
             '|| !Known.unchanged(V))', ')'),
    ring('the guards vary', 'if (Varies(E, *In))'),
    ring('the guards of a helper\'s call vary', 'if (Varies(E, *Facts.In))'),
    ring('it is mentioned in a macro',
         '''quoted(D->getDecl()) + " is used in the loop's header");
      else if (SM.isMacroBodyExpansion(D->getLocation()))''',
         '''quoted(D->getDecl()) + " is used in the loop's header");
      else if (false)'''),
    ring('it is used before the loop', 'if (!After)'),
    ring('it is used after a loop that is entered again',
         'else if (Facts.InOuterLoop)', 'else if (false)'),
    Mutant('analysis: a ring although two loops fill it',
           'lib/Engine/Engine.cpp', 'keepSharedBuffersSingle(Loops);', ''),
    Mutant('analysis: one instantiation speaks for all',
           'lib/Engine/Engine.cpp', 'keepWhatAllKnow(L.Bodies);', ''),
    analysis('a thread may begin where the second part does', 'CopyLoops',
             'First->High >= Step', 'First->High > Step'),
    analysis('the last part of a copy loop is whole', 'CopyLoops',
             'Bound % Step ? ', 'false ? '),
    analysis('a fill that is not zero is a zero fill', 'Copies',
             'if (C->NotAsync.empty() && !isZero(FillValue, Context))',
             'if (false)'),
    analysis('a ternary fill that is not zero is a zero fill', 'Copies',
             'isZero(Cond->getFalseExpr(), Context)', 'true'),
    analysis('a conversion is a copy', 'Copies',
             '!Context.hasSameUnqualifiedType(SourceType, T)) {', 'false) {'),
    analysis('copies of any size are asynchronous', 'Copies',
             'if (C.Bytes != 4 && C.Bytes != 8 && C.Bytes != 16)', 'if (false)'),
    analysis('copies of any alignment are asynchronous', 'Copies',
             'Context.getTypeAlignInChars(T).getQuantity() < C.Bytes', 'false'),
    analysis('a store may follow an asynchronous copy', 'Copies',
             'if (C.NotAsync.empty() && Other.Buffer == C.Buffer &&',
             'if (false &&'),
    analysis('in-place changes are no stores', 'Copies',
             'if (Rest.writesShared())', 'if (false)'),
    analysis('a helper that returns early is taken apart', 'Copies',
             'if (returnsEarly(Definition->getBody()))', 'if (false)'),
]
