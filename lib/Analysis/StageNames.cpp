// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds mentions with what stands around them, see StageNames.h.
#include "StageNames.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

class MentionFinder : public RecursiveASTVisitor<MentionFinder> {
  using Base = RecursiveASTVisitor<MentionFinder>;

public:
  explicit MentionFinder(const StagedBuffer &B) : B(B) {}
  llvm::SmallVector<Mention, 8> Found;

  bool VisitDeclRefExpr(DeclRefExpr *D) {
    // A template's pattern and its instantiations declare at one place.
    auto is = [&](const VarDecl *V) {
      return D->getDecl() == V ||
             (isa<VarDecl>(D->getDecl()) &&
              D->getDecl()->getLocation() == V->getLocation());
    };
    if (is(B.Var) || llvm::any_of(B.Views, is))
      Found.push_back({D, Copied && !Unevaluated, Unevaluated ? nullptr : Fixed});
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *L) {
    llvm::SaveAndRestore Keep(Copied,
                              Copied || L->getCaptureDefault() == LCD_ByCopy);
    llvm::SaveAndRestore<const char *> Before(Fixed, Fixed);
    if (L->getCaptureDefault() == LCD_None)
      Fixed = "is mentioned in a lambda that captures nothing by default";
    return Base::TraverseLambdaExpr(L);
  }
  bool TraverseCXXRecordDecl(CXXRecordDecl *R) {
    llvm::SaveAndRestore<const char *> Before(Fixed, "is mentioned in a local class");
    return Base::TraverseCXXRecordDecl(R);
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) {
    llvm::SaveAndRestore<const char *> Before(Fixed, "is a template argument");
    return Base::TraverseTemplateArgumentLoc(A);
  }
  bool TraverseVarDecl(VarDecl *V) {
    llvm::SaveAndRestore<const char *> Before(Fixed, Fixed);
    if (V->isConstexpr() || V->isStaticLocal())
      Fixed = "is a part of a constant";
    return Base::TraverseVarDecl(V);
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    llvm::SaveAndRestore Inside(Unevaluated, true);
    return Base::TraverseUnaryExprOrTypeTraitExpr(E);
  }
  // A reference has another type than what it refers to.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc T, bool Qualifier = true) {
    return inType([&] { return TraverseStmt(T.getUnderlyingExpr()); });
  }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc T, bool Qualifier = true) {
    return inType([&] { return TraverseStmt(T.getUnderlyingExpr()); });
  }

private:
  const StagedBuffer &B;
  bool Copied = false, Unevaluated = false;
  const char *Fixed = nullptr;

  template <typename Body> bool inType(Body Traverse) {
    llvm::SaveAndRestore<const char *> Before(Fixed, "has its type asked for");
    llvm::SaveAndRestore Inside(Unevaluated, false);
    return Traverse();
  }
};

} // namespace

llvm::SmallVector<Mention, 8> mentionsIn(const Stmt *S, const StagedBuffer &B) {
  MentionFinder F(B);
  F.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(F.Found);
}

llvm::SmallVector<Mention, 8> mentionsOf(const StagedBuffer &B,
                                         const FunctionDecl *F) {
  auto All = mentionsIn(F->getBody(), B);
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
      Pattern && Pattern != F)
    for (const Mention &M : mentionsIn(Pattern->getBody(), B))
      if (llvm::none_of(All, [&](const Mention &Known) {
            return Known.At->getLocation() == M.At->getLocation();
          }))
        All.push_back(M);
  return All;
}

} // namespace kpipe
