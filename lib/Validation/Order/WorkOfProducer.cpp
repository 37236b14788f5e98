// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from the trees of the function and of its callees, see WorkOfProducer.h.
#include "WorkOfProducer.h"
#include "Code/KnownFunctions.h"
#include "Validation/Trees/Addresses.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is there a way to the end of a function that passes no `return`?
bool mayReturnNothing(const FunctionDecl *Body, ASTContext &Context) {
  const std::unique_ptr<CFG> G =
      CFG::buildCFG(Body, Body->getBody(), &Context, CFG::BuildOptions());
  if (!G)
    return true;
  llvm::SmallPtrSet<const CFGBlock *, 16> Met;
  llvm::SmallVector<const CFGBlock *, 16> Open{&G->getEntry()};
  while (!Open.empty()) {
    const CFGBlock *B = Open.pop_back_val();
    if (!Met.insert(B).second)
      continue;
    // A value that no case names leaves such a switch at its end.
    const auto *Switch = dyn_cast_or_null<SwitchStmt>(B->getTerminatorStmt());
    if (Switch && Switch->isAllEnumCasesCovered())
      return true;
    const bool Returns = llvm::any_of(*B, [](const CFGElement &E) {
      const auto S = E.getAs<CFGStmt>();
      return S && isa<ReturnStmt>(S->getStmt());
    });
    for (const CFGBlock *Next : B->succs()) {
      if (Next == &G->getExit() && !Returns)
        return true;
      if (Next)
        Open.push_back(Next);
    }
  }
  return false;
}

class Failures {
public:
  explicit Failures(ASTContext &Context) : Context(Context) {}

  bool in(const Tree &T, const SameForAll &Same) {
    // A closure's body runs where it is called.
    return !T.is("LambdaExpr") &&
           (itself(T, Same) || llvm::any_of(T.Kids, [&](const auto &Kid) {
              return in(*Kid, Same);
            }));
  }

private:
  ASTContext &Context;
  std::set<const FunctionDecl *> Entered;

  bool itself(const Tree &T, const SameForAll &Same) {
    const auto *B = dyn_cast_or_null<BinaryOperator>(T.Origin);
    if (B && (T.Label[0] == '/' || T.Label[0] == '%') &&
        !B->getRHS()->getType()->isRealFloatingType())
      return Same.differs(T.kid(1));
    if (element(T, Same) || someReach(T, Same) || assembly(T, Same))
      return true;
    if (isLoop(T))
      return llvm::any_of(T.Kids, [&](const auto &Kid) {
        return !Kid->Kids.empty() && !Same.come(*Kid);
      });
    const auto *C = dyn_cast_or_null<CallExpr>(T.Origin);
    const auto *Made = dyn_cast_or_null<CXXConstructExpr>(T.Origin);
    const FunctionDecl *F = C      ? C->getDirectCallee()
                            : Made ? Made->getConstructor()
                                   : nullptr;
    return F && call(T, *F, Same);
  }

  /// Is it memory whose place may be another for each thread?
  static bool element(const Tree &T, const SameForAll &Same) {
    const auto *M = dyn_cast_or_null<MemberExpr>(T.Origin);
    if (isa_and_nonnull<ArraySubscriptExpr>(T.Origin)) {
      const Expr *Base = exprOf(T.kid(0));
      const auto *Array = dyn_cast_or_null<ImplicitCastExpr>(Base);
      return Same.differs(T.kid(1)) ||
             (!(Array && Array->getCastKind() == CK_ArrayToPointerDecay) &&
              Same.differs(T.kid(0)));
    }
    return ((T.is("UnaryOperator") && T.Label == "*") ||
            (M && M->isArrow() && !T.Kids.empty() &&
             !withoutCasts(T.kid(0)).is("CXXThisExpr"))) &&
           Same.differs(T.kid(0));
  }

  static bool assembly(const Tree &T, const SameForAll &Same) {
    const auto *A = dyn_cast_or_null<GCCAsmStmt>(T.Origin);
    const std::string Text = A ? A->getAsmString() : "";
    auto Has = [&](const char *Word) {
      return Text.find(Word) != std::string::npos;
    };
    return Has("[") && (Has("tid") || Has("laneid") || Has("warpid") ||
                        llvm::any_of(T.Kids, [&](const auto &Kid) {
                          return Same.differs(*Kid);
                        }));
  }

  /// Memory that is reached in a part which some threads pass by.
  static bool someReach(const Tree &T, const SameForAll &Same) {
    const bool Chooses =
        isa_and_nonnull<AbstractConditionalOperator, IfStmt, SwitchStmt>(
            T.Origin) ||
        (T.is("BinaryOperator") && (T.Label == "&&" || T.Label == "||"));
    return Chooses && !T.Kids.empty() && Same.differs(T.kid(0)) &&
           llvm::any_of(llvm::drop_begin(T.Kids),
                        [](const auto &Kid) { return reaches(*Kid); });
  }

  static bool reaches(const Tree &T) {
    const auto *M = dyn_cast_or_null<MemberExpr>(T.Origin);
    return isa_and_nonnull<ArraySubscriptExpr>(T.Origin) ||
           (T.is("UnaryOperator") && T.Label == "*") || (M && M->isArrow()) ||
           llvm::any_of(T.Kids, [](const auto &Kid) { return reaches(*Kid); });
  }

  bool call(const Tree &T, const FunctionDecl &F, const SameForAll &Same) {
    const std::string Name = F.getNameAsString();
    if (Name == "__builtin_unreachable")
      return true;
    if (Name == "__builtin_assume" || Name == "__assume")
      return llvm::any_of(argumentsOf(T),
                          [&](const Tree *A) { return Same.differs(*A); });
    const FunctionDecl *Body = nullptr;
    if (isToolkits(&F) || !F.hasBody(Body) || !Entered.insert(Body).second)
      return false;
    if (!F.getReturnType()->isVoidType() && mayReturnNothing(Body, Context))
      return true;
    const std::unique_ptr<Tree> Callee = treeOf(Body, Context);
    return in(*Callee, SameForAll(*Callee));
  }
};

/// Whether S and what it calls hang on who runs them.
class OfThread {
public:
  OfThread(ASTContext &Context, const SameForAll &Same)
      : Context(Context), Same(Same) {}

  bool in(const Tree &T) {
    if (T.is("UnaryExprOrTypeTraitExpr"))
      return false;
    if (T.is("Var"))
      Own.insert(T.Local);
    return itself(T) ||
           llvm::any_of(T.Kids, [&](const auto &Kid) { return in(*Kid); });
  }

private:
  ASTContext &Context;
  const SameForAll &Same;
  std::set<unsigned> Own; ///< declared on the way
  std::set<const FunctionDecl *> Entered;
  bool Inside = false; ///< in a function that is called

  bool itself(const Tree &T) {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    if (T.is("DeclRefExpr"))
      return T.Local ? !Inside && !Own.count(T.Local) && Same.differs(T)
                     : V && isToolkits(V) && V->getName() == "threadIdx";
    if (const auto *A = dyn_cast_or_null<GCCAsmStmt>(T.Origin))
      return asks(A->getAsmString());
    const auto *C = dyn_cast_or_null<CallExpr>(T.Origin);
    const auto *Made = dyn_cast_or_null<CXXConstructExpr>(T.Origin);
    const FunctionDecl *F = C      ? C->getDirectCallee()
                            : Made ? Made->getConstructor()
                                   : nullptr;
    return F ? call(*F) : C != nullptr;
  }

  static bool asks(llvm::StringRef Text) {
    return llvm::any_of(
        std::initializer_list<const char *>{
            "tid", "laneid", "warpid", "lanemask", "elect.", "vote.", "shfl.",
            "match.", "redux.", "activemask"},
        [&](const char *Word) { return Text.contains(Word); });
  }

  bool call(const FunctionDecl &F) {
    const FunctionDecl *Body = nullptr;
    if (isToolkits(&F)) {
      const std::string Name = F.getQualifiedNameAsString();
      const CallKind Kind = classifyCall(&F);
      return asks(Name) ||
             llvm::StringRef(Name).contains("cooperative_groups") ||
             (Kind != CallKind::Ordinary && Kind != CallKind::Pure &&
              Kind != CallKind::AsyncCopy && Kind != CallKind::Fence &&
              Kind != CallKind::ReadOnlyLoad && Kind != CallKind::CachedLoad);
    }
    if (!F.hasBody(Body) || !Entered.insert(Body).second)
      return false;
    const std::unique_ptr<Tree> Callee = treeOf(Body, Context);
    const bool Outer = std::exchange(Inside, true);
    const bool Is = in(*Callee);
    Inside = Outer;
    return Is;
  }
};

} // namespace

bool mayFail(const Tree &Statement, const SameForAll &Function,
             ASTContext &Context) {
  return Failures(Context).in(Statement, Function);
}

bool hangsOnThread(const Tree &Statement, const SameForAll &Function,
                   ASTContext &Context) {
  return OfThread(Context, Function).in(Statement);
}

} // namespace kpipe
