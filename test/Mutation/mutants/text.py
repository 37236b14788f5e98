# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What becomes text with a meaning.
from .mutant import Mutant


def writer(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/PipelineWriter.cpp', old, new)


def skeleton(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/Skeleton.cpp', old, new)


def regions(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/Regions.cpp', old, new)


def copies(what, old, new):
    return Mutant(f'text: {what}', 'lib/Emission/CopyText.cpp', old, new)


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
             'Offset == 1 ? Primitive::NextStage : Primitive::PreviousStage',
             'Primitive::NextStage'),
    skeleton('a variable that lives on misses its last step',
             'S.Drain.empty() && livesOn())', 'S.Drain.empty() && false)'),
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
             'bindingOf(T.Loop.Cond), Binding::LogicalAnd',
             'bindingOf(T.Loop.Cond), Binding::LogicalOr'),
    skeleton('a slot is a stage', 'S.Slots > 1 ? "" : T.Slot', 'T.Slot'),
    Mutant('text: tiles in registers share them', 'lib/Emission/Staging.cpp',
           'Indices = Out.Slot;', ';'),
    Mutant('text: tiles of a helper share one', 'lib/Emission/Helpers.cpp',
           'U.TileVar += Registers.Slot;', ';'),
    Mutant('text: what fills is held as what is loaded',
           'lib/Emission/ElementTypes.cpp', 'if (C.Kind != Fill::None)',
           'if (false)'),
    Mutant('text: a name has one meaning', 'lib/Emission/ElementTypes.cpp',
           'Builtin && !Base', 'false && !Base'),
    skeleton('the pragma above the loop is lost', 'Out += reindent(T.Pragma, T.PragmaFrom, indent());', ';'),
    Mutant('text: the load shares what it should have a copy of',
           'lib/Emission/Lambdas.cpp',
           'Captures += ", " + V->getNameAsString();', ';'),
    Mutant('text: a call of the runtime is not noted',
           'lib/Emission/RuntimeCalls.cpp', 'Called.insert(P);', ''),
    writer('a declaration outside keeps one stage',
           'if (!Whole.contains(D.Offset))', 'if (false)'),
    writer('a mention after the loop gets no stage',
           'llvm::append_range(All, viewsAfter(Loop, Source, Stages.Stage,\n                                         Stages.Bytes, Stages.Staged, Calls,\n                                         Plan.BytesInBlock != 0));',
           ''),
    Mutant('text: a name means the first stage', 'lib/Emission/Lambdas.cpp',
           'N.declaration(Stages.Stage, Stages.Bytes, Calls) + "\\n";',
           'N.declaration("0", Stages.Bytes, Calls) + "\\n";'),
    writer('a name means the first stage behind the loop',
           'Out.add(0, N.declaration(Stages.Stage, Stages.Bytes, Calls));',
           'Out.add(0, N.declaration("0", Stages.Bytes, Calls));'),
    Mutant('text: names may collide', 'lib/Emission/Emitter.cpp',
           'Names(Known.Words, Taken)', 'Names(Taken, Taken)'),
    Mutant('text: a barrier after the epilogue is not asked for',
           'lib/Emission/Schedule.cpp',
           'Shape.BarrierAfter = Loop.BarrierAfter;', ''),
    Mutant('text: a barrier before the prologue is not asked for',
           'lib/Emission/Schedule.cpp',
           'Shape.BarrierBefore = Loop.BarrierFirst || Loop.BarrierBefore;', ''),
    copies('fills are copied unconditionally', 'if (C.Kind != Fill::Ternary) {',
           'if (true) {'),
    copies('the guard of a zero fill is always true',
           '", " + Guard + ")")\n        .str();', '", true)")\n        .str();'),
    copies('the address of a copy is found where nothing is copied',
           'if (C.AddressIsFree) {', 'if (true) {'),
    regions('a loop that a jump ends is taken apart',
            'if (!F || !findJump(F))', 'if (true)'),
    copies('a counted copy loop loses its own condition',
           'if (C.NoCondition)\n      continue;', 'continue;'),
    copies('the last part of a copy loop loses its condition',
           '" < " + C.Whole', '" <= " + C.Whole'),
    copies('the other branch of a fill keeps its store',
           'Edits.push_back({R->Begin, R->size(), Reg});', ';'),
    copies('stores run ahead too',
           'if (Which == Half::Store)\n    return false;\n  auto Whole',
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
           'lib/Emission/Staging.cpp', 'Indices += "[" + index(L, *Parts) + "]";',
           'Indices += "[0]";'),
    Mutant('text: a bound that is included is not counted',
           'lib/Emission/PartCounts.cpp', 'Span = grouped(Bound) + " + 1";', ';'),
    Mutant('text: copies of one array share one register',
           'lib/Emission/Staging.cpp',
           '(Many ? "[" + std::to_string(I) + "]" : "")',
           '(Many ? "[0]" : "")'),
    Mutant('text: closures copy a stage', 'lib/Emission/Stages.cpp',
           'llvm::append_range(All, B.CopiedMentions);', ';'),
    Mutant('text: stages are not aligned', 'lib/Emission/Stages.cpp',
           'if (B.Alignment > Declared)', 'if (false)'),
    Mutant('text: the next value keeps its wide type', 'lib/Emission/Advance.cpp',
           'if (!Convert)\n    return Next;', 'return Next;'),
    Mutant('text: an operand loses its parentheses', 'lib/Emission/Advance.cpp',
           'asOperand(Source.text(C->getRHS()), Right, Tighter)',
           'Source.text(C->getRHS())'),
]
