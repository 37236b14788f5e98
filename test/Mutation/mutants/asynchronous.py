# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Asynchronous copies that are read as plain ones: what is taken for one, and
# what is lost on the way.
from .mutant import Mutant


def broken(what, file, old, new):
    return Mutant(f'asynchronous: {what}', f'lib/{file}.cpp', old, new)


ASYNCHRONOUS = [
    broken('a macro is one operation', 'Code/AsyncOps',
           'At.isValid() && Op.Statement)', 'false && Op.Statement)'),
    broken('a macro may do something else', 'Code/AsyncOps',
           'return parent(Part) == Around && isNothingElse(Part);',
           'return parent(Part) == Around;'),
    broken('declarations of a wrapper do nothing', 'Code/AsyncWrappers',
           'return onlyNames(D);', 'return onlyNames(D) || true;'),
    broken('arguments do nothing', 'Code/AsyncWrappers',
           'if (!Given.areEvaluatedOnce(All))', 'if (false)'),
    broken('one argument for two copies', 'Code/AsyncWrappers',
           'if (All.size() != 1 || All[0].Kind != AsyncKind::Copy)',
           'if (All[0].Kind != AsyncKind::Copy)'),
    broken('conditions of few bits', 'Code/Conversions',
           'return C->getSubExpr()->getType()->isBooleanType() ||',
           'return true ||'),
    broken('pointers to bases are the same', 'Code/Conversions',
           'case CK_ArrayToPointerDecay:',
           'case CK_ArrayToPointerDecay:\n    case CK_DerivedToBase:'),
    broken('callers have nothing in flight', 'Lowering/SingleStage',
           'Flight.isCleanAt(S) && beginsClean(Body, Code, Calls);',
           'Flight.isCleanAt(S) && (true || beginsClean(Body, Code, Calls));'),
    broken('nothing is in flight before the loop', 'Lowering/SingleStage',
           'Flight.isCleanAt(S) && beginsClean(Body, Code, Calls);',
           'beginsClean(Body, Code, Calls);'),
    broken('a wait for all but one waits for all', 'Code/InFlight',
           'S.Groups = std::min(S.Groups, Op.Keep);', 'S.Groups = 0;'),
    broken('what is not committed is waited for', 'Code/InFlight',
           'S.Groups = std::min(S.Groups, Op.Keep);',
           'S.Groups = std::min(S.Groups, Op.Keep);\n    S.Copies = false;'),
    broken('any barrier is the block\'s', 'Lowering/LoweredBody',
           'if (!meetsWholeBlock(Op, Loop, Ops, Body) ||', 'if ('),
    broken('any pipeline is the block\'s', 'Lowering/WholeBlock',
           'return isBlocksPipeline(V);', 'return true || isBlocksPipeline(V);'),
    broken('all threads come to any loop', 'Lowering/WholeBlock',
           '(countsBlock(Count) || allThreadsCome(Loop, Body));',
           '(countsBlock(Count) || allThreadsCome(Loop, Body) || true);'),
    broken('nobody else counts phases', 'Lowering/WholeBlock',
           'if (!Known)', 'if (false)'),
    broken('a constant\'s initialiser means the same later',
           'Lowering/PlainCopy',
           'if (!Text || !meansSame(Read.KeptIf, Op, Place.Ops))',
           'if (!Text)'),
    broken('addresses are computed where nothing is copied',
           'Lowering/PlainCopy',
           '((!Guard.empty() || !KeepsIf.empty()) && mayNotRepeat()))',
           'false)'),
    broken('any int4 is CUDA\'s', 'Lowering/SameMeaning',
           'if (!isToolkits(D))', 'if (!isToolkits(D) && false)'),
    broken('unsigned offsets are not below 0', 'Lowering/SharedNumbers',
           'if (Number->getType()->isUnsignedIntegerType() && mayWrap(Number))',
           'if (false && mayWrap(Number))'),
    broken('what makes a group does nothing', 'Lowering/Unused',
           'return !Init || isMadeByToolkit(Init); // groups, sizes, pipelines',
           'return true;'),
]
