// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from the trees of the function and of its callees, see WorkOfProducer.h.
#include "WorkOfProducer.h"
#include "Code/KnownFunctions.h"
#include "Validation/Trees/Addresses.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

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
    const std::unique_ptr<Tree> Callee = treeOf(Body, Context);
    return in(*Callee, SameForAll(*Callee));
  }
};

} // namespace

bool mayFail(const Tree &Statement, const SameForAll &Function,
             ASTContext &Context) {
  return Failures(Context).in(Statement, Function);
}

} // namespace kpipe
