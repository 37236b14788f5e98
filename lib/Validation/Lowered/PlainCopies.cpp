// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a = b`, `a = c ? b : zero`, `if (c) …`, and loops over words, of one thread
// or of a group. See PlainCopies.h.
#include "PlainCopies.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct Assignment {
  const Tree *To = nullptr, *From = nullptr;
};

const Tree &valueIn(const Tree &T) {
  const Tree *Up = &withoutCasts(T);
  // A class is copied by a constructor that is none of the author's.
  while (Up->is("CXXFunctionalCastExpr") && Up->Kids.size() == 1 &&
         Up->kid(0).is("CXXConstructExpr"))
    Up = &withoutCasts(Up->kid(0));
  return *Up;
}

/// One of values whose bytes are all that they are.
std::optional<Assignment> assignmentIn(const Tree &T, const Frame &F) {
  const Tree &E = withoutCasts(T);
  const Expr *Whole = exprOf(E);
  if (!Whole || !Whole->getType().isTriviallyCopyableType(F.Context) ||
      Whole->getType().isVolatileQualified())
    return std::nullopt;
  if (E.is("BinaryOperator") && E.Label == "=")
    return Assignment{&E.kid(0), &E.kid(1)};
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(calleeOf(E));
  if (E.is("CXXOperatorCallExpr") && E.Kids.size() == 3 && Method &&
      Method->isTrivial() &&
      (Method->isCopyAssignmentOperator() ||
       Method->isMoveAssignmentOperator()))
    return Assignment{&E.kid(1), &E.kid(2)};
  return std::nullopt;
}

bool isZero(const Tree &T, const Frame &F) {
  if (T.is("ImplicitValueInitExpr") || T.is("CXXScalarValueInitExpr"))
    return true;
  const Expr *E = exprOf(T);
  if (!E)
    return false;
  if (constantOf(T, F) == 0)
    return true;
  bool List = T.is("InitListExpr");
  bool Around = isa<CXXFunctionalCastExpr, MaterializeTemporaryExpr,
                    CXXBindTemporaryExpr>(E) ||
                &withoutCasts(T) != &T;
  if (Around && T.Kids.size() == 1)
    return isZero(T.kid(0), F);
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (Made && T.Kids.empty())
    return Made->requiresZeroInitialization();
  if (Made && Made->getConstructor()->isCopyOrMoveConstructor() &&
      Made->getConstructor()->isTrivial() && T.Kids.size() == 1)
    return isZero(T.kid(0), F);
  return List &&
         llvm::all_of(T.Kids, [&](const auto &Kid) { return isZero(*Kid, F); });
}

class Match {
public:
  Match(const Frame &F, const AsyncEvent &Copy) : F(F), Copy(Copy) {}

  bool statement(const Tree &T) {
    if (T.is("CompoundStmt") && T.Kids.size() == 1)
      return statement(T.kid(0));
    if (T.is("IfStmt") && T.Kids.size() == 2 && T.Label.empty() && !Only) {
      Only = askedBy(T.kid(0), F);
      return statement(T.kid(1));
    }
    if (!(Only == Copy.Only))
      return false;
    if (T.is("ForStmt"))
      return Copy.Group.empty() ? words(T) : groupsWords(T);
    return Copy.Group.empty() && assigns(T, Sum(), false) &&
           Copy.Bytes == Sum{{"", int64_t(Size)}};
  }

private:
  const Frame &F;
  const AsyncEvent &Copy;
  std::optional<Truth> Only;
  unsigned Size = 0; ///< of what was assigned

  /// Word: the place behind the copy's beginning, in words of Size.
  bool assigns(const Tree &T, const Sum &Word, bool Counts) {
    std::optional<Assignment> A = assignmentIn(T, F);
    if (!A)
      return false;
    QualType Type = exprOf(*A->To)->getType();
    Size = F.Context.getTypeSizeInChars(Type).getQuantity();
    unsigned Alignment = F.Context.getTypeAlignInChars(Type).getQuantity();
    if (Alignment > Copy.Alignment && Copy.Alignment < 16)
      return false;
    const Tree *From = &valueIn(*A->From);
    if (Copy.Kept) {
      if (!From->is("ConditionalOperator") || From->Kids.size() != 3)
        return false;
      Truth Kept = askedBy(From->kid(0), F);
      if (!(Kept == *Copy.Kept) || !isZero(From->kid(2), F))
        return false;
      From = &valueIn(From->kid(1));
    } else if (Copy.Part) {
      if (!Counts || !From->is("ConditionalOperator") ||
          From->Kids.size() != 3 || !isInPart(From->kid(0), Word) ||
          !isZero(From->kid(2), F))
        return false;
      From = &valueIn(From->kid(1));
    }
    return isAt(*A->To, Copy.To, Word, Counts) &&
           isAt(*From, Copy.From, Word, Counts);
  }

  /// Asks the condition whether a word, all of it, is copied? `word * 4 < n`,
  /// or with n zeros `word * 4 + n < all`.
  bool isInPart(const Tree &Condition, const Sum &Word) const {
    const Tree &C = withoutCasts(Condition);
    if (!C.is("BinaryOperator") || C.Label != "<" || C.Kids.size() != 2)
      return false;
    Sum At;
    for (const auto &[Term, Times] : Word)
      At[Term] = Times * Size;
    const Tree *First = &C.kid(0), *Part = &C.kid(1);
    if (Copy.PartIsZeros) {
      while (First->is("ImplicitCastExpr") && First->Kids.size() == 1 &&
             First->Label == "IntegralCast")
        First = &First->kid(0);
      auto All = constantOf(*Part, F);
      if (!First->is("BinaryOperator") || First->Label != "+" || !All ||
          Copy.Bytes != Sum{{"", *All}})
        return false;
      Part = &First->kid(1);
      First = &First->kid(0);
    }
    const Sum Asked = numberOf(*Part, F, 1);
    return numberOf(*First, F, 1) == At && !effectsIn(*Part) &&
           Asked == numberOf(*Copy.Part, *Copy.PartIn, 1) &&
           isWhole(*Copy.Part);
  }

  /// Is what is whole words still so, as another integer? A truth is 1.
  static bool keepsWhole(const Tree &T) {
    const Expr *E = exprOf(T);
    const auto *C = dyn_cast_or_null<ImplicitCastExpr>(E);
    return T.Kids.size() == 1 &&
           (isa_and_nonnull<ParenExpr>(E) ||
            (C && (C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_IntegralCast)));
  }

  /// Is a number of bytes one of words, by the numbers that it is made of?
  bool isWhole(const Tree &Number) const {
    const Frame &In = *Copy.PartIn;
    const Tree *T = &Number;
    for (unsigned Steps = 0; Steps != 8; ++Steps) {
      if (llvm::all_of(numberOf(*T, In, 1), [&](const auto &Term) {
            return Term.second % Size == 0;
          }))
        return true;
      while (keepsWhole(*T))
        T = &T->kid(0);
      if (T->is("BinaryOperator") && (T->Label == "+" || T->Label == "-"))
        return isWhole(T->kid(0)) && isWhole(T->kid(1));
      if (T->is("ConditionalOperator") && T->Kids.size() == 3)
        return isWhole(T->kid(1)) && isWhole(T->kid(2));
      const Tree *Value =
          T->is("DeclRefExpr") && T->Local ? In.initOf(T->Local) : nullptr;
      if (!Value)
        return false;
      T = Value;
    }
    return false;
  }

  bool isAt(const Tree &Place, const Sum &Begin, const Sum &Word,
            bool Counts) const {
    Sum At = addressOf(Place, F), Want = Begin;
    if (Counts)
      for (const auto &[Term, Times] : Word)
        Want[Term] += Times * Size;
    return At == Want;
  }

  /// `for (int w = first; w < count; step)`, and what w is.
  struct Header {
    const Tree *First, *Count, *Step;
    unsigned Counter;
    Sum Word;
  };
  std::optional<Header> header(const Tree &T) const {
    std::vector<const Tree *> Parts;
    for (const auto &Kid : T.Kids)
      if (!Kid->is("-"))
        Parts.push_back(Kid.get());
    if (Parts.size() != 4 || !Parts[0]->is("DeclStmt") ||
        Parts[0]->Kids.size() != 1 || !Parts[0]->kid(0).is("Var") ||
        Parts[0]->kid(0).Kids.size() != 1 || !Parts[1]->is("BinaryOperator") ||
        Parts[1]->Label != "<")
      return std::nullopt;
    const Tree &Var = Parts[0]->kid(0);
    const Tree &Asked = Parts[1]->kid(0);
    const Tree *Name = &Asked;
    while (Name->is("ImplicitCastExpr") && Name->Kids.size() == 1 &&
           (Name->Label == "LValueToRValue" || Name->Label == "IntegralCast"))
      Name = &Name->kid(0);
    if (!Name->is("DeclRefExpr") || Name->Local != Var.Local)
      return std::nullopt;
    return Header{&Var.kid(0), &Parts[1]->kid(1), Parts[2], Var.Local,
                  numberOf(Asked, F, 1)};
  }

  bool isCounter(const Tree &T, const Header &H) const {
    return T.is("DeclRefExpr") && T.Local == H.Counter;
  }

  bool words(const Tree &T) {
    std::optional<Header> H = header(T);
    if (!H || constantOf(*H->First, F) != 0 || !H->Step->is("UnaryOperator") ||
        H->Step->Label.substr(0, 2) != "++" || !isCounter(H->Step->kid(0), *H))
      return false;
    return assigns(*T.Kids.back(), H->Word, true) &&
           numberOf(*H->Count, F, Size) == Copy.Bytes;
  }

  /// Its class may have got the method from another.
  static const Tree &groupIn(const Tree &Object) {
    const Tree *T = &withoutCasts(Object);
    while (T->Kids.size() == 1 && (T->Label == "DerivedToBase" ||
                                   T->Label == "UncheckedDerivedToBase"))
      T = &withoutCasts(T->kid(0));
    return *T;
  }

  /// `group.thread_rank()` or `group.size()`.
  bool asksGroup(const Tree &T, llvm::StringRef Method) const {
    const Tree *Call = &T;
    while (Call->is("ImplicitCastExpr") && Call->Kids.size() == 1)
      Call = &Call->kid(0);
    const FunctionDecl *Callee = calleeOf(*Call);
    if (!Callee || !isToolkits(Callee) || Call->Kids.size() != 1 ||
        Callee->getNameAsString() != Method)
      return false;
    // A static method is a function that decays.
    const Tree *Of = &Call->kid(0);
    while (Of->is("ImplicitCastExpr") && Of->Kids.size() == 1)
      Of = &Of->kid(0);
    return Of->is("MemberExpr") && Of->Kids.size() == 1 &&
           spelled(groupIn(Of->kid(0)), F) == Copy.Group;
  }

  bool groupsWords(const Tree &T) {
    std::optional<Header> H = header(T);
    if (!H || !asksGroup(*H->First, "thread_rank") ||
        !H->Step->is("CompoundAssignOperator") || H->Step->Label != "+=" ||
        !isCounter(H->Step->kid(0), *H) || !asksGroup(H->Step->kid(1), "size"))
      return false;
    return assigns(*T.Kids.back(), H->Word, true) &&
           numberOf(*H->Count, F, Size) == Copy.Bytes;
  }
};

} // namespace

bool isPlainCopy(const Tree &Plain, const Frame &F, const AsyncEvent &Copy) {
  return Match(F, Copy).statement(Plain);
}

bool isOneAssignment(const Tree &Plain) {
  const Tree &E = withoutCasts(Plain);
  return (E.is("BinaryOperator") || E.is("CXXOperatorCallExpr")) &&
         !valueIn(*E.Kids.back()).is("ConditionalOperator");
}

} // namespace kpipe
