# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plans, budgets, rows, launches.
from .mutant import Mutant, source


PLANNING = [
    Mutant('plan: threads that left move the last tile',
           'lib/Planning/Budgets.cpp', 'if (Loop.LeftBefore &&', 'if (false &&'),
    Mutant('plan: cp.async before sm_80', 'lib/Planning/Routes.cpp',
           '''  if (!R.Arch.hasAsyncCopy())
    return {Route::Registers''', '''  if (false)
    return {Route::Registers'''),
    Mutant('plan: copies that cannot be asynchronous are',
           'lib/Planning/Routes.cpp', 'if (!C.NotAsync.empty())\n    return {',
           'if (false)\n    return {'),
    Mutant('plan: occupancy is not looked at', 'lib/Planning/SharedMemoryPlan.cpp',
           '''overBudget(Plan.Before, Plan.After, Plan.Buffers, Arch, MayDrop)''',
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
           'Plan.BytesInBlock = 0;\n    if (stagesAsked() > 2)',
           'Plan.BytesInBlock = 0;\n    if (false)'),
    Mutant('plan: a ring for buffers that cannot be one',
           'lib/Planning/Planner.cpp', 'if (!B.NoRing.empty())', 'if (false)'),
    Mutant('plan: an instantiation that needs registers is not heard',
           'lib/Planning/Routes.cpp',
           'if (Message Agreed = R.registersAgreed(Copy))\n',
           'if (Message Agreed; Agreed)\n'),
    Mutant('plan: other architectures are not asked',
           'lib/Planning/Agreement.cpp',
           """  Agreeing All(Bodies, Archs, Options);
""", """  Agreeing All(Bodies, Archs.slice(Shown, 1), Options);
  Shown = 0;
"""),
    Mutant('plan: one generation has what it prefers',
           'lib/Planning/Routes.cpp', '!R.Agreed.Generations && ', ''),
    Mutant('architectures: what one refuses others pipeline',
           'tool/rewrite/SeveralArchs.cpp',
           'if (!vetoVerdicts() && !vetoTexts())', 'if (!vetoTexts())'),
    Mutant('architectures: the first one\'s text is for all',
           'tool/rewrite/SeveralArchs.cpp',
           'if (!vetoVerdicts() && !vetoTexts())', 'if (!vetoVerdicts())'),
]


def padded(what, file, old, new='if (false)'):
    return Mutant(f'padded: {what}', source(file), old, new)


PLANNING += [
    padded('although an index may leave its row', 'SharedLayouts',
           'if (Extents.size() > 1 && !staysInRow(U, Site))'),
    padded('although the last bytes lie behind the row',
           'SharedLayouts',
           'Column.High * Bytes + U.Offset + int64_t(U.Bytes)',
           'Column.High * Bytes'),
    padded('although a use is not understood', 'SharedLayouts',
           'if (!U.NotUnderstood.empty())'),
    padded('although rows are another distance apart',
           'SharedLayouts', 'if (!OwnElements)'),
    padded('although the distance is hidden', 'SharedLayouts',
           'else if (!isEditable(U.Stride, SM, Context.getLangOpts()))',
           'else if (false)'),
    padded('although an instantiation leaves a use out',
           'SharedLayouts', '    checkPattern(Uses);\n', ''),
    padded('although a pointer changes', 'ArrayUses',
           'if (!Local->getType()->isReferenceType() && '
           '!Known.unchanged(Local))'),
    padded('although another loop fills the array', 'WrittenLoops',
           'L.SharedWithSisters.push_back(X.Var);', ''),
    padded('a loop variable ends one early', 'RangesOfLoops',
           'To->High - (Op == BO_LT)', 'To->High - 2'),
    padded('alignment is not kept', 'SharedLayouts',
           'Out.PadMultiple = std::lcm(Out.PadMultiple, Multiple);', ''),
    padded('stages begin anywhere', 'Planning/Padding',
           'if (Layout.Rows * (Layout.RowBytes + Pad) % Alignment)'),
    padded('instantiations differ', 'Planning/Agreement',
           'Again = keepRows(Needed);\n', 'Again = false;\n'),
    padded('the distance of rows stays', 'Emission/Stages',
           'addTo(E, *R, Count, Edits);', ''),
    padded('the bytes are not counted', 'Planning/Budgets',
           'V.Bytes + (PadBytes.empty() ? 0 : PadBytes[I])', 'V.Bytes'),
]


def relaunch(what, old, new, file='LaunchEdits'):
    return Mutant(f'moved although {what}', f'lib/Kernel/{file}.cpp', old, new)


def moved(what, old, new):
    return Mutant(f'moved: {what}', 'lib/Emission/DynamicShared.cpp', old, new)


PLANNING += [
    relaunch('others may declare the kernel',
             'if (Written->getPreviousDecl()', 'if (false && Written',
             'SeenLaunches'),
    relaunch('a launch leaves template arguments to be deduced',
             'if (!namesItsInstance(Callee))', 'if (false)'),
    relaunch('a launch is in a macro',
             'if (isMadeByMacro(L, SM) || launchesAnother(L, Written, Index, SM))\n        return no',
             'if (false)\n        return no'),
    relaunch('the kernel is named elsewhere', 'if (!Known.contains(L))',
             'if (false)', 'SeenLaunches'),
    Mutant('moved although the type is local', 'lib/Recognition/Stages/Movable.cpp',
           'if (const NamedDecl *Local = localName(V))',
           'if (const NamedDecl *Local = nullptr)'),
    Mutant('moved although others are declared with it',
           'lib/Recognition/Stages/Movable.cpp', 'return X.Var == Other;', 'return true;'),
    moved('arrays lie over each other', 'Before += " + sizeof(" + Name + ")";',
          ';'),
    moved('the bytes of one array are asked for',
          'Sum += (Sum.empty() ? "" : " + ") +', 'Sum ='),
    moved('launches stay as they are', 'launch(*C);', ';'),
]


def grown(what, file, old, new='if (false)'):
    return Mutant(f'dynamic tiles: {what}', source(file), old, new)


PLANNING += [
    grown('another name of the block', 'Blocks', 'else if (V != Block)',
          'else if (false)'),
    grown('a callee knows the block', 'Blocks', 'if (In != Home && !In->hasAttr<CUDAGlobalAttr>())'),
    grown('a callee without a body', 'Blocks',
          'else if (!F->hasBody() &&\n', 'else if (false &&\n'),
    grown('the kernel asks for the size', 'Blocks',
          'if (llvm::StringRef(Text).contains("_smem_size"))'),
    grown('a view that is given another place', 'Blocks',
          '(Reference || Known.unchanged(P))', 'true'),
    grown('a view is kept', 'AddressFlow',
          '    else\n      Held[V] = Address;\n', ''),
    grown('a tile that is larger than its part of the block', 'Budgets',
          '*Kernel.Layouts[I].Reach > Stage', 'false'),
    grown('a launch that gives less than others', 'LaunchEdits',
          'R.LeastBytes = std::min(', 'R.LeastBytes = std::max('),
    grown('the last tile stays where it is', 'PipelineWriter',
          '!(B.Block && Plan.BytesInBlock && Shape.StageAfter))', 'true)'),
    grown('a mention in the header', 'Rings',
          'if (!within(D, Body))'),
    grown('a launch without bytes', 'LaunchEdits',
          'if (isa<CXXDefaultArgExpr>(L->Bytes) || L->DynamicShared == 0u)'),
    grown('a cooperative launch', 'LaunchEdits', 'if (L.Cooperative)'),
    grown('a launch in a macro', 'LaunchEdits',
          'if (Place == BytesPlace::Hidden || '
          'launchesAnother(*L, Written, Index, SM))', 'if (false)'),
    grown('the kernel of a header', 'SeenLaunches', 'return !SM.isInMainFile(At) ||',
          'return false ||'),
    grown('other files may launch it', 'LaunchEdits',
          'if (Afar && !Elsewhere)'),
    grown('a launch of unknown size', 'LaunchEdits',
          'R.MostBytes.reset();\n  else if', ';\n  else if'),
    grown('a limit of the host', 'LaunchEdits',
          'R.AlwaysOptsIn |= S.MostBytes != nullptr;', ';'),
    grown('a limit that is not the launch\'s', 'LaunchEdits',
          'return sameCount(L->Bytes, S.MostBytes, Context);', 'return true;'),
    grown('launches of one stage', 'Emission/DynamicShared',
          'stagesArgument(Plan) + ">(" +', 'std::string("1>(") +'),
    grown('no opting in', 'Emission/DynamicShared',
          'if (L.Kernel && Plan.After.OptsIn)'),
    grown('a stage of one tile in another half', 'Emission/Stages',
          'Of + ", " + Stage + " * " +\n', 'Of + ", 0 * " +\n'),
    grown('the size of one stage is counted', 'Planning/Budgets',
          'std::optional(Stages * llvm::alignTo(*Bytes, Multiple))',
          'std::optional(llvm::alignTo(*Bytes, Multiple))'),
    grown('instantiations that do not agree to opt in', 'Planning/Agreement',
          '  Agreed.OptsIn |= Plan.After.Grows && Plan.After.OptsIn;\n', ''),
    grown('launches that cannot be changed', 'Planning/Planner',
          'if (!Why)\n      return true;', 'return true;'),
]


def budget(what, old, new='if (false)'):
    return Mutant(f'budget: {what}', 'lib/Planning/Budgets.cpp', old, new)


PLANNING += [
    budget('more than 48 KB of static shared memory',
           'if (After.SharedBytes > Static)'),
    budget('dynamic shared memory of unknown size', 'if (!After.DynamicBytes)\n    return AllowDrop',
           'if (false)\n    return AllowDrop'),
    budget('more than 48 KB without opting in',
           '''if (!After.OptsIn && *After.DynamicBytes && After.shared() > Static &&
      Before.shared() <= Static)'''),
    budget('more than a block may have',
           '''if (After.shared() > Arch.SharedPerBlockOptIn &&
      Before.shared() <= Arch.SharedPerBlockOptIn)'''),
    budget('stages of the kernel\'s other loops', 'std::max(V.Bytes, V.Grown)',
           'V.Bytes'),
    budget('fewer blocks per SM', 'if (Is >= Was || (AllowDrop && Is != 0))',
           'if (true)'),
]


def registers(what, old, new, file='lib/Kernel/RegisterUse.cpp'):
    return Mutant(f'registers: {what}', file, old, new)


PLANNING += [
    registers('arrays take none', 'if (Record || Type->isArrayType())',
              'if (Record)'),
    registers('objects take none', 'if (Record || Type->isArrayType())',
              'if (Type->isArrayType())'),
    registers('callees take none',
              'Piece P = walk(Definition->getBody());', 'Piece P;'),
    registers('scopes never end', 'Now = Outer;', '(void)Outer;'),
    registers('invariants take none',
              '    MostInvariants = std::max(MostInvariants, P.Invariants);\n',
              ''),
    registers('loaded values are invariants', 'P.Loads == 0 &&', ''),
    registers('every counted loop is unrolled',
              'if (Once.size() * *Trips <= MostUnrolled)', 'if (true)'),
    registers('launch bounds do not count', '''std::min(Kernel.LikelyRegisters,
                                   registersPerThread(Kernel, Arch))''',
              'Kernel.LikelyRegisters', 'lib/Planning/Registers.cpp'),
    registers('accumulators need not be in use together',
              'if (Kernel.ArrayRegisters)', 'if (false)',
              'lib/Planning/Registers.cpp'),
    registers('the likely ones decide on stages',
              'fitsWith(Result, Kernel, Arch, leastRegisters(Kernel, Arch))',
              'Result.Fits', 'lib/Planning/Budgets.cpp'),
    registers('tiles in flight take the place of none',
              'std::max(*B.Registers, *Least + More)', '*B.Registers + More',
              'lib/Planning/InRegisters.cpp'),
    # Bytes that hang on the block.
    Mutant('by block: no size is looked at', 'lib/Planning/SharedMemoryPlan.cpp',
           '    if (!Runs)\n      continue;', '    continue;'),
    Mutant('by block: blocks that cannot run are',
           'lib/Planning/SharedMemoryPlan.cpp', '    if (!Runs)\n', '    if (false)\n'),
    Mutant('by block: half a variable', 'lib/Kernel/BytesByBlock.cpp',
           'A.Variable = variableIn(E);',
           'if (const auto *B = dyn_cast<BinaryOperator>(plain(E)->IgnoreParenImpCasts()))\n'
           '      E = B->getLHS();\n    A.Variable = variableIn(E);'),
    Mutant('by block: narrower numbers', 'lib/Kernel/BytesByBlock.cpp',
           'Context.getIntWidth(From) <=', 'true || Context.getIntWidth(From) <='),
    Mutant('by block: a block made before', 'lib/Kernel/BytesByBlock.cpp',
           '      Before = true;\n', ''),
    Mutant('by block: bytes made before', 'lib/Kernel/BytesByBlock.cpp',
           'namesAnother(Bytes) || ', ''),
    Mutant('by block: less than nothing', 'lib/Kernel/BytesByBlock.cpp',
           'return Value && *Value >= 0;', 'return true;'),
    Mutant('by block: a launch of unknown bytes', 'lib/Kernel/KernelShape.cpp',
           'return Shape.DynamicByBlock.clear();', 'continue;'),
    # Calls with errors.
    Mutant('calls with errors: the first of several', 'lib/Frontend/CallsWithErrors.cpp',
           'U->getNumDecls() != 1', 'false'),
    Mutant('calls with errors: overloads are no calls', 'lib/Code/CallIndex.cpp',
           'Index.AddressTaken.insert(F->getCanonicalDecl());\n    }\n    return true;',
           '(void)F;\n    }\n    return true;'),
    Mutant('by block: arguments that change others', 'lib/Kernel/BytesByBlock.cpp',
           ' || changes(Launch)', ''),
    Mutant('named instances: the text that makes them launches',
           'lib/Kernel/Launches.cpp', 'makesInstance(V) || ', ''),
    Mutant('named instances: the check takes it for a launch',
           'lib/Validation/Launches/LaunchValidator.cpp', 'V && makesInstance(V)', 'false && V'),
    Mutant('named instances: room for others is not asked for',
           'lib/Planning/SharedMemoryPlan.cpp', '    Over = overOfSisters();', '    (void)0;'),
    Mutant('named instances: all that are launched are made',
           'lib/Frontend/CallsWithErrors.cpp', 'return K && isNamed(K);', 'return false;'),
]
