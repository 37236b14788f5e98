// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RemappedCode.h.
#include "RemappedCode.h"
#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/PairedNames.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

class RemappedComparison : PairedNames {
public:
  RemappedCode run(const Tree &Author, const Tree &Remapped) {
    bool Same = Author.Kids.size() == Remapped.Kids.size() &&
                Author.Type == Remapped.Type;
    for (size_t I = 0; Same && I + 1 < Author.Kids.size(); ++I)
      Same = same(Author.kid(I), Remapped.kid(I));
    Out.Same = Same && lists(statementsIn(*Author.Kids.back()),
                             statementsIn(*Remapped.Kids.back()));
    return std::move(Out);
  }

private:
  RemappedCode Out;
  /// Flags, by the new text's numbers, and whether they were used.
  std::map<unsigned, const Expr *> Flags;

  /// `const bool aligned = …;`
  bool isFlag(const Tree &T) {
    if (!T.is("DeclStmt") || T.Kids.size() != 1 || !T.kid(0).is("Var"))
      return false;
    const auto *V = dyn_cast_or_null<VarDecl>(T.kid(0).Of);
    if (!V || !V->getType().isConstQualified() ||
        !V->getType()->isBooleanType() || !V->hasInit() ||
        !V->hasLocalStorage())
      return false;
    Flags[T.kid(0).Local] = V->getInit();
    return true;
  }

  /// A branch whose `else` is what the author has from At on. \returns how many
  /// statements of his that are.
  size_t branch(const TreeList &Old, size_t At, const Tree &New) {
    const auto *If =
        New.is("IfStmt") ? dyn_cast_or_null<IfStmt>(New.Origin) : nullptr;
    if (!If || !If->getElse() || If->getInit() || If->getConditionVariable() ||
        New.Kids.size() != 3)
      return 0;
    const TreeList Else = statementsIn(New.kid(2));
    if (Else.empty() || Else.size() > Old.size() - At)
      return 0;
    auto Before = Numbers, BeforeBack = Back;
    for (size_t I = 0; I != Else.size(); ++I)
      if (!same(*Old[At + I], *Else[I])) {
        Numbers = std::move(Before);
        Back = std::move(BeforeBack);
        return 0;
      }
    const Tree &Asked = withoutCasts(New.kid(0));
    RemappedBranch B{If, If->getCond(), false};
    if (auto Flag = Flags.find(Asked.Local);
        Asked.is("DeclRefExpr") && Flag != Flags.end()) {
      B.Condition = Flag->second;
      B.InFront = true;
    }
    Out.Branches.push_back(B);
    return Else.size();
  }

  bool lists(const TreeList &Old, const TreeList &New) {
    size_t I = 0;
    for (const Tree *T : New) {
      if (I != Old.size() && same(*Old[I], *T)) {
        ++I;
        continue;
      }
      if (isFlag(*T))
        continue;
      const size_t Taken = I != Old.size() ? branch(Old, I, *T) : 0;
      if (Taken) {
        I += Taken;
        continue;
      }
      if (I == Old.size() || !inside(*Old[I], *T))
        return false;
      ++I;
    }
    return I == Old.size();
  }

  /// A statement around others.
  bool inside(const Tree &X, const Tree &Y) {
    static const char *const Around[] = {
        "CompoundStmt", "ForStmt",    "WhileStmt",      "DoStmt",
        "IfStmt",       "SwitchStmt", "CaseStmt",       "DefaultStmt",
        "LabelStmt",    "AttributedStmt"};
    if (!llvm::is_contained(Around, X.Kind))
      return false;
    if (X.is("CompoundStmt"))
      return Y.is("CompoundStmt") && lists(statementsIn(X), statementsIn(Y));
    if (!sameNode(X, Y) || X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!same(X.kid(I), Y.kid(I)) &&
          (!isBody(X, I) ||
           !lists(statementsIn(X.kid(I)), statementsIn(Y.kid(I)))))
        return false;
    return true;
  }
};

} // namespace

RemappedCode compareRemapped(const Tree &Author, const Tree &Remapped) {
  return RemappedComparison().run(Author, Remapped);
}

} // namespace kpipe
