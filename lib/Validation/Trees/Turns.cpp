// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the headers as they stand in the author's tree, see Turns.h.

#include "Turns.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

using namespace clang;

namespace kpipe {

namespace {

class Turns {
public:
  explicit Turns(const ASTContext &Context) : Context(Context) {}

  bool areApart(llvm::ArrayRef<const Tree *> Loops, const Tree &Place) {
    if (!Loops.empty())
      return run(Loops, Place);
    auto At = offset(Place);
    int64_t Width = sizeOf(Place);
    if (!At || Width <= 0 || Taken.size() > MostBytes)
      return false;
    for (int64_t I = 0; I != Width; ++I)
      if (!Taken.insert(*At + I).second)
        return false;
    return true;
  }

private:
  static constexpr unsigned MostTurns = 4096, MostBytes = 1 << 16;
  const ASTContext &Context;
  llvm::DenseMap<unsigned, int64_t> Counter;
  llvm::DenseSet<int64_t> Taken;
  unsigned Steps = 0;

  bool run(llvm::ArrayRef<const Tree *> Loops, const Tree &Place) {
    const Tree &F = *Loops.front(), &Var = F.kid(0).kid(0);
    auto First = value(Var.kid(0));
    if (!First)
      return false;
    Counter[Var.Local] = *First;
    for (;;) {
      auto Goes = value(F.kid(2));
      if (!Goes || ++Steps > MostTurns)
        return false;
      if (!*Goes)
        return true;
      if (!areApart(Loops.drop_front(), Place) || !step(F.kid(3), Var.Local))
        return false;
    }
  }

  bool step(const Tree &T, unsigned Local) {
    std::optional<int64_t> By = 1;
    bool Sets = T.is("BinaryOperator") && T.Label == "=";
    if (T.is("CompoundAssignOperator") && T.Label == "+=")
      By = value(T.kid(1));
    else if (Sets)
      By = value(T.kid(1));
    else if (!T.is("UnaryOperator") ||
             !llvm::StringRef(T.Label).starts_with("++"))
      return false;
    if (!By || !T.kid(0).is("DeclRefExpr") || T.kid(0).Local != Local)
      return false;
    Counter[Local] = Sets ? *By : Counter[Local] + *By;
    return Counter[Local] < (int64_t(1) << 30);
  }

  std::optional<int64_t> value(const Tree &T) {
    if (T.is("DeclRefExpr") && T.Local && Counter.count(T.Local))
      return Counter[T.Local];
    const auto *E = dyn_cast_or_null<Expr>(T.Origin);
    Expr::EvalResult R;
    if (E && !E->isValueDependent() && E->EvaluateAsInt(R, Context) &&
        !R.HasSideEffects && R.Val.getInt().isRepresentableByInt64())
      return R.Val.getInt().getExtValue();
    if (T.is("ImplicitCastExpr"))
      return value(T.kid(0));
    if (!T.is("BinaryOperator"))
      return std::nullopt;
    auto A = value(T.kid(0)), B = value(T.kid(1));
    constexpr int64_t Large = int64_t(1) << 30;
    if (!A || !B || *A < 0 || *B < 0 || *A > Large || *B > Large)
      return std::nullopt;
    const std::string &Op = T.Label;
    if ((Op == "/" || Op == "%") && *B)
      return Op == "/" ? *A / *B : *A % *B;
    if ((Op == "<<" || Op == ">>") && *B < 16)
      return Op == "<<" ? *A << *B : *A >> *B;
    if (Op == "+")
      return *A + *B;
    if (Op == "-")
      return *A - *B;
    if (Op == "*")
      return *A * *B;
    if (Op == "<")
      return *A < *B;
    if (Op == "<=")
      return *A <= *B;
    if (Op == "!=")
      return *A != *B;
    return std::nullopt;
  }

  int64_t sizeOf(const Tree &T) const {
    const auto *E = dyn_cast_or_null<Expr>(T.Origin);
    return !E || E->getType()->isIncompleteType()
               ? 0
               : Context.getTypeSizeInChars(E->getType()).getQuantity();
  }

  /// Bytes from the variable's own.
  std::optional<int64_t> offset(const Tree &T) {
    if (T.is("DeclRefExpr"))
      return 0;
    if (!T.is("ArraySubscriptExpr"))
      return T.Kids.empty() || T.is("MemberExpr") ? std::nullopt
                                                  : offset(T.kid(0));
    auto Base = offset(T.kid(0)), Index = value(T.kid(1));
    if (!Base || !Index)
      return std::nullopt;
    return *Base + *Index * sizeOf(T);
  }
};

} // namespace

bool turnsAreApart(llvm::ArrayRef<const Tree *> Loops, const Tree &Place,
                   const ASTContext &Context) {
  return Turns(Context).areApart(Loops, Place);
}

} // namespace kpipe
