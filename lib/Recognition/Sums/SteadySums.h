// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions of a loop's body as sums of values that stay the same
// throughout a tile: what is said at one place of the body can be compared with
// what is said at another. Knows no arrays.
#ifndef KPIPE_RECOGNITION_STEADYSUMS_H
#define KPIPE_RECOGNITION_STEADYSUMS_H

#include "Code/Ranges.h"
#include "Code/ThreadDependence.h"
#include "Code/Values.h"
#include "Recognition/Body/LoopFacts.h"
#include "Sums.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include <vector>

namespace kpipe {

/// A sum, and what the arithmetic that makes it may do to it.
struct SteadySum {
  Sum Of = Sum::unknown();
  /// Some of it is unsigned, so that it is the sum modulo 2^32 only.
  bool Wraps = false;
  /// Something that wraps around is widened: it is not even that.
  bool Widened = false;

  bool isExact() const { return Of.Known && !Wraps && !Widened; }
  bool isModular() const { return Of.Known && !Widened; }
};

inline SteadySum times(SteadySum S, int64_t By) {
  S.Of = times(S.Of, By);
  return S;
}

/// Times the lesser of the two.
struct Lesser {
  const clang::Expr *One, *Other;
  int64_t Times = 1;
};

class SteadySums {
public:
  explicit SteadySums(const LoopFacts &Facts);

  /// \param Around the loops of the body that E stands in the bodies of.
  SteadySum of(const clang::Expr *E,
               llvm::ArrayRef<const clang::ForStmt *> Around);
  /// The two expressions that E is the lesser of, through variables that keep
  /// what they were given; nothing if it is no minimum.
  std::optional<Lesser> lesserOf(const clang::Expr *E,
                                 llvm::ArrayRef<const clang::ForStmt *> Around);
  /// What E is never greater than, as a cast makes it shorter: of a number that
  /// is not negative, no bits are more than it. Null if it is none.
  const clang::Expr *uncut(const clang::Expr *E,
                           llvm::ArrayRef<const clang::ForStmt *> Around);
  /// Is every part of S the same for all threads, and in the whole tile?
  bool isUniform(const Sum &S) const;
  /// Nothing that S is made of is ever negative.
  bool isNeverNegative(const Sum &S) const;
  /// The same, where the variables of loops may be in it, which count up.
  bool isNeverNegative(const Sum &S,
                       llvm::ArrayRef<const clang::ForStmt *> Around);
  /// The values of E, where its own expressions tell.
  std::optional<Range64> rangeOf(const clang::Expr *E,
                                 llvm::ArrayRef<const clang::ForStmt *> Around,
                                 const Extent3 &MostThreads);
  /// Is S the index of the thread on an axis of its block, and nothing else?
  bool isThreadIndex(const Sum &S) const;
  /// Of a term that is such an index alone: its greatest value.
  std::optional<int64_t> mostOfThreads(const std::string &Term,
                                       const Extent3 &Block);
  /// Is a term a variable of at least so many bits?
  bool isVariable(const std::string &Term, unsigned Bits) const;
  /// Does the header make S more from tile to tile, and nothing else change it?
  bool onlyGrows(const Sum &S);
  /// The variable that F counts up by its own header alone; null if it does
  /// not.
  const clang::VarDecl *countsUp(const clang::ForStmt *F);
  /// What the header of a loop gives its variable; null if it does not.
  static const clang::Expr *firstValue(const clang::ForStmt *F,
                                       const clang::VarDecl *V);
  /// The variable of a loop around, as what it is made of itself.
  SteadySum variableOf(const clang::VarDecl *V);
  /// Does something differ from tile to tile that S is made of?
  bool varies(const Sum &S, const VarSet &Variant) const;
  /// How often the variable counts in S; nothing if that is not known.
  std::optional<int64_t> factorOf(const clang::VarDecl *V, const Sum &S) const;

private:
  const LoopFacts &Facts;
  clang::ASTContext &Context;
  Values Known;
  ThreadDependence Threads;
  /// What a term stands for: a variable, or an expression of variables.
  struct Part {
    const clang::VarDecl *Var = nullptr;
    llvm::FoldingSetNodeID Text;
    const clang::Expr *Of = nullptr; ///< where there is no Var
    bool Uniform = false, NeverNegative = false;
  };
  std::vector<Part> Parts;
  /// Variables that somebody may change by another name.
  VarSet Handed;
  /// Header variables that the body leaves alone.
  VarSet Advanced;
  /// Variables from before the loop that it leaves alone.
  VarSet Settled;
  /// What was declared in a statement that isIn was asked about.
  llvm::DenseMap<const clang::Stmt *, VarSet> Declared;
  unsigned Depth = 0;
  bool AsksLoop = false; ///< what the loop's condition says is being found out

  SteadySum compute(const clang::Expr *E,
                    llvm::ArrayRef<const clang::ForStmt *> Around);
  SteadySum converted(const clang::CastExpr *C,
                      llvm::ArrayRef<const clang::ForStmt *> Around);
  SteadySum binary(const clang::BinaryOperator *B,
                   llvm::ArrayRef<const clang::ForStmt *> Around);
  SteadySum variable(const clang::DeclRefExpr *D,
                     llvm::ArrayRef<const clang::ForStmt *> Around);
  SteadySum whole(const clang::Expr *E,
                  llvm::ArrayRef<const clang::ForStmt *> Around);
  SteadySum term(Part P, clang::QualType Type);
  bool isSmall(const clang::Expr *E,
               llvm::ArrayRef<const clang::ForStmt *> Around);
  /// How many bits hold the value of E, which is not negative; 64 if that is
  /// not known.
  unsigned bitsOf(const clang::Expr *E,
                  llvm::ArrayRef<const clang::ForStmt *> Around);
  bool keepsInType(const clang::BinaryOperator *B, const SteadySum &Made,
                   llvm::ArrayRef<const clang::ForStmt *> Around);
  bool isLeft(const Sum &S);
  bool addsInHeader(const clang::VarDecl *V) const;
  /// A value that a condition decides.
  struct Choice {
    const clang::Expr *Cond, *Then, *Else;
    clang::QualType Type;
    /// Stands for Else in the condition; may be null.
    const clang::VarDecl *Before = nullptr;
  };
  std::optional<Lesser>
  lesserOfArms(const Choice &C, llvm::ArrayRef<const clang::ForStmt *> Around);
  /// To an int or more, from more bits or from as many of an unsigned one.
  bool isNarrowing(const clang::CastExpr *C) const;
  const clang::Expr *beforeNarrowing(const clang::Expr *E) const;
  bool isLeft(const clang::Expr *E,
              llvm::ArrayRef<const clang::ForStmt *> Around);
  std::optional<Lesser> narrowed(std::optional<Lesser> Of,
                                 llvm::ArrayRef<const clang::ForStmt *> Around);
  /// `int run = n - k; if (run > T) run = T;`: what becomes of V before
  /// anything else is done. Nothing if it changes otherwise.
  std::optional<Choice> chosen(const clang::VarDecl *V) const;
  /// Has what E is made of another value in the tile than where V is declared?
  bool isStale(const clang::Expr *E, const clang::VarDecl *V,
               llvm::ArrayRef<const clang::ForStmt *> Around);
  const clang::Expr *given(const clang::VarDecl *V,
                           llvm::ArrayRef<const clang::ForStmt *> Around);
  /// What stands in the text of one macro has one place: the tree is asked.
  bool isIn(const clang::VarDecl *V, const clang::Stmt *S);
  /// Does V hold one value wherever the tile names it?
  bool isSteady(const clang::VarDecl *V,
                llvm::ArrayRef<const clang::ForStmt *> Around);
  bool isMadeOfSteady(const clang::Stmt *S,
                      llvm::ArrayRef<const clang::ForStmt *> Around);
  bool startsAtZeroAndGrows(const clang::VarDecl *V) const;
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STEADYSUMS_H
