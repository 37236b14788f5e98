// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices and addresses of the load region for one thread and one turn of its
// copy loops: a number for what follows from these, a symbol for each value that
// is the same for all threads of the block.
#ifndef KPIPE_BOXES_OFFSETS_H
#define KPIPE_BOXES_OFFSETS_H

#include "Code/ThreadDependence.h"
#include "Code/Values.h"
#include "Polynomial.h"
#include "Recognition/Body/LoopFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include <vector>

namespace kpipe {

/// A value of the block: what is written for it, and the variable where that is
/// all of it.
struct BlockSymbol {
  const clang::Expr *Text = nullptr;
  const clang::VarDecl *Var = nullptr;
};

/// Bytes from what a symbol points to, or from where an array begins.
struct BlockAddress {
  unsigned Base = 0;
  Polynomial Bytes;
  bool operator==(const BlockAddress &O) const {
    return Base == O.Base && Bytes == O.Bytes;
  }
};

/// A sum that has been computed in fewer bits than what it is a part of: it may
/// not be what the same one is in more.
struct NarrowSum {
  Polynomial Sum;
  bool MayWrap = false;
  clang::QualType As; ///< the type that it had
  bool operator==(const NarrowSum &O) const {
    return MayWrap == O.MayWrap && Sum == O.Sum && As == O.As;
  }
};

class Offsets {
public:
  Offsets(const LoopFacts &Facts, Extent3 Block);

  /// The thread and the turns that the next questions are about.
  void setThread(std::optional<Extent3> T) { Known.Thread = T; }
  void setCounter(const clang::VarDecl *V, int64_t Value) {
    Counters.insert(V);
    Known.bind(V, Value);
  }
  /// The counter has no value any more.
  void dropCounter(const clang::VarDecl *V) { Known.bind(V, std::nullopt); }

  std::optional<int64_t> number(const clang::Expr *E) {
    return Known.evaluate(E);
  }
  std::optional<Polynomial> value(const clang::Expr *E);
  std::optional<BlockAddress> place(const clang::Expr *LValue);

  /// May E differ among the threads of the block, or the turns of copy loops?
  bool differs(const clang::Expr *E);
  /// A variable with one value for good, which it was given by its declaration.
  const clang::Expr *initialValue(const clang::VarDecl *V);

  /// The same of a symbol that is such a variable: what that comes to, in
  /// symbols that have not changed since.
  std::optional<Polynomial> initialNumber(unsigned Symbol);
  std::optional<BlockAddress> initialPlace(unsigned Symbol);

  /// What expressions stand for, whatever they are: asked before anything else.
  llvm::DenseMap<const clang::Expr *, int64_t> Fixed;
  /// Since it was emptied: numbers that may have wrapped around before they were
  /// widened. They are themselves modulo 2^32 alone.
  std::vector<Polynomial> Widened;
  /// The same of all that was widened.
  std::vector<NarrowSum> Narrow;

  const BlockSymbol &symbol(unsigned S) const { return Symbols[S]; }
  Values &values() { return Known; }

private:
  static constexpr unsigned MostDepth = 48;
  struct Value {
    Polynomial P;
    bool MayWrap = false; ///< it is P modulo 2^32 alone
  };

  const LoopFacts &Facts;
  const clang::ASTContext &Context;
  Values Known;
  ThreadDependence Threads;
  VarSet Counters;
  std::vector<BlockSymbol> Symbols;
  std::vector<llvm::FoldingSetNodeID> Seen; ///< of the symbols, empty for variables
  llvm::DenseMap<const clang::VarDecl *, unsigned> OfVariables;
  unsigned Depth = 0;
  /// Items of the body up to the last copy.
  unsigned LastCopy = 0;
  /// The value is that of a declaration in front of the loop: what changes later
  /// was something else there.
  unsigned InFront = 0;

  std::optional<Value> of(const clang::Expr *E);
  std::optional<Value> compute(const clang::Expr *E);
  std::optional<Value> converted(const clang::CastExpr *C);
  std::optional<Value> binary(const clang::BinaryOperator *B);
  std::optional<Value> variable(const clang::DeclRefExpr *D);
  std::optional<Value> opaque(const clang::Expr *E);
  std::optional<BlockAddress> pointer(const clang::Expr *E);
  std::optional<BlockAddress> pointerVariable(const clang::DeclRefExpr *D);
  bool isOfBlock(const clang::DeclRefExpr *D, const clang::VarDecl *V);
  std::optional<BlockAddress> moved(const clang::Expr *Pointer,
                                    const clang::Expr *By, int64_t Sign,
                                    clang::QualType Element);
  std::optional<Value> widened(std::optional<Value> V, clang::QualType From);
  bool isInLoop(const clang::VarDecl *V) const;
  bool isSteady(const clang::VarDecl *V);
  bool isPlain(const clang::Stmt *S);
  unsigned symbolFor(const clang::VarDecl *V, const clang::Expr *Text);
  unsigned symbolFor(const clang::Expr *E);
  /// Asks Of what V was initialised with, which is its value still.
  template <typename Ask> auto initially(const clang::VarDecl *V, Ask Of) {
    const clang::Expr *Init = initialValue(V);
    const bool Front = Init && !isInLoop(V);
    InFront += Front;
    decltype(Of(Init)) Found;
    if (Init)
      Found = Of(Init);
    InFront -= Front;
    return Found;
  }
};

} // namespace kpipe

#endif // KPIPE_BOXES_OFFSETS_H
