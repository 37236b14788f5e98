# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The validators that do not trust the analysis: each check of theirs is left
# out, or believes too much.
from .meaning import NAMES
from .mutant import Mutant, source


def order(what, old, new, file='OrderValidator'):
    return Mutant(f'order validator: {what}', source(file, 'lib/Validation'), old,
                  new)


def around(what, old, new):
    return order(what, old, new, 'Surroundings')


def use(what, old, new):
    return order(what, old, new, 'LoopUses')


def single(what, old, new):
    return order(what, old, new, 'UseChecks')


def half(what, old, new):
    return order(what, old, new, 'StoreHalf')


def run(what, old, new):
    return order(what, old, new, 'OrderRuns')


def effect(what, old, new, file='AccessWalker'):
    return order(what, old, new, file)


def storage(what, old, new, file='StorageRoots'):
    return order(what, old, new, file)


def pointer(what, old, new):
    return storage(what, old, new, 'StorageResolver')


def names(what, old, new):
    return storage(what, old, new, 'FunctionNames')


def held(what, old, new):
    return storage(what, old, new, 'ObjectPointers')


def first(what, old, new):
    return order(what, old, new, 'FirstUse')


ORDER = [
    half('no place needs the object of a helper',
         'More |= Half.want(objectOf(Copy.HelperCall));', ';'),
    single('what chooses a value is asked for by both halves',
           'if (!R.A.Write && R.Item >= W.Item &&',
           'if (!R.A.Write && R.Item > W.Item &&'),
    half('a condition of what is fetched is asked for by the store',
         '      Choosing.insert(I->getCond());', '      ;'),
    half('the store half reads by names alone',
         '        needReads(Copy.Store, Half, In);', '        ;'),
    order('stages are aligned to anything', 'Stage % Width != 0', 'false',
          'StageAlignments'),
    order('stages are as aligned as is assumed', 'Stage % All.Most != 0', 'false',
          'StageAlignments'),
    storage('a result that is assigned keeps nothing',
            'Child != B->getLHS() || Kept || isSetBefore(Child)',
            'Child != B->getLHS() || Kept', 'KeptPlaces'),
    single('a pointer that the load sets as well', 'if (I.InLoad || (!Made &&',
           'if ((!Made &&'),
    single('a pointer of an earlier tile behind the loop',
           '  if (mentionsOf(V, Loop.Function->getBody()) != '
           'mentionsOf(V, Loop.Loop))\n    return false;\n', ''),
    single('a parameter that is a part of the array', 'if (Whole && Bytes',
           'if (Bytes'),
    pointer('a temporary that lives on has no name',
            '    P.Where = Storage::Kind::Local;\n    P.Var = Name;',
            '    return {};'),
    pointer('a compound literal is a temporary',
            'if (isa<CompoundLiteralExpr>(E))', 'if (false)'),
    pointer('a variable that was captured elsewhere is its own',
            'if (V->hasLocalStorage() && isForeign(V, In))', 'if (false)'),
    storage('an object is handed over twice', 'return allLocal(Own) && '
            'isHandedOnce(C, Args[I], Own, Outer);', 'return allLocal(Own);',
            'StorageOfCallers'),
    storage('an argument into the own object',
            'return allLocal(Own) && isHandedOnce(C, On, Own, Outer);',
            'return allLocal(Own);', 'StorageOfCallers'),
    storage('the members of a union lie apart',
            '!M->isStatic() && !M->getParent()->isUnion()', '!M->isStatic()',
            'StorageOfCallers'),
    held('a closure captures nothing',
         'return Reference ? unknownStorage() : captured(L, In);', 'return {};'),
    use('the condition does not run ahead', '  Ahead(Loop.Cond);\n', ''),
    use('the step does not run ahead', '    Ahead(H.Update);', '    ;'),
    single('anyone writes a ring', 'if (U.A.Write && !Copied(U.A) && (', 'if (false && ('),
    single('a ring is read before its tile is there',
           'if (!U.A.Write && U.Item <= Barrier)', 'if (false)'),
    single('a reference runs ahead',
           'if (P.Mention && !Of.Moved.count(P.Mention) && (U.Load || U.Store))',
           'if (false)'),
    single('an address that is kept runs ahead',
           'Of.Index.namesOf(Loop.Function).Renamed.count(V))\n      return Of.violation',
           'false)\n      return Of.violation'),
    order('a value passes between the parts', 'return !Of.writtenFirst(V);',
          'return false;'),
    half('the store computes no place', '    Want(Copy.Dst);\n', ''),
    half('the store asks no condition', 'Want(I->getCond());', ';'),
    order('a lost barrier', 'if (Separated && X.Last >= Y.First)', 'if (false)'),
    order('an order that is turned', 'if (!Separated && X.Order > Y.Order)',
          'if (false)'),
    order('a promise that says more', '(!A.A.Write || !B.A.Write)', 'true'),
    order('no barrier before the loop', 'Verdict.BarrierBefore = true;', ';'),
    order('no barrier behind the loop',
          'Around.After, [&](const Access &A) { return meets(A, U.A); }))',
          'Around.After, [&](const Access &A) { return false; }))'),
    order('no barrier between two runs',
          'if (Q.First <= 0 && Left + R.input(V, J).First > 0)', 'if (false)'),
    run('barriers of callees in the output',
        'if (Item.InCompute && (Item.Barrier || !Item.Through))',
        'if (Item.InCompute && Item.Barrier)'),
    order('only the last tile runs',
          'All.push_back(OrderRuns(Of, Shape, S, T));',
          'if (T == 1) All.push_back(OrderRuns(Of, Shape, S, T));'),
    around('what precedes the loop', 'take(Front.All, Out.Before, Level);', ';'),
    around('what follows the loop', 'take(Back.All, Out.After, Level);', ';'),
    around('a barrier around is not seen', 'Stopped |= !Step.Through;', ';'),
    around('the first step that is met is the last',
           'if (Stopped)\n        continue;\n      if (AtOnce)',
           'if (Stopped || AtOnce)\n        continue;\n      if (AtOnce)'),
    around('the beginning of a loop is within it',
           'for (const Stmt *S : Init)\n          Within.erase(S);', ''),
    around('the loop that is met again',
           'Out.AgainAtOnce |= Back.InnerAtOnce && Level == 0;', ';'),
    around('where a walk leaves the function', 'M.End |= B == Goal;', ';'),
    around('functions without a graph',
           'if (!G)\n      return everything(In, Level);',
           'if (!G)\n      return;'),
    around('what the caller does in front', 'Out.Before.append(There.Before);', ';'),
    around('what callers do behind', 'Out.After.append(There.After);', ';'),
    around('callers that are not seen',
           'In.Index->hidden(In.Function) ||', ''),
    effect('compound assignments read', 'if (B->isCompoundAssignmentOp())',
           'if (false)'),
    effect('steps write', 'read(U->getSubExpr(), S);\n    return write(U->getSubExpr(), S);',
           'return read(U->getSubExpr(), S);'),
    effect('constructors', '  enter(K, Args, nullptr, C);\n}', '}'),
    effect('destructors', '!diesQuietly(V->getType()))\n    destroy(At);',
           '!diesQuietly(V->getType()))\n    ;'),
    effect('virtual functions', '!M->getParent()->isEffectivelyFinal())',
           'false)'),
    effect('default arguments',
           'return gather(D->getExpr());\n  if (const auto *D = dyn_cast<CXXDefaultInitExpr>',
           'return;\n  if (const auto *D = dyn_cast<CXXDefaultInitExpr>'),
    effect('callees', '  Take(Body);\n', ''),
    effect('callees that are not seen',
           'if (!F->hasBody(Definition) || In.isTooDeep() || In.calls(Definition))\n    return anything(At);',
           'if (!F->hasBody(Definition) || In.isTooDeep() || In.calls(Definition))\n    return;'),
    effect('atomics write', 'case CallKind::Atomic:\n    return Each(0, true);',
           'case CallKind::Atomic:\n    return Each(0, false);'),
    effect('loads with a hint', 'case CallKind::VolatileLoad:\n    return Each(0, false);',
           'case CallKind::VolatileLoad:\n    return;'),
    effect('assembly that writes', 'if (E.WritesGlobal)', 'if (false)'),
    effect('assembly that is not known', 'if (!E.OnlyMatrix)\n      anything(A);',
           ';'),
    effect('any path has the barrier', 'Out.Through = walk(true);',
           'walk(true), Out.Through = false;', 'Accesses'),
    effect('no case leads into a part of the code',
           'if (!Whole && isEnteredByCase(S))', 'if (false)', 'Accesses'),
    effect('what stands behind a callee\'s barrier',
           'A.FromStart = A.FromStart && Reached[0].count(&Step);', ';',
           'Accesses'),
    storage('a local variable has no other name',
            '(Index.namesOf(Function).Renamed.count(A.Var) ||',
            '(false ||'),
    storage('no object knows itself',
            'mayNameItself(A.Var->getType()));', 'false);'),
    storage('a constructor names a member to read it',
            'return Kept && !M->getMemberDecl()->getType()->isReferenceType();',
            'return false;', 'Overlays'),
    storage('constructors are no templates',
            'return llvm::any_of(T->specializations(), [](const FunctionDecl *F) {\n'
            '        return keepsOwnAddress(cast<CXXConstructorDecl>(F));\n'
            '      });', 'return false;', 'Overlays'),
    storage('the parts of an object do not know themselves',
            'return T->isRecordType() &&\n'
            '                  overlays(T->getAsCXXRecordDecl(), Unions);',
            'return false;', 'Overlays'),
    names('the result of an assignment has no name',
          '    if (!Kept.count(B))\n      plain(B->getLHS());',
          '    plain(B->getLHS());'),
    names('the result of a step has no name',
          'U->isIncrementDecrementOp() && !Kept.count(U)',
          'U->isIncrementDecrementOp()'),
    names("the result of a class's assignment has no name",
          'On && !(M && M->isTrivial() && Kept.count(On))', 'On'),
    storage('dynamic shared arrays are apart',
            '(isDynamic(A.Var) && isDynamic(B.Var))', 'false'),
    storage('shared memory that is not named', 'return !A.Var || !B.Var || A.Var == B.Var ||',
            'return !A.Var || !B.Var ? false : A.Var == B.Var ||'),
    storage('device variables are apart from pointers',
            'return B.Where != K::Pointee || !B.Restrict;',
            'return B.Where != K::Pointee;'),
    storage('pointers are apart', 'return A == B || (!A.Restrict && !B.Restrict);',
            'return A == B;'),
    storage('a pointer is apart from global memory',
            'return !A.Restrict || B.Where == K::Unknown || Index.keepsPointers();',
            'return B.Where == K::Unknown;'),
    storage('unknown memory is apart from promised pointers',
            'return !A.Restrict || B.Where == K::Unknown || Index.keepsPointers();',
            'return !A.Restrict;'),
    storage('unknown memory is apart from shared memory',
            'return B.Where == K::Unknown ||\n           (B.Where == K::AnyGlobal',
            'return (B.Where == K::AnyGlobal'),
    pointer('a promise of any block',
            'if (Outermost && !Home->Caller && V->getType().isRestrictQualified())',
            'if (!Home->Caller && V->getType().isRestrictQualified())'),
    pointer('one branch of a pointer', 'add(Found, pointer(C->getFalseExpr(), In));',
            ';'),
    names('a pointer keeps its first value',
            'Found.Given[V].push_back(B->getRHS());', ';'),
    names('members of an object hold nothing',
            'holds(B->getLHS(), B->getRHS());', ';'),
    names('an object is not given another one',
            'holds(C->getArg(0), C->getArg(1));', ';'),
    names('an object is not initialised',
            'Found.Holds[V].push_back(V->getInit());', ';'),
    held('objects have no other name',
            '(Named ? Names.Escaped.count(V) : Names.Renamed.count(V)))',
            'false)'),
    held('members of a union are apart',
            'if (!R || mayOverlay(R) ||\n', 'if (!R ||\n'),
    names('a reference member is no other name',
            'Found.BoundTo[variableOf(Owner)].push_back(F);', ';'),
    held('nothing is given by a reference member',
            'Found = givenByOthers(V, Names, *Home.Index);', ';'),
    storage('a reference member holds nothing',
            'Names.Escaped.count(Name) || Names.Holds.count(Name)',
            'Names.Escaped.count(Name)', 'ReferenceUses'),
    storage('calls give nothing by a reference member',
            'return quietCall(H, Names);', 'return true;', 'ReferenceUses'),
    storage('nobody has a reference that is returned',
            '!Index.namesOf(F).Returned.count(Reference) &&', '',
            'ReferenceUses'),
    storage('a reference to a reference gives nothing',
            'return quiet(To);', 'return true;', 'ReferenceUses'),
    held('a temporary holds pointers to global memory',
            'return Base->isGLValue() ? unknownStorage() : object(Base, In);',
            'return Base->isGLValue() ? unknownStorage() : Storages{};'),
    held('one branch of an object', 'add(Found, object(C->getFalseExpr(), In));', ';'),
    first('what runs perhaps runs', 'return U == FirstUse::Killed ? FirstUse::Covered : U;',
          'return U;'),
    first('one branch is enough',
          'if (A == FirstUse::Killed && B == FirstUse::Killed)',
          'if (A == FirstUse::Killed || B == FirstUse::Killed)'),
    first('the right side comes last', 'return then(Right, FirstUse::Killed);',
          'return FirstUse::Killed;'),
    first('closures', 'C.getCapturedVar() == V)\n        return FirstUse::Exposed;',
          'C.getCapturedVar() == V)\n        return FirstUse::None;'),
]


def launch(what, old, new):
    return Mutant(f'launch validator: {what}',
                  'lib/Validation/Launches/LaunchValidator.cpp', old, new)


LAUNCHES = [
    launch('any edit is one of the launch', 'E.Offset < End &&', 'true &&'),
    launch('edits before the name', 'return E.Offset > Begin &&', 'return'),
    launch('an edit of a neighbour in the statement',
           'Open.back().StatementEnd = At; // its', '; // its'),
    launch('left out text launches nothing', 'if (LeftOut && !M.Launches)',
           'if (LeftOut)'),
    launch('left out text is a launch', 'if (LeftOut && !M.Launches)', 'if (false)'),
    launch('macros that are used elsewhere launch nothing',
           '(!M.Macro.empty() && !Unit.Used.count(M.Macro))', '!M.Macro.empty()'),
    launch('names of other things', 'if (Known->isOther(At) ||', 'if (false ||'),
    Mutant('launch validator: what the parse did not read is something else',
           'lib/Validation/Launches/NameMeanings.h',
           'return Others.count(L) && !Kernels.count(L);',
           'return !Kernels.count(L);'),
    launch('what nobody reads', 'ZeroDepth = Depth;', ';'),
]


def place(what, old, new, file='AsyncPlaces'):
    return Mutant(f'async places: {what}', source(file, 'lib/Validation'), old, new)


def thread(what, old, new):
    return place(what, old, new, 'ThreadRun')


PLACES = [
    place('never worth it',
          'Plan.hasRoute(Route::AsyncCopy) || !F.isWorthIt())',
          'Plan.hasRoute(Route::AsyncCopy) || true)'),
    place('one copy in a loop is no two', '(Loads.Found || Of', '(Of'),
    place('one thread for all', 'I != Threads && !Run.spent();',
          'I != 1 && !Run.spent();'),
    place('one array for all', 'if (Found || Old.Place.Base != Place.Base ||',
          'if (Found ||'),
    place('neighbours', 'Old.Place.Number >= Place.Number + New.Bytes ||', ''),
    thread('both branches', 'return statement(C.Number ? I->getThen() : I->getElse());',
           'return statement(I->getThen());'),
    thread('loops run once', 'if (!C.Number)\n        return Flow::Next;',
           'return Flow::Next;'),
    place('variables that changed before the loop', 'if (Unsteady.count(V) ||',
          'if (', 'ThreadMemory'),
    place('helpers do nothing',
          'const bool Ends = runBody(Definition->getBody());',
          'const bool Ends = true;', 'ThreadCalls'),
]


def stored(what, old, new, file='StoredElements'):
    return Mutant(f'stored elements: {what}', source(file, 'lib/Validation'), old, new)


STORED = [
    stored('never looked at', 'if (Plan.Buffers < 2)', 'if (true)'),
    stored('one thread is the block', 'T != Threads && !All.spent(); ++T)',
           'T != 1 && !All.spent(); ++T)'),
    stored('tiles of one run are the same',
           'if (auto P = missingIn(X, Y, A == B ? Partial : Kept))',
           'if (auto P = missingIn(X, Y, Kept); P && A != B)'),
    stored('there is one run', 'return Way.Repeats || Way.CalledAgain ? 3 : 1;',
           'return 1;'),
    stored('what is not known is not stored', 'if (!X.All || !Y.All)', 'if (false)'),
    stored('a block has one size', 'for (unsigned N : {64u, 32u})',
           'for (unsigned N : {256u})', 'BlockShapes'),
    stored('loops around change nothing', 'again(S, Next);\n      runs(',
           'runs(', 'WayToLoop'),
    stored('a condition makes no variable', 'runs(conditionVariableOf(S));', '',
           'WayToLoop'),
    stored('a second call is the first', 'Calls.size() != 1 || !Calls[0].In ||',
           '!Calls[0].In ||', 'WayToLoop'),
    stored('nothing is set on the way', 'if (!run(Step.S, Report))\n        return Lost();',
           ';', 'LoopThread'),
    stored('the tile loop counts an inner one', 'F && F != Loop.Loop && ', 'F && ',
           'SteadyStores'),
    stored('no tile changes a variable',
           'return By == Changed.end() || V->getType()->isArrayType();',
           'return true;', 'SteadyStores'),
    stored('conditions are the same for all tiles',
           'steady(I->getCond()) && statement(I->getThen())',
           'statement(I->getThen())', 'SteadyStores'),
    stored('bounds are the same for all tiles',
           'steady(F->getCond()) && !stores', '!stores', 'SteadyStores'),
    stored('steps are the same for all tiles',
           'return B && B->getLHS()->IgnoreParens() == Of && steady(B->getRHS());',
           'return true;', 'SteadyStores'),
    stored('initial values are the same for all tiles',
           'if (!V->getInit() || !steady(V->getInit()))', 'if (!V->getInit())',
           'SteadyStores'),
    stored('a table holds the same for all tiles',
           'uint64_t Key = uint64_t(At.Number) * 2654435761u',
           'uint64_t Key = 2654435761u', 'LoopThread'),
]


def barriers(what, old, new, file='BarrierCounts'):
    return Mutant(f'barrier counts: {what}', source(file, 'lib/Validation'), old, new)


BARRIERS = [
    barriers('any count', 'X.Barriers.size() <= Y.Barriers.size())', 'true)'),
    barriers('what is not known is not passed', 'if (!X.All || !Y.All ||', 'if ('),
    barriers('other branches', 'if (A.WayKnown && B.Absent)', 'if (false)'),
    barriers('what the call gives', 'if (RunValue X = argument(P); X.isNumber())',
             'if (RunValue X; X.isNumber())', 'LoopThread'),
    barriers('what a condition needs', 'withWhatTheyNeed(Loop, conditional())',
             'conditional()'),
]


VALIDATION = ORDER + LAUNCHES + PLACES + STORED + BARRIERS + NAMES
