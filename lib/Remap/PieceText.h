// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's copy of one element as a copy of 16 bytes: its own expressions,
// with the row and the column of the piece in place of what hangs on the thread.
#ifndef KPIPE_REMAP_PIECETEXT_H
#define KPIPE_REMAP_PIECETEXT_H

#include "Alignments.h"
#include "Boxes/TileBox.h"
#include "Emission/SourceText.h"
#include <set>

namespace kpipe {

/// Names of a piece.
struct PieceNames {
  std::string Piece, Row, Column;
};

class PieceText {
public:
  static constexpr unsigned Bytes = 16; ///< of a piece

  PieceText(const LoopFacts &Facts, TileBoxes &Boxes, const TileBox &Box,
            const SourceText &Source, const PieceNames &Names);

  /// The statement that copies a piece; empty with Why where there is none.
  std::string statement();
  /// Row and column of a piece, as a declaration.
  std::string declaration() const;
  /// Pieces of the whole box.
  unsigned pieces() const { return Box.Rows * perRow(); }

  /// Each piece is what its elements are together, if that holds.
  bool holds(Alignments &Aligned);
  Message Why;

private:
  const LoopFacts &Facts;
  TileBoxes &Boxes;
  const TileBox &Box;
  const SourceText &Source;
  const PieceNames &Names;
  const TileCopy &Copy; ///< whose text it is
  const unsigned Elements; ///< of a piece

  /// What stands for an expression: Row, Column and a number, with factors.
  struct Affine {
    int64_t Row = 0, Column = 0, Rest = 0;
    /// Row or Column alone.
    bool isName() const {
      return !Rest && ((Row == 1 && !Column) || (Column == 1 && !Row));
    }
  };
  llvm::DenseMap<const clang::Expr *, Affine> Numbers;
  /// Of Row and Column.
  clang::QualType Type;

  unsigned perRow() const { return Box.Columns / Elements; }
  bool fail(Message M);
  std::optional<Affine> affine(const clang::Expr *E);
  bool fits(const Affine &A, clang::QualType T) const;
  std::string text(const Affine &A, clang::QualType T, bool Operand);
  std::optional<std::string> write(const clang::Expr *E);
  bool collect(const clang::Expr *E, std::set<Edit> &Edits, bool Operand);
  bool collectKids(const clang::Expr *E, std::set<Edit> &Edits);
  bool keepsOperator(const clang::Expr *E, const Affine &A);
  bool number(const clang::Expr *E, const Affine &A, bool Operand,
              std::set<Edit> &Edits);
  bool replace(const clang::Expr *E, std::string By, std::set<Edit> &Edits);
  bool inlined(const clang::Expr *E, const clang::VarDecl *V,
               const clang::Expr *Init, std::set<Edit> &Edits);
  bool isOfLoop(const clang::VarDecl *V) const;
  bool namesOfLoop(const clang::Expr *E) const;
  bool namesShadowed(const clang::Expr *E) const;
  std::string guard();
  void set(unsigned Row, unsigned Column);
  bool holdsFor(unsigned Row, unsigned Column, Alignments &Aligned);
  bool goesOn(const std::vector<Polynomial> &First,
              const std::vector<Polynomial> &Here, unsigned By,
              Alignments &Aligned);
};

} // namespace kpipe

#endif // KPIPE_REMAP_PIECETEXT_H
