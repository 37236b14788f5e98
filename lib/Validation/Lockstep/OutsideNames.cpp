// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of what leaves an address where it is: subscripts, loads, stores, sums
// that local variables hold. Anything else is a way in. See OutsideNames.h.
#include "OutsideNames.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

/// What a node has to do with the buffer: nothing, an element of it, an address
/// as a value, or a variable in which one is.
enum class Part { None, Element, Value, Variable };

class OutsideSearch {
public:
  OutsideSearch(const Tree &Loop, const StagedBuffer &B) : Loop(Loop) {
    Staged.insert(B.Var->getCanonicalDecl());
    for (const VarDecl *V : B.Views)
      Staged.insert(V->getCanonicalDecl());
  }

  const Tree *run(const Tree &Function) {
    for (bool Again = true; Again && !Found;) {
      const size_t Before = Known.size();
      look(Function);
      Again = Known.size() != Before;
    }
    if (!Found)
      names(Loop);
    return Found;
  }

private:
  const Tree &Loop;
  std::set<const Decl *> Staged;
  /// Others that hold an address; references to elements.
  std::set<const Decl *> Known;
  const Tree *Found = nullptr;

  Part blame(const Tree &T) {
    if (!Found)
      Found = &T;
    return Part::None;
  }

  /// In the loop only what gets a stage may be named.
  void names(const Tree &T) {
    if (T.Of && Known.count(T.Of->getCanonicalDecl()))
      blame(T);
    for (const auto &Kid : T.Kids)
      names(*Kid);
  }

  bool isNamed(const Tree &T) const {
    const Decl *Of = T.Of ? T.Of->getCanonicalDecl() : nullptr;
    return (Of && (Staged.count(Of) || Known.count(Of))) ||
           llvm::any_of(T.Kids,
                        [&](const auto &Kid) { return isNamed(*Kid); });
  }

  Part named(const Tree &T) const {
    const auto *V = T.Of ? dyn_cast<VarDecl>(T.Of) : nullptr;
    if (!V || !(Staged.count(V->getCanonicalDecl()) ||
                Known.count(V->getCanonicalDecl())))
      return Part::None;
    const QualType Type = V->getType();
    const bool Pointer = Type.getNonReferenceType()->isPointerType();
    return Staged.count(V->getCanonicalDecl()) ? Pointer ? Part::Variable
                                                         : Part::Element
           : Type->isReferenceType() && !Pointer ? Part::Element
                                                 : Part::Variable;
  }

  /// Of the kids at most one may have to do with it.
  Part only(const Tree &T) {
    Part Result = Part::None;
    for (const auto &Kid : T.Kids)
      if (const Part P = look(*Kid); P != Part::None) {
        if (Result != Part::None && Result != P)
          return blame(T);
        Result = P;
      }
    return Result;
  }

  Part none(const Tree &T) {
    for (const auto &Kid : T.Kids)
      if (look(*Kid) != Part::None)
        return blame(T);
    return Part::None;
  }

  Part cast(const Tree &T) {
    const Part P = only(T);
    if (T.Label == "ArrayToPointerDecay")
      return P == Part::Element ? Part::Value : P;
    if (T.Label == "LValueToRValue")
      return P == Part::Variable ? Part::Value : Part::None;
    return llvm::StringSwitch<Part>(T.Label)
        .Cases({"PointerToBoolean", "IntegralToBoolean", "ToVoid"}, Part::None)
        .Default(P);
  }

  Part unary(const Tree &T) {
    const Part P = look(T.kid(0));
    if (P == Part::None)
      return P;
    if (T.Label == "*")
      return Part::Element;
    if (T.Label == "&")
      return P == Part::Element ? Part::Value : blame(T);
    // `++p`, `p++`, `-n`: an address, if the operand was one.
    return P == Part::Element ? P : Part::Value;
  }

  void hold(const Tree &T, const VarDecl *V, bool Reference) {
    if (!V || isa<DecompositionDecl>(V) || !V->hasLocalStorage() ||
        V->getType()->isReferenceType() != Reference ||
        !(Reference || V->getType()->isPointerType() ||
          V->getType()->isIntegerType()))
      blame(T);
    else if (!Staged.count(V->getCanonicalDecl()))
      Known.insert(V->getCanonicalDecl());
  }

  /// Sums of numbers move with the address; all else takes it apart.
  static bool takesApart(const Tree &T) {
    const auto *E = dyn_cast_or_null<Expr>(T.kid(0).Origin);
    return E && E->getType()->isIntegerType() &&
           !llvm::is_contained({"=", "+", "-", "+=", "-=", ",", "&&", "||"},
                               llvm::StringRef(T.Label));
  }

  Part binary(const Tree &T) {
    const Part Left = look(T.kid(0)), Right = look(T.kid(1));
    // Elements were loaded: their values are no addresses.
    auto address = [](Part P) { return P == Part::Value || P == Part::Variable; };
    if ((address(Left) || address(Right)) && takesApart(T))
      return blame(T);
    if (T.is("CompoundAssignOperator") || T.Label == "=") {
      if (Right == Part::None)
        return Left;
      const Tree &To = T.kid(0);
      hold(T, To.is("DeclRefExpr") && To.Of ? dyn_cast<VarDecl>(To.Of) : nullptr,
           false);
      return Part::Variable;
    }
    return llvm::StringSwitch<Part>(T.Label)
        .Cases({"<", ">", "<=", ">=", "==", "!="}, Part::None)
        .Cases({"&&", "||"}, Part::None)
        .Case(",", Right)
        .Default(Left == Part::None ? Right : Left);
  }

  Part variable(const Tree &T) {
    if (T.Kids.empty())
      return Part::None;
    const Part P = only(T);
    const auto *V = T.Of ? dyn_cast<VarDecl>(T.Of) : nullptr;
    if (P == Part::None || (V && Staged.count(V->getCanonicalDecl())))
      return Part::None;
    const bool Reference = V && V->getType()->isReferenceType();
    if (P == (Reference ? Part::Element : Part::Value))
      hold(T, V, Reference);
    else
      blame(T);
    return Part::None;
  }

  /// Functions of the toolkit that only follow the addresses that they get.
  static bool onlyFollows(const FunctionDecl *F) {
    if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isTrivial())
      return true;
    const CallKind K = classifyCall(F);
    return K == CallKind::WmmaLoad || K == CallKind::WmmaStore ||
           K == CallKind::Atomic || K == CallKind::ReadOnlyLoad ||
           K == CallKind::CachedLoad || K == CallKind::VolatileLoad ||
           K == CallKind::CachedStore || touchesOnlyArguments(F);
  }

  Part call(const Tree &T) {
    const auto *C = dyn_cast_or_null<CallExpr>(T.Origin);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    bool Any = false;
    for (const auto &Kid : T.Kids) {
      const Part P = look(*Kid);
      if (P == Part::None)
        continue;
      Any = true;
      // As a number it could be stored like one; a variable could be changed.
      const auto *E = dyn_cast_or_null<Expr>(Kid->Origin);
      if (!F || !onlyFollows(F) || P == Part::Variable ||
          (P == Part::Value && !(E && E->getType()->isPointerType())))
        return blame(T);
    }
    if (!Any || C->getType()->isVoidType() || C->getType()->isFloatingType())
      return Part::None;
    return C->isGLValue() ? Part::Element : Part::Value;
  }

  Part construction(const Tree &T) {
    const Part P = only(T);
    const auto *C = dyn_cast_or_null<CXXConstructExpr>(T.Origin);
    if (P == Part::None || (P == Part::Element && C &&
                            (C->getConstructor()->isTrivial() ||
                             touchesOnlyArguments(C->getConstructor()))))
      return Part::None;
    return blame(T);
  }

  Part look(const Tree &T) {
    if (&T == &Loop || Found)
      return Part::None;
    if (T.is("DeclRefExpr"))
      return named(T);
    if (T.is("LambdaExpr") || T.is("StmtExpr"))
      return isNamed(T) ? blame(T) : Part::None;
    if (T.is("UnaryExprOrTypeTraitExpr"))
      return Part::None;
    if (T.is("UnaryOperator"))
      return unary(T);
    if (T.is("BinaryOperator") || T.is("CompoundAssignOperator"))
      return binary(T);
    if (T.is("Var"))
      return variable(T);
    if (llvm::StringRef(T.Kind).ends_with("CastExpr"))
      return cast(T);
    if (T.is("ArraySubscriptExpr"))
      return only(T) == Part::Value ? Part::Element : Part::None;
    if (T.is("MemberExpr")) {
      const Part P = only(T);
      return P == Part::Variable ? blame(T)
             : P == Part::None   ? P
                                 : Part::Element;
    }
    if (T.is("ConditionalOperator") || T.is("MaterializeTemporaryExpr"))
      return only(T);
    if (T.is("CallExpr") || T.is("CXXMemberCallExpr") ||
        T.is("CXXOperatorCallExpr"))
      return call(T);
    if (T.is("CXXConstructExpr"))
      return construction(T);
    if (!T.Type.empty() || T.is("ReturnStmt") || T.is("GCCAsmStmt") ||
        T.is("CXXForRangeStmt"))
      return none(T);
    for (const auto &Kid : T.Kids)
      look(*Kid);
    return Part::None;
  }
};

} // namespace

const Tree *otherWayIn(const Tree &Function, const Tree &Loop,
                       const StagedBuffer &Buffer) {
  return OutsideSearch(Loop, Buffer).run(Function);
}

} // namespace kpipe
