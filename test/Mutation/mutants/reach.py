# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Spellings of what is understood elsewhere: blocks that functions give out,
# breaks behind declarations, launches of macros, elements that are made quietly.
from .mutant import Mutant


def blocks(what, old, new='if (false)'):
    return Mutant(f'given out: {what}', 'lib/Recognition/Stages/Blocks.cpp', old,
                  new)


def breaks(what, old, new):
    return Mutant(f'declared breaks: {what}', 'lib/Lowering/EndingBreaks.cpp',
                  old, new)


def meaning(what, old, new):
    return Mutant(f'declared breaks, checked: {what}',
                  'lib/Validation/Trees/JumpMeaning.cpp', old, new)


def macros(what, old, new):
    return Mutant(f'launches of macros: {what}', 'lib/Kernel/MacroLaunches.cpp',
                  old, new)


def quiet(what, old, new):
    return Mutant(f'made quietly: {what}', 'lib/Code/QuietConstruction.cpp', old,
                  new)


def born(what, old, new):
    return Mutant(f'made quietly, checked: {what}',
                  'lib/Validation/Trees/QuietLives.cpp', old, new)


def parts(what, old, new):
    return Mutant(f'parts apart: {what}', 'lib/Recognition/Stages/PartsApart.cpp', old, new)


def apart(what, old, new):
    return Mutant(f'parts apart, checked: {what}',
                  'lib/Validation/Storage/ApartParts.cpp', old, new)


def spans(what, old, new):
    return Mutant(f'parts apart, checked: {what}',
                  'lib/Validation/Storage/Spans.cpp', old, new)


def read(what, old, new):
    return Mutant(f'elements read: {what}',
                  'lib/Recognition/Stages/ElementReads.cpp', old, new)


REACH = [
    parts('bytes may meet', 'X.From < Y.To && Y.From < X.To', 'false'),
    parts('a use that is not followed', 'if (!Uses.Known && ', 'if (false && '),
    parts('names that are made in the loop stay', 'Changed |= Moves && Tile.insert(V);', ''),
    parts('names of the tile are made of others',
          '(!Moves && Tile.count(V)))', 'false)'),
    parts('a pointer that is handed on',
          'classifyCall(C->getDirectCallee()) == CallKind::Atomic', 'true'),
    Mutant('parts apart: loops around other declarations count',
           'lib/Code/SharedReach.cpp',
           'return !F->getBody()->getSourceRange().fullyContains('
           'V->getSourceRange());', 'return false;'),
    Mutant('parts apart: stages lie in the block as it is',
           'lib/Planning/Budgets.cpp',
           'return B.KeepsContents || !B.Apart.empty();', 'return B.KeepsContents;'),
    Mutant('tables: an element is written', 'lib/Code/ConstantTables.cpp',
           'Other |= D->getDecl() == V;', ''),
    apart('bytes may meet', 'A.From < B.To &&\n            B.From < A.To)', 'false)'),
    apart('a pointer goes on', '(T->isPointerType() && Numbers.isSteady(V))', 'T->isPointerType()'),
    apart('names that are made in the loop', '(InLoop && !Same)', 'false'),
    apart('any call may have an address', "        lose(C);\n    }\n    return {};", "        ;\n    }\n    return {};"),
    spans('a table is written', '|| All != Reads)', ')'),
    spans('a bound is reached', '- (Op == BO_LT), First.Low);', '- 1, First.Low);'),
    spans('blocks are small', 'R->Axis == 2 ? 64 : 1024', '1'),
    read('references are not looked at', 'return Find.Reads;', 'return true;'),
    read('any reference', 'T.getNonReferenceType().isConstQualified() &&', 'true &&'),
    Mutant('elements read: any arms are a minimum',
           'lib/Recognition/Sums/Minima.cpp',
           'Same(All[0], All[2]) && Same(All[1], All[3]) &&', 'true &&'),
    Mutant('elements read, checked: references are not followed',
           'lib/Validation/BlockRuns/PartialReads.cpp',
           'V->getType()->isReferenceType() ||', 'false ||'),
    Mutant('types of instances: nested classes have no specialisation',
           'lib/Emission/EveryInstance.cpp',
           "!Same || Same->getTemplateSpecializationKind() ==\n                           TSK_ExplicitSpecialization)", 'false)'),
    Mutant('types of instances: any class is of the file',
           'lib/Emission/EveryInstance.cpp',
           'return D && D->getDeclContext()->isFileContext() &&', 'return D &&'),
    blocks('any call makes a name', 'if (Makers.contains(C) && In == Home)',
           'if (In == Home && givesOut(F, Block))'),
    blocks('what the function does besides',
           'if (S != Return &&\n'
           '        (!D || !D->isSingleDecl() || D->getSingleDecl() != Block))'),
    blocks('the bits of the address',
           ' || takesNumber(Return->getRetValue()))', ')'),
    Mutant('given out: contents are copied by any name',
           'lib/Recognition/Stages/Rings.cpp',
           'isa<ParmVarDecl>(B.Var) || B.GivenOut)', 'isa<ParmVarDecl>(B.Var))'),
    Mutant('given out: the last tile moves by any name',
           'lib/Planning/SharedMemoryPlan.cpp', ' && !Nameless\n', '\n'),
    Mutant('reductions: another loop of tiles', 'lib/Recognition/Loops/WrittenLoops.cpp',
           'if (X.Block && B.IsTileLoop &&', 'if (X.Block && false &&'),
    breaks('what is made has an effect',
           '!computesOnly(V->getInit())', 'false'),
    breaks('memory is read again', 'readsByAddress(Init) ||\n', '\n'),
    breaks('a conversion is left out',
           '!Source.context().hasSameUnqualifiedType(E->getType(), '
           'V->getType()))', 'false)'),
    breaks('any jump may be behind', 'return Jump && !isa<ContinueStmt>(Jump);',
           'return false;'),
    Mutant('declared breaks: a continue skips a barrier',
           'lib/Lowering/PlainJumps.cpp',
           'while (From != 0 && !hasBarrier(All[From - 1]))', 'while (From > 1)'),
    meaning('what is declared has an effect', 'return hasOwnEffect(One.Origin);',
            'return false;'),
    meaning('memory is the same twice', 'return One.is("ArraySubscriptExpr") ||',
            'return false; return One.is("ArraySubscriptExpr") ||'),
    macros('the bytes are a part of an argument',
           'return Before.ends_with(",") &&', 'return true; return Before.ends_with(",") &&'),
    macros('another kernel by the same text',
           '(Other.Kernel ? Other.Kernel : Other.Holder)->getLocation()) ==\n'
           '            Name)', 'SourceLocation()) == Name)'),
    macros('the bytes are used twice',
           'namedInDefinition(Place->getBegin(), Context) == 2', 'true'),
    Mutant('launches that are asked about: other bytes',
           'lib/Kernel/LaunchEdits.cpp',
           'return sameCount(L->Bytes, Q.MostBytes, Context);', 'return true;'),
    Mutant('launches that stay: two stages all the same',
           'lib/Engine/KernelsOfLoops.cpp', 'Kernel.Regrown.Not = Why;', ''),
    quiet('any call', 'classifyCall(F) == CallKind::Pure &&', 'true &&'),
    quiet('any statement', 'return setsOwn(S, Depth);', 'return true;'),
    quiet('any default', ': isQuietValue(P->getDefaultArg(), 0)))', ': true))'),
    born('any member of anything', 'if (!isOwnPart(B->getLHS()) ||', 'if (false ||'),
    born('any effect', 'isa<LambdaExpr, DeclStmt>(S) || hasOwnEffect(S)',
         'isa<LambdaExpr, DeclStmt>(S)'),
    Mutant('textures: fetches load nothing', 'lib/Code/EffectsOfCalls.cpp',
           'Texture.Root.Where = Space::Global;',
           'Texture.Root.Where = Space::Constant;'),
    Mutant('textures: whoever calls a function so', 'lib/Code/KnownFunctions.cpp',
           '                       }) &&\n         isToolkits(F);',
           '                       });'),
    Mutant('textures: sparse fetches are loads', 'lib/Code/KnownFunctions.cpp',
           'return P->getType()->isPointerType() ||\n'
           '                                P->getType()->isReferenceType();',
           'return false;'),
    Mutant('blocks: constructors know no names', 'lib/Recognition/Stages/Blocks.cpp',
           'for (const CXXCtorInitializer *I : Makes->inits())\n'
           '        TraverseStmt(I->getInit());', ';'),
    Mutant('blocks: objects end in silence', 'lib/Recognition/Stages/Blocks.cpp',
           'if (const CXXDestructorDecl *D = R->getDestructor())\n      enter(D);',
           ''),
    Mutant('blocks: default arguments know no names',
           'lib/Recognition/Stages/Blocks.cpp',
           'ShouldVisitImplicitCode = true;', ''),
    Mutant('elements: any assignment is the one', 'lib/Code/QuietConstruction.cpp',
           'return By && !By->getPointeeType().isConstQualified();',
           'return false;'),
    Mutant('elements: any assignment is the one, check',
           'lib/Validation/Lockstep/CopyMatcher.cpp',
           'if (!assignAlike(Here, O, Whole))', 'if (false)'),
    Mutant('launches: templates without an instance call nothing',
           'lib/Code/CallIndex.cpp',
           'if (Context.getDiagnostics().hasErrorOccurred())', 'if (false)'),
    Mutant('launches: every std function only reads',
           'lib/Kernel/BytesByBlock.cpp', '(C && !(F && onlyReads(F)))',
           '(C && !F)'),
    Mutant('launches: lost statements change nothing', 'lib/Code/Values.cpp',
           '|| hasLostStatements(F))', ')'),
    Mutant('partial tiles: of a block with other names',
           'lib/Recognition/Stages/PartialTiles.cpp',
           '!B.Block || (B.Var->getType()->isIncompleteArrayType() && !B.GivenOut);',
           'true;'),
]
