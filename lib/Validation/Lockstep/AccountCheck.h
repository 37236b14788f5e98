// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lambdas of one loop do with the author's statements, counted: each
// effect happens once; what a half leaves out changes nothing that it reads; no
// half reads what another one changes. Private to the validation.
#ifndef KPIPE_VALIDATION_ACCOUNTCHECK_H
#define KPIPE_VALIDATION_ACCOUNTCHECK_H

#include "Matcher.h"

namespace kpipe {

/// The author's nodes in order, and what is around each.
struct Ordered {
  struct Entry {
    const Tree *Node;
    const Tree *Loop; ///< the innermost one around it
    bool InLambda;    ///< or in a function of a class of the body's own
    size_t End = 0;   ///< behind the last node below it
  };
  std::vector<Entry> All;
  void add(const Tree &T, const Tree *Loop, bool InLambda);
};

class AccountCheck {
public:
  /// \param A the loop, of which the account of \p M is.
  AccountCheck(Matcher &M, const Tree &A);

  /// \returns false if something differs, which the matcher then knows.
  bool run();

private:
  Matcher &M;
  const Tree &A;
  const TileLoop &T;
  Account &Counted;
  Ordered Nodes;
  size_t OwnEnd = 0; ///< of the nodes of the loop itself
  /// The moved statements, each under the author's own node.
  llvm::DenseSet<const Tree *> Statements;
  llvm::DenseSet<const clang::Stmt *> Exempt; ///< the copies
  /// Halves that change a variable, as a bit set.
  llvm::DenseMap<const clang::VarDecl *, unsigned> ChangedIn;
  llvm::DenseSet<const clang::VarDecl *> SetAnew;

  bool checkCopies();
  /// Each call of a helper has a tile of its own, in both halves the same.
  bool checkTiles();
  /// Are the loops around the store those that its registers are counted for?
  bool hasItsLoops(const TileCopy &C, const clang::Stmt *Body) const;
  bool checkNode(const Ordered::Entry &E);
  bool checkEffect(const Ordered::Entry &E, const clang::VarDecl *V);
  /// A half that leaves the change of V out must not read it behind.
  bool checkUpdate(const Ordered::Entry &E, const clang::VarDecl *V);
  bool checkReads();
  bool isOfBody(const clang::VarDecl *V) const;
  bool isSetAnew(const clang::VarDecl *V, size_t At) const;
  /// Does each half write the elements of an array before it reads them?
  bool hasElementsAnew(const clang::VarDecl *V);
  llvm::DenseMap<const clang::VarDecl *, bool> ElementsAnew; ///< as asked for
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_ACCOUNTCHECK_H
