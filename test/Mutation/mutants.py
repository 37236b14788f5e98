# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The mutants: one small break each, as a replacement in the source. A text
# that is to be replaced must occur exactly once in its file; score.py --check,
# which runs with the tests, says where it no longer does.
from collections import namedtuple

Mutant = namedtuple('Mutant', 'name file old new')

# Suites that notice most mutants of a folder, the fastest first.
SUITES = {
    'lib/Emission/Schedule.cpp': ['unit'],
    'lib/Emission/ScheduleValidator.cpp': ['unit'],
    'lib/Emission/DynamicShared.cpp': ['Planning', 'Kernels'],
    'lib/Emission/Stages.cpp': ['Planning', 'Legality', 'Kernels'],
    'lib/Emission': ['Legality', 'Kernels', 'Execution'],
    'lib/Analysis/Relaunch.cpp': ['Planning', 'Kernels'],
    'lib/Analysis/Movable.cpp': ['Planning', 'Kernels'],
    'lib/Analysis/Blocks.cpp': ['Legality', 'Kernels'],
    'lib/Analysis': ['Legality', 'Planning', 'Kernels'],
    'lib/Planning': ['unit', 'Planning', 'Legality', 'Kernels'],
    'lib/Engine': ['Planning', 'Legality', 'Kernels'],
    'lib/Target': ['unit', 'Planning'],
    'runtime': ['Runtime', 'Kernels'],
}


def drop(name, file, text):
    return Mutant(name, file, text, '')


def schedule(what, step, condition=''):
    """A step of the schedule that is left out, with its condition."""
    return drop(f'schedule: no {what}', 'lib/Emission/Schedule.cpp',
                f'{condition}{step}\n')


SCHEDULE = [
    Mutant('schedule: no barrier before the prologue',
           'lib/Emission/Schedule.cpp',
           '    S.Prologue.push_back(Step::barrier());\n  S.Prologue',
           '    ;\n  S.Prologue'),
    schedule('load in the prologue', '  S.Prologue.push_back(Step::load(0, 0));'),
    schedule('commit in the prologue',
             '    S.Prologue.push_back(Step::commit());',
             '  if (Shape.Async)\n'),
    schedule('store in the prologue',
             '    S.Prologue.push_back(Step::store(0, 0));',
             '  if (Shape.Registers)\n'),
    schedule('wait in the prologue', '    S.Prologue.push_back(Step::wait(0));',
             '  if (Shape.Async)\n'),
    Mutant('schedule: no barrier after the prologue', 'lib/Emission/Schedule.cpp',
           '  S.Prologue.push_back(Step::barrier());\n\n  // Tile 1',
           '  // Tile 1'),
    schedule('load in the loop', '  S.Steady.push_back(Step::load(1, Other));'),
    schedule('commit in the loop', '    S.Steady.push_back(Step::commit());',
             '  if (Shape.Async)\n'),
    schedule('compute in the loop', '  S.Steady.push_back(Step::compute(0, 0));'),
    schedule('barrier before the store of a single buffer',
             '    S.Steady.push_back(Step::barrier());', '  if (!Ring)\n'),
    schedule('store in the loop',
             '    S.Steady.push_back(Step::store(1, Other));',
             '  if (Shape.Registers)\n'),
    schedule('wait in the loop', '    S.Steady.push_back(Step::wait(0));',
             '  if (Shape.Async)\n'),
    Mutant('schedule: a wait that is too weak', 'lib/Emission/Schedule.cpp',
           'S.Steady.push_back(Step::wait(0))',
           'S.Steady.push_back(Step::wait(1))'),
    Mutant('schedule: no barrier at the end of the loop',
           'lib/Emission/Schedule.cpp',
           '  S.Steady.push_back(Step::barrier());\n  if (Ring)\n',
           '  if (Ring)\n'),
    schedule('turn of the stage', '    S.Steady.push_back(Step::turn());',
             '  if (Ring)\n'),
    schedule('epilogue', '  S.Epilogue.push_back(Step::compute(0, 0));'),
    Mutant('schedule: the epilogue on the wrong stage',
           'lib/Emission/Schedule.cpp',
           'S.Epilogue.push_back(Step::compute(0, 0))',
           'S.Epilogue.push_back(Step::compute(0, 1))'),
    Mutant('schedule: no barrier after the epilogue',
           'lib/Emission/Schedule.cpp',
           '    S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\n/// What',
           '    ;\n  return S;\n}\n\n/// What'),
    Mutant('schedule: a prologue for zero trips', 'lib/Emission/Schedule.cpp',
           'S.Guarded = Shape.MayBeEmpty;', 'S.Guarded = false;'),
    Mutant('schedule: prefetch one tile too far', 'lib/Emission/Schedule.cpp',
           'Step::load(1, Other)', 'Step::load(2, Other)'),
]


def head(what, old, new=';'):
    return Mutant(f'schedule at the head: {what}', 'lib/Emission/Schedule.cpp',
                  old, new)


HEAD = [
    head('no barrier before the fill',
         'S.Prologue.push_back(Step::barrier());\n\n  S.Fills', ';\n\n  S.Fills'),
    head('a fill that is one tile short', 'S.Fills = Shape.ahead();',
         'S.Fills = Shape.ahead() - 1;'),
    head('no load in the fill',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
         'Shape.ahead();'),
    head('no store in the fill',
         'S.Fill.push_back(Step::store(0, 0).ifThere());'),
    head('no commit in the fill', 'S.Fill.push_back(Step::commit());'),
    head('a fill that does not ask',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0));'),
    head('no wait', 'Out.push_back(Step::wait(Ahead - 1));'),
    head('a wait that is too weak', 'Step::wait(Ahead - 1)', 'Step::wait(Ahead)'),
    head('no barrier',
         '  Out.push_back(Step::barrier());\n  if (Load)\n', '  if (Load)\n'),
    head('no load', 'Out.push_back(Step::load(Ahead, To).ifThere(IfThere));'),
    head('a load that does not ask', 'Step::load(Ahead, To).ifThere(IfThere)',
         'Step::load(Ahead, To)'),
    head('no commit', 'Out.push_back(Step::commit());'),
    head('no compute', 'Out.push_back(Step::compute(0, 0));'),
    head('no barrier before the store of a single buffer',
         'if (Load && !Ring)\n    Out.push_back(Step::barrier());'),
    head('no store', 'Out.push_back(Step::store(Ahead, To).ifThere(IfThere));'),
    head('no turn of the stage', 'Out.push_back(Step::turn());'),
    head('no drain', 'S.Drain = tile(Shape, false, false);'),
    head('a loop that peels too few tiles',
         'S.SteadyAhead = Peeled ? Shape.ahead() : 0;',
         'S.SteadyAhead = Peeled ? Shape.ahead() - 1 : 0;'),
    head('the stage after the loop',
         'already\n  if (Shape.StageAfter)\n    '
         'S.Epilogue.push_back(Step::turnBack());', 'already'),
    head('no barrier after the loop',
         'S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\n/// Each',
         ';\n  return S;\n}\n\n/// Each'),
]


def slots(what, old, new):
    return Mutant(f'schedule of several tiles in registers: {what}',
                  'lib/Emission/Schedule.cpp', old, new)


SLOTS = [
    slots('no barrier before the fill',
          'S.Prologue.push_back(Step::barrier());\n  S.Slots', ';\n  S.Slots'),
    slots('a fill that is a tile short', 'S.Slots = S.Fills = Shape.InRegisters;',
          'S.Slots = Shape.InRegisters;\n  S.Fills = Shape.InRegisters - 1;'),
    slots('a fill that does not ask',
          'Shape.InRegisters;\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
          'Shape.InRegisters;\n  S.Fill.push_back(Step::load(0, 0));'),
    slots('no store', 'S.Steady = {Step::store(0, 0), ', 'S.Steady = {'),
    slots('no barrier', 'S.Steady = {Step::store(0, 0), Step::barrier(),',
          'S.Steady = {Step::store(0, 0),'),
    slots('a load of the next tile', 'Step::load(Shape.InRegisters, 0)',
          'Step::load(1, 0)'),
    slots('a load that does not ask', 'InRegisters, 0).ifThere()',
          'InRegisters, 0)'),
    slots('no barrier behind a single buffer',
          'S.Steady.push_back(Step::barrier());\n    return S;', 'return S;'),
    slots('no turn of the stage',
          'S.Steady.push_back(Step::turn());\n  if (Shape.StageAfter)',
          'if (Shape.StageAfter)'),
    slots('the stage after the loop',
          'Step::turn());\n  if (Shape.StageAfter)\n    '
          'S.Epilogue.push_back(Step::turnBack());', 'Step::turn());'),
    slots('no barrier after the loop',
          'S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\nSchedule',
          ';\n  return S;\n}\n\nSchedule'),
]


def validator(what, old, new):
    return Mutant(f'validator: {what}', 'lib/Emission/ScheduleValidator.cpp',
                  old, new)


VALIDATOR = [
    validator('copies in flight to one stage', 'if (Old.InFlight())', 'if (false)'),
    validator('a stage that is still read', 'else if (Read[At])',
              'else if (false)'),
    validator('a tile that was not computed',
              'else if (Old.Tile && *Old.Tile >= Computed)', 'else if (false)'),
    validator('a tile that does not exist', 'if (Tile >= Trips)', 'if (false)'),
    validator('registers that are overwritten', 
              'if (InRegisters[InSlot])\n        fail',
              'if (false)\n        fail'),
    validator('a store of another tile', 'if (InRegisters[InSlot] != Tile)',
              'if (!InRegisters[InSlot])'),
    validator('all tiles in one slot', '(First + Turn) % S.Slots', '0'),
    validator('a wait that waits for all', 'A.Group + Pending <= Groups', 'true'),
    validator('a commit that is not needed',
              'A.Now == Slot::State::Flying && A.Group', 'A.InFlight() && A.Group'),
    validator('the wrong tile', 'if (X.Tile != Tile)', 'if (false)'),
    validator('a wait that is missing', 'else if (X.InFlight())',
              'else if (false)'),
    validator('a barrier that is missing',
              'else if (X.Now != Slot::State::Visible)', 'else if (false)'),
    validator('tiles out of order', 'if (Tile != Computed)', 'if (false)'),
    validator('tiles that are left out', 'if (Computed != Trips)', 'if (false)'),
    validator('copies in flight at the end',
              '    for (const Slot &A : Async)\n      if (A.InFlight())',
              '    for (const Slot &A : Async)\n      if (false)'),
    validator('a tile that is not asked for', '!Step.IfThere || Tile < Trips',
              'Tile < Trips'),
    validator('the stage after the loop', 'if (Shape.StageAfter && Trips',
              'if (false && Trips'),
    validator('no barrier after the loop', 'if (R && Shape.BarrierAfter)',
              'if (false)'),
]


def writer(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/PipelineWriter.cpp', old, new)


def skeleton(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/Skeleton.cpp', old, new)


def regions(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/Regions.cpp', old, new)


def needs(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/Needs.cpp', old, new)


EMISSION = [
    skeleton('no condition around the prologue',
             'open("if (" + T.Header.Cond + ") {");', 'open("{");'),
    skeleton('the loop runs one tile too far', 'open("for (; " + aheadCondition()',
             'open("for (; " + T.Header.Cond'),
    skeleton('the next tile is loaded from this one\'s place',
             'X.Tile ? P.Ahead : P.This', 'P.This'),
    skeleton('the other of two stages is this stage', 'return From + " ^ 1";',
             'return From;'),
    skeleton('a stage ahead is the next stage',
             'Offset == 1 ? "next" : "previous"', '"next"'),
    skeleton('a variable that lives on misses its last step',
             '!T.Header.InitDeclares)', 'false)'),
    skeleton('the initialisation is left out', 'if (!T.Header.Init.empty())',
             'if (false)'),
    skeleton('the last tiles step on without the header',
             'line(T.Header.Step + ";");\n    close', 'close'),
    skeleton('what runs ahead stands still', '        line(cursorStep() + ";");',
             '        ;'),
    skeleton('the fill of a do loop asks for its first tile',
             'T.Slot + " == 0 || " + grouped(Question)', 'Question'),
    skeleton('the loop leaves what runs ahead behind',
             '(Cursor ? ", " + cursorStep() : "")', '""'),
    skeleton('a slot without a tile', '" && " + conjunct(Cond)', '""'),
    skeleton('a do loop goes round its slots', 'line("break;");', ';'),
    skeleton('either of two conditions, or a slot',
             'return Or ? "(" + Condition + ")" : grouped(Condition);',
             'return grouped(Condition);'),
    skeleton('a slot is a stage', 'S.Slots > 1 ? "" : T.Slot', 'T.Slot'),
    Mutant('text: tiles in registers share them', 'lib/Emission/Staging.cpp',
           'Indices = Out.Slot;', ';'),
    Mutant('text: tiles of a helper share one', 'lib/Emission/Helpers.cpp',
           'U.TileVar += Registers.Slot;', ';'),
    Mutant('text: what fills is held as what is loaded',
           'lib/Emission/Staging.cpp', 'if (C.Kind != Fill::None)',
           'if (false)'),
    Mutant('text: a name has one meaning', 'lib/Emission/Staging.cpp',
           'Builtin && !Base', 'false && !Base'),
    skeleton('the pragma above the loop is lost', 'Out += T.Pragma;', ';'),
    writer('the load shares what it should have a copy of',
           'Captures += ", " + V->getNameAsString();', ';'),
    writer('a declaration outside keeps one stage',
           'if (!Whole.contains(D.Offset))', 'if (false)'),
    writer('a mention after the loop gets no stage',
           'stageMentionsAfter(Loop, Source, After, Stage, Bytes, Views)',
           'stageMentionsAfter(Loop, Source, Range{0, 0}, Stage, Bytes, Views)'),
    writer('names may collide',
           'Names(Known.Words, Taken)', 'Names(Taken, Taken)'),
    writer('a barrier after the epilogue is not asked for',
           'Shape.BarrierAfter = Loop.BarrierAfter;', ''),
    writer('a barrier before the prologue is not asked for',
           'Shape.BarrierBefore = Loop.BarrierFirst;', ''),
    regions('fills are copied unconditionally', 'if (C.Kind != Fill::Ternary) {',
            'if (true) {'),
    regions('the guard of a zero fill is always true',
            '", " + Guard + ")"});', '", true)"});'),
    regions('the source of a zero fill is not kept in bounds',
            'Guard +\n                           " ? " + Src + " : " + '
            'text(Element->getBase()) +\n                           ", "',
            'Src +\n                           ", "'),
    regions('a loop that a jump ends is taken apart',
            'if (!F || !findJump(F))', 'if (true)'),
    regions('a counted copy loop loses its own condition',
            'if (C.NoCondition)\n      continue;', 'continue;'),
    regions('the last part of a copy loop loses its condition',
            '" < " + C.Whole', '" <= " + C.Whole'),
    regions('the other branch of a fill keeps its store',
            'Edits.push_back({R->Begin, R->size(), Reg});', ';'),
    regions('stores run ahead too',
            'if (Which == Half::Store)\n      return false;\n    auto Whole',
            'auto Whole'),
    needs('a half loses declarations that it needs',
          'if (intersects(Defined, Needs[1]))\n      return true;', ''),
    needs('the half that stores moves on what runs ahead',
          """llvm::all_of(Defined,
                        [&](const VarDecl *V) { return declaredInLoop(V); });""",
          'true;'),
    needs('arguments of the clone that stores are not declared',
          'add(StoreArguments, Used.Named);', ';'),
    needs('what a needed value is made of is not needed',
          '  Use(S);\n  // Names', '  // Names'),
    Mutant('text: registers of a copy loop share one index',
           'lib/Emission/Staging.cpp', 'Indices += "[" + *I + "]";',
           'Indices += "[0]";'),
    Mutant('text: a bound that is included is not counted',
           'lib/Emission/Staging.cpp', 'Span = grouped(Bound) + " + 1";', ';'),
    Mutant('text: copies of one array share one register',
           'lib/Emission/Staging.cpp',
           '(Many ? "[" + std::to_string(I) + "]" : "")',
           '(Many ? "[0]" : "")'),
    Mutant('text: mentions get no stage', 'lib/Emission/Stages.cpp',
           'if (!At || !Within.contains(*At))', 'if (true)'),
    Mutant('text: stages are not aligned', 'lib/Emission/Stages.cpp',
           'if (B.Alignment <= Declared)', 'if (true)'),
    Mutant('text: the next value keeps its wide type', 'lib/Emission/Advance.cpp',
           'return Convert ? ', 'return false ? '),
    Mutant('text: an operand loses its parentheses', 'lib/Emission/Advance.cpp',
           '? Text : "(" + Text + ")";\n}\n\n/// `k0 + BK`',
           '? Text : Text;\n}\n\n/// `k0 + BK`'),
]


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

PLANNING = [
    Mutant('plan: cp.async before sm_80', 'lib/Planning/Routes.cpp',
           '''  if (!R.Arch.hasAsyncCopy())
    return {Route::Registers''', '''  if (false)
    return {Route::Registers'''),
    Mutant('plan: copies that cannot be asynchronous are',
           'lib/Planning/Routes.cpp', 'if (!C.NotAsync.empty())\n    return {',
           'if (false)\n    return {'),
    Mutant('plan: occupancy is not looked at', 'lib/Planning/Planner.cpp',
           '''overBudget(Plan.Before, Plan.After, Plan.Stages, Arch, MayDrop)''',
           'OverBudget()'),
    Mutant('plan: tiles that cannot wait in registers do',
           'lib/Planning/Planner.cpp', '''if (!Loop.NotSplittable.empty())
      return fail(''', '''if (false)
      return fail('''),
    Mutant('plan: registers without end', 'lib/Planning/Planner.cpp',
           'if (Plan.StagedRegisters > spareRegisters(Kernel, Arch))',
           'if (false)'),
    Mutant('plan: registers for tiles without end',
           'lib/Planning/InRegisters.cpp',
           'if (Needed > spareRegisters(R.Kernel, R.Arch))', 'if (false)'),
    Mutant('plan: tiles in registers cost no block',
           'lib/Planning/InRegisters.cpp', 'if (One && All && *All < *One',
           'if (false'),
    Mutant('plan: instantiations hold as many tiles as they like',
           'lib/Planning/Agreement.cpp',
           '          P.TilesInRegisters != Needed.MostInRegisters ||\n', ''),
    Mutant('plan: a buffer for each tile in registers',
           'lib/Planning/Planner.cpp',
           'return Registers ? std::min(stagesAsked(), 2u) : stagesAsked();',
           'return stagesAsked();'),
    Mutant('plan: one tile in registers for one buffer',
           'lib/Planning/Planner.cpp',
           'Plan.Grown = {};\n    if (stagesAsked() > 2)',
           'Plan.Grown = {};\n    if (false)'),
    Mutant('plan: a ring for buffers that cannot be one',
           'lib/Planning/Planner.cpp', 'if (!B.NoRing.empty())', 'if (false)'),
    Mutant('plan: an instantiation that needs registers is not heard',
           'lib/Planning/Routes.cpp',
           'if (llvm::is_contained(R.Agreed.Registers, Copy))', 'if (false)'),
]


def padded(what, file, old, new='if (false)'):
    return Mutant(f'padded: {what}', f'lib/{file}.cpp', old, new)


PLANNING += [
    padded('although an index may leave its row', 'Analysis/SharedLayouts',
           'if (Extents.size() > 1 && !staysInRow(U, Site))'),
    padded('although the last bytes lie behind the row',
           'Analysis/SharedLayouts',
           'Column.High * Bytes + U.Offset + int64_t(U.Bytes)',
           'Column.High * Bytes'),
    padded('although a use is not understood', 'Analysis/SharedLayouts',
           'if (!U.NotUnderstood.empty())'),
    padded('although rows are another distance apart',
           'Analysis/SharedLayouts', 'if (!OwnElements)'),
    padded('although the distance is hidden', 'Analysis/SharedLayouts',
           'else if (!isEditable(U.Stride, SM, Context.getLangOpts()))',
           'else if (false)'),
    padded('although an instantiation leaves a use out',
           'Analysis/SharedLayouts', '    checkPattern(Uses);\n', ''),
    padded('although a pointer changes', 'Analysis/ArrayUses',
           'if (!Local->getType()->isReferenceType() && '
           '!Known.unchanged(Local))'),
    padded('although another loop fills the array', 'Engine/Engine',
           'if (X.Var == Y.Var)\n                  L.Shared',
           'if (false)\n                  L.Shared'),
    padded('a loop variable ends one early', 'Analysis/Ranges',
           'To->High - (Op == BO_LT)', 'To->High - 2'),
    padded('alignment is not kept', 'Analysis/SharedLayouts',
           'Out.PadMultiple = std::lcm(Out.PadMultiple, Multiple);', ''),
    padded('stages begin anywhere', 'Planning/Padding',
           'if (Layout.Rows * (Layout.RowBytes + Pad) % Alignment)'),
    padded('instantiations differ', 'Planning/Agreement',
           'Again |= keepRows(Needed, P, Out.Plans.front());', '(void)P;'),
    padded('the distance of rows stays', 'Emission/Stages',
           'addTo(E, *R, Count, Edits);', ''),
    padded('the bytes are not counted', 'Planning/Budgets',
           'V.Bytes + (PadBytes.empty() ? 0 : PadBytes[I])', 'V.Bytes'),
]


def relaunch(what, old, new):
    return Mutant(f'moved although {what}', 'lib/Analysis/Relaunch.cpp', old, new)


def moved(what, old, new):
    return Mutant(f'moved: {what}', 'lib/Emission/DynamicShared.cpp', old, new)


PLANNING += [
    relaunch('others may declare the kernel',
             'if (Written->getPreviousDecl()', 'if (false && Written'),
    relaunch('a launch leaves template arguments to be deduced',
             'if (!namesItsInstance(Callee))', 'if (false)'),
    relaunch('a launch is in a macro', '''if (L.Call->getBeginLoc().isMacroID() ||
          L.Call->getEndLoc().isMacroID() || Callee->getLocation().isMacroID())
''', 'if (false)\n'),
    relaunch('the kernel is named elsewhere', 'if (!Known.contains(L))',
             'if (false)'),
    Mutant('moved although the type is local', 'lib/Analysis/Movable.cpp',
           'if (const NamedDecl *Local = localName(V))',
           'if (const NamedDecl *Local = nullptr)'),
    Mutant('moved although others are declared with it',
           'lib/Analysis/Movable.cpp', 'return X.Var == Other;', 'return true;'),
    moved('arrays lie over each other', 'Before += " + sizeof(" + Name + ")";',
          ';'),
    moved('the bytes of one array are asked for',
          'Sum += (Sum.empty() ? "" : " + ") +', 'Sum ='),
    moved('launches stay as they are', 'launch(*C);', ';'),
]


def grown(what, file, old, new='if (false)'):
    return Mutant(f'dynamic tiles: {what}', f'lib/{file}.cpp', old, new)


PLANNING += [
    grown('another name of the block', 'Analysis/Blocks', 'else if (V != Block)',
          'else if (false)'),
    grown('a callee knows the block', 'Analysis/Blocks', 'if (In != Kernel)'),
    grown('a callee without a body', 'Analysis/Blocks',
          'else if (!F->hasBody() && ', 'else if (false && '),
    grown('the kernel asks for the size', 'Analysis/Blocks',
          'if (llvm::StringRef(Text).contains("_smem_size"))'),
    grown('a view that is given another place', 'Analysis/Blocks',
          '(Reference || Known.unchanged(P))', 'true'),
    grown('a view is kept', 'Analysis/CarriedAddress',
          '  Flow.Holders.insert(Buffer.Views.begin(), Buffer.Views.end());\n',
          ''),
    grown('a mention in the header', 'Analysis/Rings',
          'if (!llvm::is_contained(InBody, D))'),
    grown('a launch without bytes', 'Analysis/Relaunch',
          'if (isa<CXXDefaultArgExpr>(L->Bytes) || L->DynamicShared == 0u)'),
    grown('a cooperative launch', 'Analysis/Relaunch', 'if (L->Cooperative)'),
    grown('a launch in a macro', 'Analysis/Relaunch',
          'if (L->Kernel->getLocation().isMacroID() ||', 'if (false &&'),
    grown('other files may launch it', 'Analysis/Relaunch',
          'if (!Afar.empty() && !Elsewhere)'),
    grown('a launch of unknown size', 'Analysis/Relaunch',
          'R.MostBytes.reset();\n    else if', ';\n    else if'),
    grown('a limit of the host', 'Analysis/Relaunch',
          'R.AlwaysOptsIn |= S.MostBytes != nullptr;', ';'),
    grown('a limit that is not the launch\'s', 'Analysis/Relaunch',
          'return sameCount(L->Bytes, S.MostBytes, Context);', 'return true;'),
    grown('launches of one stage', 'Emission/DynamicShared',
          '"kpipe::staged_bytes<" + std::to_string(Plan.Stages) +',
          'std::string("kpipe::staged_bytes<1") +'),
    grown('no opting in', 'Emission/DynamicShared',
          'if (L.Kernel && Plan.After.OptsIn)'),
    grown('a stage of one tile in another half', 'Emission/Stages',
          'Stage.str() + " * " + Bytes.str()', '"0 * " + Bytes.str()'),
    grown('a stage is put behind a register', 'Emission/Regions',
          'S.Offset <= R.Offset + R.Length', 'false'),
    grown('the size of one stage is counted', 'Planning/Budgets',
          'std::optional(Stages * llvm::alignTo(*Bytes, 128))',
          'std::optional(llvm::alignTo(*Bytes, 128))'),
    grown('instantiations that do not agree to opt in', 'Planning/Agreement',
          '  Agreed.OptsIn |= Plan.After.Grows && Plan.After.OptsIn;\n', ''),
    grown('launches that cannot be changed', 'Planning/Planner',
          'if (Why.empty())\n      return true;', 'return true;'),
]


def budget(what, old, new='if (false)'):
    return Mutant(f'budget: {what}', 'lib/Planning/Budgets.cpp', old, new)


PLANNING += [
    budget('more than 48 KB of static shared memory',
           'if (After.SharedBytes > Static)'),
    budget('dynamic shared memory of unknown size', 'if (!After.DynamicBytes) {',
           'if (false) {'),
    budget('more than 48 KB without opting in',
           '''if (!After.OptsIn && *After.DynamicBytes && After.shared() > Static &&
      Before.shared() <= Static)'''),
    budget('more than a block may have',
           '''if (After.shared() > Arch.SharedPerBlockOptIn &&
      Before.shared() <= Arch.SharedPerBlockOptIn)'''),
    budget('fewer blocks per SM', 'if (Is >= Was || (AllowDrop && Is != 0))',
           'if (true)'),
]


def runtime(what, file, old, new=''):
    return Mutant(f'runtime: {what}', f'runtime/include/kpipe/{file}.h', old, new)


RUNTIME = [
    runtime('a wait that waits for nothing', 'wait_prior',
            'asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");'),
    runtime('a wait for one group less', 'wait_prior', '"n"(N)', '"n"(N + 1)'),
    runtime('a commit that commits nothing', 'commit',
            'asm volatile("cp.async.commit_group;" : : : "memory");'),
    runtime('a copy of less than its size', 'copy_async',
            '"n"(sizeof(T))', '"n"(4)'),
    runtime('no copy before sm_80', 'copy_async', '*dst = *src;'),
    runtime('no zero fill', 'copy_async_zfill', 'valid ? sizeof(T) : 0',
            'sizeof(T)'),
    runtime('no zero fill before sm_80', 'copy_async_zfill',
            '    memset(static_cast<void *>(dst), 0, sizeof(T));', '    ;'),
    runtime('any size is copied', 'copy_async',
            'sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16', 'true'),
    runtime('any alignment is copied', 'copy_async',
            'alignof(T) % sizeof(T) == 0', 'true'),
    runtime('stages at any byte', 'staged_bytes',
            '(bytes + 127) / 128 * 128 * S', 'bytes * S'),
    runtime('bytes for one stage less', 'staged_bytes', '* 128 * S', '* 128 * (S - 1)'),
    runtime('a stage that begins anywhere', 'bytes_per_stage',
            'bytes / (128 * S) * 128', 'bytes / S'),
    runtime('a quotient that is rounded down', 'ceil_div',
            ' + (a % b != 0)'),
]

ALL = SCHEDULE + HEAD + SLOTS + VALIDATOR + EMISSION + RULES + PLANNING + RUNTIME
