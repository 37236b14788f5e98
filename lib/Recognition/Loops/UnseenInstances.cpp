// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a template's text with its instances, see UnseenInstances.h.

#include "UnseenInstances.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

/// Branches of `if constexpr` that instances take.
struct Taken : ConstDynamicRecursiveASTVisitor {
  const ASTContext &Context;
  std::map<SourceLocation, unsigned> Branches; ///< 1: first, 2: second
  explicit Taken(const ASTContext &Context) : Context(Context) {}

  bool VisitIfStmt(const IfStmt *I) override {
    if (I->isConstexpr())
      if (auto Case = I->getNondiscardedCase(Context))
        Branches[I->getIfLoc()] |=
            *Case && *Case == I->getThen() ? 1 : 2;
    return true;
  }
};

/// What the text has beyond that.
struct Unseen : ConstDynamicRecursiveASTVisitor {
  const Taken &Seen;
  std::optional<Obstacle> Found;
  explicit Unseen(const Taken &Seen) : Seen(Seen) {}

  bool refuse(const Stmt *At, msg::Id What) {
    Obstacle F;
    F.Rule = RuleId::UnseenInstances;
    F.Where = At->getBeginLoc();
    F.Why = What;
    Found = std::move(F);
    return false;
  }
  bool VisitIfStmt(const IfStmt *I) override {
    if (!I->isConstexpr() || !I->getCond()->isValueDependent())
      return true;
    auto It = Seen.Branches.find(I->getIfLoc());
    unsigned Branches = It == Seen.Branches.end() ? 0 : It->second;
    if (!(Branches & 1))
      return refuse(I->getThen(), msg::branch_not_instantiated);
    if (I->getElse() && !(Branches & 2))
      return refuse(I->getElse(), msg::branch_not_instantiated);
    return true;
  }
  /// An object of a type that the arguments choose; a closure is the text's.
  static bool isOpen(const Expr *Callee) {
    const auto *D = dyn_cast<DeclRefExpr>(Callee);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && !(V->hasInit() &&
                  isa<LambdaExpr>(V->getInit()->IgnoreImplicit()));
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const Expr *Callee = C->getCallee()->IgnoreParenImpCasts();
    bool Chosen = isa<CXXDependentScopeMemberExpr, DependentScopeDeclRefExpr>(
                      Callee) ||
                  (Callee->isTypeDependent() && isOpen(Callee));
    if (!Chosen)
      return true;
    // Of what the template itself declares only a dependent type is open.
    return refuse(C, msg::callee_depends_on_arguments);
  }
};

} // namespace

std::optional<Obstacle> unseenPart(const DeviceFunction &F,
                                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Where = SM.getExpansionLoc(F.Written->getLocation());
  if (SM.isInMainFile(Where) || !F.Written->isDependentContext())
    return std::nullopt;
  Taken Seen(Context);
  for (const FunctionDecl *Body : F.Bodies)
    Seen.TraverseStmt(Body->getBody());
  Unseen Rest(Seen);
  Rest.TraverseStmt(F.Written->getBody());
  return std::move(Rest.Found);
}

} // namespace kpipe
