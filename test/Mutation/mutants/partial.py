# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tiles that are stored in part: what their conditions say, whether the reads
# ask for as much, and the run of threads that looks at the bytes.
from .mutant import Mutant, source


def partial(what, old, new):
    return Mutant(f'partial tiles: {what}', source('PartialTiles'), old, new)


def bounds(what, old, new):
    return Mutant(f'bounds of stores: {what}', source('StoreBounds'), old, new)


def sums(what, old, new):
    return Mutant(f'sums of a tile: {what}', source('SteadyVariables'), old, new)


def minima(what, old, new):
    return Mutant(f'minima: {what}', source('Minima'), old, new)


def loads(what, old, new, within='ThreadDependence'):
    return Mutant(f'loads that are the same for all: {what}',
                  source(within), old, new)


def path(what, old, new):
    return Mutant(f'conditions around: {what}', source('PathConditions'), old, new)


PARTIAL = [
    partial('a bound may be of each thread', '!Sums.isUniform(Most.Of)', 'false'),
    partial('a base may be of each thread',
            '!Sums.isUniform(Base))', 'false)'),
    partial('<= is < of one more for unsigned numbers', 'if ((C.OrEqual && !Exact) ||',
            'if ('),
    partial('one read that is bounded is enough',
            'if (!llvm::all_of(Here', 'if (!llvm::any_of(Here'),
    partial('one bound is enough', 'return llvm::all_of(Bounds,',
            'return llvm::any_of(Bounds,'),
    bounds('one element beyond', 'Apart.Constant + C.OrEqual > 0',
            'Apart.Constant + C.OrEqual > 1'),
    bounds('<= is <', 'Apart.Constant + C.OrEqual > 0', 'Apart.Constant > 0'),
    bounds('a base may be negative', 'return Sums.isNeverNegative(Want.Base) ||',
           'return true ||'),
    bounds('the loop need not be below', 'loopIsBelow(Want))))', 'true)))'),
    bounds('an unsigned bound is an int', 'Want.BoundType->isSignedIntegerType() &&',
           'true &&'),
    bounds('a loop that begins anywhere begins with the block',
           'isOfBlockAlone(cast<VarDecl>(First->getSingleDecl())->getInit(),\n                        Known) &&',
           'true &&'),
    bounds('other numbers are the same question',
           'isSame(Sums.of(C.Less, Loops).Of, Place) &&', 'true &&'),
    Mutant('rows of places: threads of any number', source('RowsOfPlaces'),
           'if (*Most >= Length)', 'if (false)'),
    Mutant('places in a row: part of a vector is enough', source('PartialTiles'),
           'Sum::constant(Read.Width - 1)', 'Sum::constant(0)'),
    Mutant('places in a row: a pointer that moves is a name', source('FlatPlaces'),
           'Known.unchanged(V) &&', 'true &&'),
    Mutant('shifted loops: as many turns in each tile', source('ShiftedLoops'),
           'Sums.varies(add(End.Of, Begin.Of, -1), Variant)', 'false'),
    Mutant('sums of a tile: 64 bits hold everything', source('SteadySums'),
           'bitsOf(B, Around) < 63', 'true'),
    Mutant('spans of copy loops: what is not shared is 0', source('CopySpans'),
           '!Sums.isNeverNegative(Own) ||', ''),
    Mutant('result: a copy loop ends in time', 'lib/Validation/Lockstep/CountedSpans.cpp',
           'int64_t(L.Trips) * Step;', 'int64_t(L.Trips) * Step || true;'),
    partial('copies may begin elsewhere in each tile',
            'if (First && !varies(First, Others, *Facts.In))', 'if (First)'),
    partial('copies may store other places in each tile',
            'return !placeVaries(C.Dst, Others, *Facts.In) ||', 'return true ||'),
    Mutant('sums of a tile: the arms of a choice may be further apart',
           source('Minima'),
           'if (!Apart.Known || !Apart.Terms.empty() || Apart.Constant)',
           'if (!Apart.Known || !Apart.Terms.empty())'),
    Mutant('sums of a tile: a choice may be of the greater number',
           source('Minima'),
           'comparisonOf({C.Cond, true, 0})',
           'comparisonOf({C.Cond, false, 0})'),
    minima('a product is the minimum itself', 'Of->Times *= Factor;', ';'),
    minima('of 64 bits whatever is left', 'Apart.Terms.empty() && Apart.Constant >= 0;',
           'true;'),
    minima('less than a number cut short, whatever that is',
           'return Wide && isLeft(Wide, Around) ? Wide', 'return Wide ? Wide'),
    minima('as short as one likes', '|| Context.getIntWidth(To) < 32)', ')'),
    minima('a cast loses nothing', 'Wide && narrowed(Lesser{Wide, C.Else}, Around))',
           'Wide)'),
    bounds('what is negative is less than 0', 'S.Terms.empty() && S.Constant < 0;',
            'S.Terms.empty();'),
    bounds('a negative sum is 0 at most', 'Rest.Constant -= Times;', ';'),
    bounds('sums may be taken away', 'return Times > 0 && isNegative(Rest,',
            'return isNegative(Rest,'),
    bounds('what is no more is less', 'Sum::constant(-int64_t(C.OrEqual))));',
            'Sum::constant(0)));'),
    loads('by __ldg, whoever asks', 'LoadsCount && C->getDirectCallee() &&',
          'C->getDirectCallee() &&', 'ThreadDependentValues'),
    loads('in loops that threads leave apart', '(Under && Leaves) ||',
          'false ||'),
    loads('in loops whose turns threads skip', '!Loops && (isa_and_nonnull<ContinueStmt>(S) ||',
          '!Loops && (false ||'),
    loads('in switches that threads leave apart',
          '(!Switches && isa_and_nonnull<BreakStmt>(S)))', 'false)'),
    path('no case leads into a loop', 'Switch && Next == Switch->getBody()', 'false'),
    sums('any name is the size of a block', 'Known.unchanged(Name) &&', 'true &&'),
    loads('by a pointer that moves', '!Uses.Changes.count(P) &&\n', '\n'),
    loads('that others may change',
          '!T->getPointeeType().isVolatileQualified() &&', 'true &&'),
    loads('by any pointer', 'Common.count(V) &&', 'true &&', 'ThreadDependentValues'),
    loads('of any function', 'LoadsCount(Loads && F->hasAttr<CUDAGlobalAttr>())',
          'LoadsCount(Loads)'),
    Mutant('registers of members: another specialisation has the same type',
           'lib/Emission/EveryInstance.cpp',
           '!specializedOtherwise(\n             dyn_cast<CXXRecordDecl>(Says->getDeclContext())) &&',
           'true &&'),
    Mutant('registers of members: other overloads give the same type',
           'lib/Emission/EveryInstance.cpp', 'isOnlyOne(Says) && namesItsClass(Object, Says) &&',
           'namesItsClass(Object, Says) &&'),
    Mutant('registers of members: a class may be specialised',
           'lib/Emission/GivenToClass.cpp', 'specializedOtherwise(Class) ||', ''),
    Mutant('registers of members: other overloads are of the same parameter',
           'lib/Emission/GivenToClass.cpp',
           ' ||\n      !isOnlyOne(cast<DeclaratorDecl>(R.Member)))', ')'),
    Mutant('registers of members: a pack is one argument',
           'lib/Emission/GivenToClass.cpp', 'isOfPack(Given, Context) ||', ''),
    Mutant('registers of members: any template is the class',
           'lib/Emission/GivenToClass.cpp', 'Name.getAsSubstTemplateTemplateParm() ||', ''),
    Mutant('growth: several kernels run a function',
           'lib/Kernel/SeenLaunches.cpp', 'return Of.areOneKernel() &&', 'return'),
    Mutant('growth: what is left out may run a function',
           'lib/Kernel/SeenLaunches.cpp',
           'Index.NamedInSkipped.count(Written->getCanonicalDecl()) ||\n                  namedUnread(Written, Index, SM);',
           'false;'),
    Mutant('growth: whoever has its address may run a function',
           'lib/Code/CallIndex.cpp', 'Calls.hasAll(At) && At->getIdentifier()',
           'At->getIdentifier()'),
    Mutant('growth: members are called as functions are',
           'lib/Code/CallIndex.cpp', ' && !isa<CXXMethodDecl>(At);', ';'),
    Mutant('roots of this: any part of the object',
           'lib/Code/RootsOfThis.cpp',
           'addRoots(*R, Of->ofGiven(Of->heldBy(nullptr), What));', ';'),
    Mutant('registers of members: any object names its class',
           'lib/Emission/EveryInstance.cpp',
           'isOnlyOne(Says) && namesItsClass(Object, Says) &&', 'isOnlyOne(Says) &&'),
    Mutant('partial tiles: threads that meet in parts load the same',
           source('ThreadDependence'), 'SharedIsCommon = !meetsInParts(F, Calls);', ''),
    sums('another index is as good', '!Known.unchanged(V) ||\n      isStale(Init, V, Around))',
         '!Known.unchanged(V))'),
    sums('a cut length may change again',
         '!llvm::equal(Changes, llvm::ArrayRef<const Expr *>(Set))', 'false'),
    sums('a length may be cut to anything else',
         'If->getElse() ||', ''),
    sums('threads may cut a length', '!(Chosen && Threads.dependent(Chosen->Cond))',
         'true'),
    sums('the body may step', 'Known.unchanged(V) || Advanced.count(V)',
         'Known.unchanged(V) || true'),
    sums('an index may be stepped twice',
         'if (E != evaluated(F->getInc()) && E != F->getInit())', 'if (false)'),
    path('an else holds what its if holds', 'Next == If->getThen());\n    } else if',
         'true);\n    } else if'),
    path('|| is &&', 'B->getOpcode() == BO_LAnd);', 'true);'),
    path('a jump that is taken behind counts', 'if (S == Next)\n        return;', ''),
    Mutant('partial tiles, validator: bytes that a tile leaves out',
           source('BlockRuns/PartialReads'),
           'if (All.test(B) &&', 'if (false &&'),
]
