// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every use of an array in a function, followed from its name to the access:
// through subscripts, casts, `&`, pointers that are made once, and the
// parameters of functions with a body. What cannot be followed is said to be
// so. Knows neither threads nor banks.
#ifndef KPIPE_METRICS_ARRAYUSES_H
#define KPIPE_METRICS_ARRAYUSES_H

#include "Code/Values.h"
#include "kpipe/Message.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace kpipe {

struct ArrayUse {
  enum class Kind {
    Element,   ///< bytes that a thread reads or writes at once
    Matrix,    ///< wmma: rows that are Stride apart
    MatrixRows ///< ldmatrix: each lane names a row of 16 bytes
  };
  Kind What = Kind::Element;
  /// The name, and what holds it, outermost first; the name is the last.
  const clang::DeclRefExpr *Mention = nullptr;
  std::vector<const clang::Stmt *> Path;
  /// All subscripts but that of the last dimension.
  llvm::SmallVector<const clang::Expr *, 3> Rows;
  /// The subscript of the last dimension; null stands for 0.
  const clang::Expr *Column = nullptr;
  /// Bytes behind that element at which the access begins.
  int64_t Offset = 0;
  /// Bytes of a row, from there on, that are touched; for a matrix those of one
  /// of its rows.
  uint64_t Bytes = 0;
  /// What the access relies on for its address, bytes.
  unsigned Alignment = 1;
  bool Write = false;
  /// Matrix: from one row to the next, in units of UnitBytes.
  const clang::Expr *Stride = nullptr;
  uint64_t UnitBytes = 0;
  /// MatrixRows: lanes that name a row.
  unsigned Lanes = 32;
  /// Not empty if the use cannot be followed: a clause that says how.
  Message NotUnderstood;
};

/// All uses of V, which has Rank dimensions, in the body of F.
/// \param Known tells which pointers are made once.
std::vector<ArrayUse> findArrayUses(const clang::FunctionDecl *F,
                                    const clang::VarDecl *V, unsigned Rank,
                                    Values &Known);

} // namespace kpipe

#endif // KPIPE_METRICS_ARRAYUSES_H
