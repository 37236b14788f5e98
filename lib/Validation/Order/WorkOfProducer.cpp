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
