// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both trees side by side, see TmaCode.h.
#include "TmaCode.h"
#include "EngineComparison.h"
#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/SideEffects.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

/// Bytes: a tile that the copy engine swizzles begins at a multiple.
constexpr int64_t SwizzleAlignment = 1024;

class TmaComparison : EngineComparison {
public:
  explicit TmaComparison(const ASTContext &Context)
      : EngineComparison(Context) {}

  TmaCode run(const Tree &A, const Tree &B) {
    const size_t N = A.Kids.size(); // the parameters, and the body
    bool Same = N > 1 && B.Kids.size() > N && A.Type == B.Type;
    for (size_t I = 0; Same && I + 1 < N; ++I)
      Same = same(A.kid(I), B.kid(I));
    for (size_t I = N - 1; Same && I + 1 < B.Kids.size(); ++I)
      Same = isMap(B.kid(I));
    if (Same)
      Same = lists(statementsIn(*A.Kids.back()), statementsIn(*B.Kids.back()));
    Out.Same = Same && Out.Issue && !Out.Waits.empty() && !Out.Copies.empty() &&
               !Out.Arrays.empty() &&
               llvm::all_of(Out.Arrays,
                            [](const auto &X) { return X.Element != nullptr; });
    return std::move(Out);
  }

private:
  TmaCode Out;

  bool isMap(const Tree &P) {
    const auto *V = dyn_cast_or_null<ParmVarDecl>(P.Of);
    const auto *R = V ? V->getType()->getAsCXXRecordDecl() : nullptr;
    if (!R || !V->getType().isConstQualified() || !R->getIdentifier() ||
        !R->getName().starts_with("CUtensorMap"))
      return false;
    Out.Maps.push_back(V);
    return true;
  }

  bool sameAll(const Tree &X, const Tree &Y) {
    if (callsPrimitive(Y, "swizzled"))
      return element(X, Y);
    if (!sameNode(X, Y) || X.Kids.size() != Y.Kids.size() || isArray(X))
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!sameAll(X.kid(I), Y.kid(I)))
        return false;
    return true;
  }

  bool same(const Tree &X, const Tree &Y) {
    auto Before = Numbers, BeforeBack = Back;
    auto Arrays = Out.Arrays;
    if (sameAll(X, Y))
      return true;
    Numbers = std::move(Before);
    Back = std::move(BeforeBack);
    Out.Arrays = std::move(Arrays);
    return false;
  }

  /// Is one of the arrays named? Its elements are looked at apart.
  bool isArray(const Tree &X) const {
    return X.is("DeclRefExpr") && X.Of &&
           llvm::any_of(Out.Arrays, [&](const TmaArray &A) {
             return A.Author->getCanonicalDecl() == X.Of;
           });
  }

  /// `As[r][c]` and `kpipe::swizzled(As, r, c)`.
  bool element(const Tree &X, const Tree &Y) {
    if (!X.is("ArraySubscriptExpr") || X.Type != Y.Type || Y.Kids.size() != 4)
      return false;
    const Tree &Row = withoutDecay(X.kid(0));
    if (!Row.is("ArraySubscriptExpr"))
      return false;
    const Tree &Name = withoutDecay(Row.kid(0)), &Other = Y.kid(1);
    if (!Name.is("DeclRefExpr") || !Other.is("DeclRefExpr") || !Name.Local ||
        !Other.Local || !pair(Name.Local, Other.Local))
      return false;
    for (TmaArray &A : Out.Arrays)
      if (A.Author->getCanonicalDecl() == Name.Of &&
          A.Engine->getCanonicalDecl() == Other.Of) {
        A.Element = cast<CallExpr>(Y.Origin);
        return index(Row.kid(1), Y.kid(2)) && index(X.kid(1), Y.kid(3));
      }
    return false;
  }

  static const Tree &withoutDecay(const Tree &T) {
    return T.is("ImplicitCastExpr") && T.Label == "ArrayToPointerDecay" &&
                   T.Kids.size() == 1
               ? T.kid(0)
               : T;
  }

  /// What is given for a parameter is an int.
  bool index(const Tree &X, const Tree &Y) {
    auto Before = Numbers, BeforeBack = Back;
    if (sameAll(X, Y))
      return true;
    Numbers = std::move(Before);
    Back = std::move(BeforeBack);
    return Y.is("ImplicitCastExpr") && Y.Label == "IntegralCast" &&
           sameAll(X, Y.kid(0));
  }

  /// Declarations of the arrays, which may have other extents.
  bool arrays(const Tree &X, const Tree &Y) {
    if (!X.is("DeclStmt") || !Y.is("DeclStmt") ||
        X.Kids.size() != Y.Kids.size())
      return false;
    auto Before = Numbers, BeforeBack = Back;
    auto Known = Out.Arrays;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!array(X.kid(I), Y.kid(I))) {
        Numbers = std::move(Before);
        Back = std::move(BeforeBack);
        Out.Arrays = std::move(Known);
        return false;
      }
    return true;
  }

  /// Not initialised, or by a constructor that is given nothing.
  static bool hasNoValue(const Tree &Var) {
    return Var.Kids.empty() ||
           (Var.Kids.size() == 1 && Var.kid(0).is("CXXConstructExpr") &&
            Var.kid(0).Kids.empty());
  }

  bool array(const Tree &X, const Tree &Y) {
    const auto *A = dyn_cast_or_null<VarDecl>(X.Of);
    const auto *B = dyn_cast_or_null<VarDecl>(Y.Of);
    if (!A || !B || !A->hasAttr<CUDASharedAttr>() || X.Label != Y.Label ||
        X.Name != Y.Name || !hasNoValue(X) || !hasNoValue(Y) ||
        !A->getType()->isConstantArrayType() ||
        !B->getType()->isConstantArrayType() || !pair(X.Local, Y.Local))
      return false;
    if (B->getASTContext().getDeclAlign(B).getQuantity() < SwizzleAlignment)
      return X.Type == Y.Type;
    Out.Arrays.push_back({A, B, nullptr});
    return true;
  }

  /// A variable that is gone: nothing else was done there, and what would name
  /// it in the new text has no partner.
  static bool isIdle(const Tree &Var) {
    const auto *V = dyn_cast_or_null<VarDecl>(Var.Of);
    return V && V->hasLocalStorage() && !V->hasAttr<CUDASharedAttr>() &&
           !V->getType().isDestructedType() && !hasEffect(Var);
  }
  static bool hasEffect(const Tree &T) {
    return (T.Origin && hasOwnEffect(T.Origin)) ||
           llvm::any_of(T.Kids,
                        [](const auto &Kid) { return hasEffect(*Kid); });
  }
  static bool isGone(const Tree &T) {
    return T.is("DeclStmt") &&
           llvm::all_of(T.Kids, [](const auto &Kid) { return isIdle(*Kid); });
  }

  /// Declarations of which some are gone.
  bool fewer(const Tree &X, const Tree &Y) {
    if (!X.is("DeclStmt") || !Y.is("DeclStmt") ||
        X.Kids.size() <= Y.Kids.size())
      return false;
    size_t J = 0;
    for (const auto &Kid : X.Kids)
      if (J != Y.Kids.size() && same(*Kid, Y.kid(J)))
        ++J;
      else if (!isIdle(*Kid))
        return false;
    return J == Y.Kids.size();
  }

  bool lists(const TreeList &Old, const TreeList &New) {
    size_t I = 0, InFront = 0; // statements that are new, up to the loop
    for (const Tree *T : New) {
      while (I != Old.size() && !InFront && isGone(*Old[I]) &&
             !same(*Old[I], *T) && !fewer(*Old[I], *T))
        ++I;
      if (I != Old.size() && !InFront && arrays(*Old[I], *T)) {
        ++I;
      } else if (I != Old.size() && !InFront && same(*Old[I], *T)) {
        ++I;
      } else if (I != Old.size() && !InFront && fewer(*Old[I], *T)) {
        ++I;
      } else if (I != Old.size() && loop(*Old[I], *T)) {
        if (InFront != newInFront())
          return false;
        InFront = 0;
        ++I;
      } else if (isNew(*T, InFront)) {
        ++InFront;
      } else {
        return false;
      }
    }
    return I == Old.size() && !InFront;
  }

  /// The loop in which the copies are others; there is one.
  bool loop(const Tree &X, const Tree &Y) {
    if (Out.AuthorLoop || !X.is("ForStmt") || !Y.is("ForStmt") ||
        X.Kids.size() != Y.Kids.size() || X.Kids.empty())
      return false;
    for (size_t I = 0; I + 1 != X.Kids.size(); ++I)
      if (!same(X.kid(I), Y.kid(I)))
        return false;
    Out.AuthorLoop = cast<ForStmt>(X.Origin);
    Out.EngineLoop = cast<ForStmt>(Y.Origin);
    return turns(statementsIn(*X.Kids.back()), statementsIn(*Y.Kids.back()));
  }

  bool turns(const TreeList &Old, const TreeList &New) {
    size_t I = 0;
    for (size_t J = 0; J <= New.size();) {
      if (J != New.size() && I != Old.size() && same(*Old[I], *New[J])) {
        ++I, ++J;
      } else if (J != New.size() && I != Old.size() &&
                 fewer(*Old[I], *New[J])) {
        ++I, ++J;
      } else if (J != New.size() && !Out.Issue &&
                 isIssue(*New[J], "load_box")) {
        Out.Issue = cast<IfStmt>(New[J++]->Origin);
      } else if (I != Old.size() && Out.Waits.empty() && isCopy(*Old[I], 4)) {
        Out.Copies.push_back(Old[I++]->Origin);
      } else if (J != New.size() && I != Old.size() && Out.Issue &&
                 Out.Waits.empty() && isBarrier(*Old[I]) && isWait(*New[J])) {
        Out.Waits.push_back(New[J++]->Origin);
        ++I;
        if (Bit && (J == New.size() || !isFlip(*New[J])))
          return false;
        if (Bit)
          Out.Waits.push_back(New[J++]->Origin);
      } else if (I != Old.size() && isGone(*Old[I])) {
        ++I;
      } else {
        return I == Old.size() && J == New.size();
      }
    }
    return false;
  }
};

} // namespace

TmaCode compareTma(const Tree &Author, const Tree &Engine,
                   const ASTContext &Context) {
  return TmaComparison(Context).run(Author, Engine);
}

} // namespace kpipe
