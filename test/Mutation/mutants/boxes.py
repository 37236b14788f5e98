# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Boxes, and copies that are remapped.
from .mutant import Mutant, source


def boxes(file, what, old, new):
    return Mutant(f'boxes: {what}', f'lib/Boxes/{file}', old, new)


def remap(file, what, old, new):
    return Mutant(f'remapped copies: {what}', f'lib/Remap/{file}', old, new)


def pieces(file, what, old, new):
    return Mutant(f'check of remapped copies: {what}', source(file, 'lib/Validation'),
                  old, new)


BOXES = [
    boxes('TileBox.cpp', 'an element twice', 'E.To - B.Elements[I - 1].To < B.ElementBytes',
          'false'),
    boxes('TileBox.cpp', 'rows of one length', 'if (!GoesOn(I))\n        return {msg::box_rows};',
          ''),
    boxes('TileBox.cpp', 'rows equally far apart', 'All[I].To != B.First + Row * B.SharedPitch',
          'false'),
    boxes('TileBox.cpp', 'sources of rows', 'All[I].From.Bytes != *There ||', 'false ||'),
    boxes('TileBox.cpp', 'bounds of rows or columns', 'if (!OfRows && !OfColumns)',
          'if (false)'),
    boxes('TileBox.cpp', 'threads that stay away', 'if (Loop.LeftBefore)', 'if (false)'),
    boxes('BlockCopies.cpp', 'statements beside copies',
          'return fail({msg::box_other_statement});\n    return true;\n  }\n  if (const auto *F',
          'return true;\n    return true;\n  }\n  if (const auto *F'),
    boxes('Offsets.cpp', 'values that differ among threads', 'if (!isPlain(E) || differs(E))',
          'if (!isPlain(E))'),
    boxes('Offsets.cpp', 'values that the load changes', 'if (Facts.Items[I].Writes.count(V))',
          'if (false)'),
    remap('Alignments.cpp', 'steps of the loop', '(Added && (Step == 1 || Of.has(Added)))', 'true'),
    remap('Alignments.cpp', 'what divides by zero', '!mayTrap(S.Text) && ', ''),
    remap('Alignments.cpp', 'lengths of rows', 'if (Left > 1 && !askProduct(Product, Left))',
          'if (false)'),
    remap('PieceProof.cpp', 'shared rows', 'Box.SharedPitch % Bytes)', 'false)'),
    remap('PieceProof.cpp', 'numbers that wrap around',
          'if (!goesOn(Widened, At.Widened, I, Aligned))', 'if (false)'),
    remap('PieceProof.cpp', 'sums in as many bits',
          'if (!(Here.Narrow == Known.Narrow))', 'if (false)'),
    remap('PieceText.cpp', 'numbers in their types', 'if (!fits(A, E->getType()))', 'if (false)'),
    boxes('BlockCopies.h', 'bounds with a sign', '&& As == O.As', ''),
    remap('PieceProof.cpp', 'bounds within a piece', 'if (!Same && !(F.Op == BO_LT',
          'if (!Same && !((true || F.Op == BO_LT)'),
    remap('PieceText.cpp', 'types of variables',
          '} else if (!Context.hasSameUnqualifiedType(From, To)) {', '} else if (false) {'),
    remap('OwnElements.cpp', 'uses outside the loop',
          'if (mentionsIn(Loop.Function->getBody(), Array) !=\n      mentionsIn(Loop.Loop, Array))',
          'if (false)'),
    remap('Remap.cpp', 'alignment of the array',
          'All.insert({unsigned(At + Word.size()), 0, " __align__(16)"});', ''),
    remap('Remap.cpp', 'a piece for every thread', 'return OfFew * 16 <= All;',
          'return true;'),
    pieces('RemappedMeaning.cpp', 'all threads come', 'return Loop && allCome(Loop, G, Index) &&',
           'return'),
    pieces('AllCome.cpp', 'all threads come to a function', 'C.In && allCome(C.At, C.In, Index, Depth + 1)',
           'true'),
    pieces('PiecesRun.cpp', 'the same words', 'if (Pieces != Authors || Pieces[0].empty())',
           'if (Pieces[0].empty())'),
    pieces('PiecesRun.cpp', 'each word once',
           'Good &=\n            To.try_emplace({Place.Base, Place.Number + B}, Word).second;',
           'To.try_emplace({Place.Base, Place.Number + B}, Word);'),
    pieces('PiecesRun.cpp', 'aligned sources', 'From->Number % 16 == 0 &&', ''),
    pieces('PiecesRun.cpp', 'pointers that are asked', 'AlignedBases.count(From->Base)', 'true'),
    pieces('PiecesRun.cpp', 'all threads alike', '(Holds && *Holds != Here)', 'false'),
    pieces('WordsStored.cpp', 'other stores', 'Other |= !isOwn(To);', ''),
    pieces('WordsStored.cpp', 'calls', 'Other |= !Computes && !isReadOnlyLoad(C);', ''),
    pieces('RemappedCode.cpp', 'the rest of the function', 'Out.Same = Same &&',
           'Out.Same = true ||'),
]
