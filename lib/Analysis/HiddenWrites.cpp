// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects knows a local variable by its name and by pointers and references
// that can be traced to it. A store that cannot be traced, or a call that cannot
// be looked into, may change any variable whose address was taken.

#include "Rules.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

namespace {

/// Local variables whose address is kept somewhere, with the place of that.
class AddressFinder : public RecursiveASTVisitor<AddressFinder> {
public:
  llvm::DenseMap<const VarDecl *, const Expr *> Taken;

  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->getOpcode() == UO_AddrOf)
      take(U->getSubExpr(), U);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *L) {
    for (const Expr *I : L->inits())
      bind(I);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    if (!C->getConstructor()->isCopyOrMoveConstructor())
      for (const Expr *A : C->arguments())
        bind(A);
    return true;
  }

private:
  /// An object that a reference is bound to.
  void bind(const Expr *E) {
    if (E && E->isGLValue())
      take(E, E);
  }
  void take(const Expr *E, const Expr *Where) {
    E = E->IgnoreParenImpCasts();
    while (true) {
      if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase()->IgnoreParenImpCasts();
      else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && V->isLocalVarDeclOrParm() && !V->getType()->isPointerType())
        Taken.try_emplace(V, Where);
  }
};

} // namespace

void hiddenWrites(const LoopFacts &F, const Directives &,
                  llvm::SmallVectorImpl<Finding> &Out) {
  const Stmt *Write = nullptr;
  for (const MemoryAccess &A : F.Body.Memory)
    if (!Write && A.Write && A.Root.Where == Space::Unknown)
      Write = A.At;
  for (const Event &E : F.Body.Events)
    if (!Write && (E.Kind == EventKind::UnknownCall ||
                   E.Kind == EventKind::UnknownAsm))
      Write = E.At;
  if (!Write)
    return;
  AddressFinder Addresses;
  Addresses.TraverseStmt(const_cast<Stmt *>(F.Tile.Function->getBody()));
  llvm::SmallVector<const VarDecl *, 4> Hidden;
  for (auto &[V, Where] : Addresses.Taken)
    if (F.Load.Reads.count(V) || F.Header.Reads.count(V))
      Hidden.push_back(V);
  llvm::sort(Hidden, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
  for (const VarDecl *V : Hidden) {
    Finding Found{"carried-scalar",
                  startOf(Write),
                  quoted(V) + ", which the load region reads, may be changed "
                              "here through a pointer that cannot be traced",
                  {}};
    Found.Notes.push_back(
        {startOf(Addresses.Taken[V]), "its address is taken here"});
    Out.push_back(std::move(Found));
  }
}

} // namespace kpipe
