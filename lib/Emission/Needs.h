// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements each half of a split load keeps, and so which variables it
// computes with.
#ifndef KPIPE_EMISSION_NEEDS_H
#define KPIPE_EMISSION_NEEDS_H

#include "LoadHalves.h"
#include "NamesUsed.h"
#include "SourceText.h"
#include "kpipe/Plan.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// The copies, or the helper's call, in a statement.
struct CopiesIn {
  llvm::SmallVector<unsigned, 2> Copies;
  const clang::CallExpr *Call = nullptr;
};

class HalfNeeds {
public:
  HalfNeeds(const TileLoop &Loop, const PipelinePlan &Plan,
            const SourceText &Source, llvm::ArrayRef<HelperUse> Helpers);

  /// Does this half read the variable?
  bool reads(Half Which, const clang::VarDecl *V) const;
  /// Does this half keep a statement that makes no copy?
  bool keepsLeaf(const clang::Stmt *S, Half Which) const;
  /// Does a declaration that this half keeps declare the variable for nothing?
  bool doesWithout(const clang::VarDecl *V, Half Which) const;
  /// Does this half keep some of the declaration's variables only?
  bool keepsFewer(const clang::DeclStmt &S, Half Which) const;
  /// A declaration of types and other names: nothing to do by itself.
  static bool declaresNoVariable(const clang::Stmt *S);
  /// \param Within the call of whose helper the statement is a part; null for
  /// the loop's own.
  CopiesIn copiesIn(const clang::Stmt *S, const clang::CallExpr *Within) const;
  /// The statement as a loop whose parts a half keeps one by one, or null.
  const clang::ForStmt *takenApart(const clang::Stmt *S,
                                   const clang::CallExpr *Within) const;

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  std::vector<HelperUse> Helpers;
  /// The call whose helper's body is looked at; null for the loop's own.
  const clang::CallExpr *Within = nullptr;
  VarSet Needs[2];       ///< variables that each half computes with
  VarSet StoreArguments; ///< that the store half passes to clones of helpers
  DeclSet Spelled[2];    ///< types and other names that each half spells

  void findNeeds();
  bool settle(const clang::Stmt *S, Half Which, bool &Growing);
  bool settleLeaf(const clang::Stmt *S, Half Which, bool &Growing);
  void use(const clang::Stmt *Part, Half Which, bool &Growing);
  void spell(unsigned Index, const clang::Stmt *Whole, Half Which,
             bool &Growing);
  bool declaredInLoop(const clang::VarDecl *V) const;
  bool keepsCopy(unsigned Index, Half Which) const;
  bool fillsTemporary(const clang::Stmt *S) const;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_NEEDS_H
