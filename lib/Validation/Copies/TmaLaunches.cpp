// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with launches as trees, side by side. See TmaLaunches.h.
#include "TmaLaunches.h"
#include "Validation/Trees/Addresses.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Functions with a body that launch a kernel, in the order of the text.
class Launching : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Launching(const FunctionDecl *Kernel) : Kernel(written(Kernel)) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitLambdaBody = true;
  }
  bool TraverseFunctionDecl(const FunctionDecl *F) override {
    return within(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    });
  }
  bool TraverseCXXMethodDecl(const CXXMethodDecl *F) override {
    return within(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXMethodDecl(F);
    });
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || written(F) != Kernel)
      return true;
    ++Calls;
    if (Around && !Around->isDependentContext() &&
        !llvm::is_contained(Found, Around))
      Found.push_back(Around);
    Elsewhere |= !Around;
    return true;
  }
  std::vector<const FunctionDecl *> Found;
  unsigned Calls = 0;
  bool Elsewhere = false;

private:
  const FunctionDecl *const Kernel;
  const FunctionDecl *Around = nullptr;

  static const FunctionDecl *written(const FunctionDecl *F) {
    if (const FunctionDecl *P = F->getTemplateInstantiationPattern())
      F = P;
    return F->getCanonicalDecl();
  }
  template <typename Go> bool within(const FunctionDecl *F, Go Next) {
    const FunctionDecl *Before = Around;
    // A lambda's body belongs to the function around it.
    if (!Around)
      Around = F;
    const bool Goes = Next();
    Around = Before;
    return Goes;
  }
};

Launching launching(ASTContext &Context, const FunctionDecl *Kernel) {
  Launching All(Kernel);
  for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      All.TraverseDecl(const_cast<Decl *>(D));
  return All;
}

class LaunchComparison {
public:
  LaunchComparison(const FunctionDecl *F, const Tree &Kernel,
                   const FunctionDecl *G, const TmaCode &Code)
      : F(F), G(G), Kernel(Kernel), Code(Code) {}

  /// Of all launches so far.
  std::optional<std::vector<TmaMatrix>> Matrices;

  bool same(const Tree &X, const Tree &Y) {
    if (X.is("CUDAKernelCallExpr") && Y.is("CUDAKernelCallExpr"))
      return isOurs(X, F) && isOurs(Y, G) ? launch(X, Y) : otherLaunch(X, Y);
    if (X.Kind != Y.Kind || X.Label != Y.Label || X.Type != Y.Type ||
        X.Name != Y.Name || X.Local != Y.Local ||
        X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!same(X.kid(I), Y.kid(I)))
        return false;
    return true;
  }

private:
  const FunctionDecl *F, *G;
  const Tree &Kernel; ///< the author's
  const TmaCode &Code;

  static bool isOurs(const Tree &X, const FunctionDecl *Kernel) {
    const auto *C = cast<CUDAKernelCallExpr>(X.Origin);
    const FunctionDecl *Callee = C->getDirectCallee();
    return Callee && Callee->getCanonicalDecl() == Kernel->getCanonicalDecl();
  }

  /// The kernel, the arguments, the configuration: in whatever order Clang has
  /// them. Those of the author's are the first ones of the new launch's.
  bool launch(const Tree &X, const Tree &Y) {
    const auto *A = cast<CUDAKernelCallExpr>(X.Origin);
    const auto *B = cast<CUDAKernelCallExpr>(Y.Origin);
    const unsigned N = A->getNumArgs(), M = Code.Maps.size();
    if (X.Type != Y.Type || B->getNumArgs() != N + M ||
        Y.Kids.size() != X.Kids.size() + M)
      return false;
    const size_t Front = X.Kids.size() - N;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      // The kernel's own name has another type.
      if (!isKernel(X.kid(I), A) && !same(X.kid(I), Y.kid(I)))
        return false;
    llvm::SmallVector<const Tree *, 8> Given;
    for (unsigned I = 0; I != N; ++I)
      Given.push_back(&X.kid(Front + I));
    std::vector<TmaMatrix> All;
    for (unsigned I = 0; I != M; ++I) {
      auto One = matrix(Y.kid(Front + N + I), Given);
      if (!One)
        return false;
      One->Map = Code.Maps[I];
      All.push_back(std::move(*One));
    }
    for (unsigned I = 0; Matrices && I != M; ++I)
      if (!join(All[I], (*Matrices)[I]))
        return false;
    Matrices = std::move(All);
    return true;
  }

  /// Of another kernel, whose maps are looked at with that one.
  bool otherLaunch(const Tree &X, const Tree &Y) {
    if (isOurs(X, F) || isOurs(Y, G) || X.Kids.size() > Y.Kids.size())
      return false;
    const bool Alike = X.Kids.size() == Y.Kids.size();
    for (size_t I = 0; I != Y.Kids.size(); ++I)
      if (I < X.Kids.size()
              ? (Alike ||
                 !isKernel(X.kid(I), cast<CUDAKernelCallExpr>(X.Origin))) &&
                    !same(X.kid(I), Y.kid(I))
              : !matrix(Y.kid(I), {}, /*Known=*/false))
        return false;
    return true;
  }

  /// What both launches say.
  static bool join(TmaMatrix &Into, const TmaMatrix &Other) {
    if (Into.Rows != Other.Rows || Into.Columns != Other.Columns ||
        Into.Pitch.size() != Other.Pitch.size() ||
        !keep(Into.Bases, Other.Bases))
      return false;
    for (auto [One, Two] : llvm::zip_equal(Into.Pitch, Other.Pitch)) {
      if (One.first != Two.first || One.second.size() != Two.second.size())
        return false;
      for (auto [P, Q] : llvm::zip_equal(One.second, Two.second))
        if (!keep(P, Q))
          return false;
    }
    return true;
  }
  static bool keep(TmaMatrix::Parameters &Of,
                   const TmaMatrix::Parameters &Known) {
    llvm::erase_if(Of,
                   [&](unsigned P) { return !llvm::is_contained(Known, P); });
    return !Of.empty();
  }

  static bool isKernel(const Tree &T, const CUDAKernelCallExpr *Launch) {
    return T.Origin == originOf(Launch->getCallee());
  }

  using TreeRefs = llvm::ArrayRef<const Tree *>;

  /// `kpipe::tile_map<128, 64>(A, n)`
  /// \param Known what the launch gives; else it is no matter of which matrix.
  std::optional<TmaMatrix> matrix(const Tree &Y, TreeRefs Given,
                                  bool Known = true) {
    const Tree *T = &Y;
    while (T->Kids.size() == 1 && !callsPrimitive(*T, "tile_map"))
      T = &T->kid(0);
    if (!callsPrimitive(*T, "tile_map") || T->Kids.size() != 3)
      return std::nullopt;
    const auto *Args = cast<CallExpr>(T->Origin)
                           ->getDirectCallee()
                           ->getTemplateSpecializationArgs();
    if (!Args || Args->size() < 2 ||
        Args->get(0).getKind() != TemplateArgument::Integral ||
        Args->get(1).getKind() != TemplateArgument::Integral)
      return std::nullopt;
    TmaMatrix M;
    if (!Known)
      return M;
    M.Rows = Args->get(0).getAsIntegral().getZExtValue();
    M.Columns = Args->get(1).getAsIntegral().getZExtValue();
    M.Bases = given(T->kid(1), Given, /*Pointer=*/true);
    auto Pitch = sum(T->kid(2), Given);
    if (M.Bases.empty() || !Pitch)
      return std::nullopt;
    M.Pitch = std::move(*Pitch);
    return M;
  }

  /// The parameters for which a launch gives the same.
  TmaMatrix::Parameters given(const Tree &T, TreeRefs Given, bool Pointer) {
    TmaMatrix::Parameters All;
    for (unsigned I = 0; I != Given.size(); ++I) {
      const bool Points = F->getParamDecl(I)->getType()->isPointerType();
      if (Points == Pointer && equal(plain(*Given[I]), plain(T)))
        All.push_back(I);
    }
    return All;
  }

  static const Tree &plain(const Tree &T) {
    const Tree *X = &T;
    while (X->is("ImplicitCastExpr") && X->Kids.size() == 1)
      X = &X->kid(0);
    return *X;
  }

  static bool equal(const Tree &X, const Tree &Y) {
    if (X.Kind != Y.Kind || X.Label != Y.Label || X.Type != Y.Type ||
        X.Name != Y.Name || X.Local != Y.Local ||
        X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!equal(X.kid(I), Y.kid(I)))
        return false;
    return true;
  }

  /// Is T of a parameter's type, so that it is not converted any more, or a
  /// number that every type has?
  bool isOfType(const Tree &T, unsigned Parameter) const {
    return T.is("IntegerLiteral") ||
           bare(T.Type) == bare(Kernel.kid(Parameter).Type);
  }
  static llvm::StringRef bare(llvm::StringRef Type) {
    Type.consume_back(" lvalue");
    Type.consume_front("const ");
    return Type;
  }

  using Sum = decltype(TmaMatrix::Pitch);

  /// A number that a launch gives, or a literal, or products and sums of these.
  std::optional<Sum> sum(const Tree &T, TreeRefs Given) {
    const Tree &X = plain(T);
    // A conversion to the parameter's type is what the launch does as well.
    const bool Converts =
        X.Kids.size() == 1 && X.is("CXXStaticCastExpr");
    auto P = given(Converts ? X.kid(0) : X, Given, /*Pointer=*/false);
    llvm::erase_if(P, [&](unsigned I) {
      return !isOfType(Converts ? X : plain(*Given[I]), I);
    });
    if (!P.empty())
      return Sum{{1, {std::move(P)}}};
    int64_t Number = 0;
    if (X.is("IntegerLiteral") &&
        !llvm::StringRef(X.Label).getAsInteger(10, Number))
      return Sum{{Number, {}}};
    if (!X.is("BinaryOperator") || X.Kids.size() != 2)
      return std::nullopt;
    auto L = sum(X.kid(0), Given), R = sum(X.kid(1), Given);
    if (!L || !R)
      return std::nullopt;
    if (X.Label == "+") {
      L->insert(L->end(), R->begin(), R->end());
      return L;
    }
    if (X.Label != "*")
      return std::nullopt;
    Sum Product;
    for (auto &[A, P] : *L)
      for (auto &[B, Q] : *R) {
        Product.push_back({A * B, P});
        llvm::append_range(Product.back().second, Q);
      }
    return Product;
  }
};

} // namespace

std::optional<std::vector<TmaMatrix>> matricesOfLaunches(ASTContext &Author,
                                                         const FunctionDecl *F,
                                                         ASTContext &Engine,
                                                         const FunctionDecl *G,
                                                         const TmaCode &Code) {
  const Launching Old = launching(Author, F), New = launching(Engine, G);
  if (Old.Elsewhere || New.Elsewhere || Old.Found.size() != New.Found.size() ||
      Old.Calls != New.Calls || Old.Found.empty())
    return std::nullopt;
  const std::unique_ptr<Tree> Kernel = treeOf(F, Author);
  LaunchComparison All(F, *Kernel, G, Code);
  for (auto [X, Y] : llvm::zip_equal(Old.Found, New.Found)) {
    const auto A = treeOf(X, Author), B = treeOf(Y, Engine);
    if (A->Name != B->Name || !All.same(*A, *B))
      return std::nullopt;
  }
  return std::move(All.Matrices);
}

} // namespace kpipe
