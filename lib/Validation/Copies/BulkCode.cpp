// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both trees side by side, see BulkCode.h.
#include "BulkCode.h"
#include "EngineComparison.h"
#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/JumpMeaning.h"
#include "WordsStored.h"

using namespace clang;

namespace kpipe {

namespace {

class BulkComparison : EngineComparison {
public:
  BulkComparison(const ASTContext &Context, const ASTContext &Engine)
      : EngineComparison(Context), Engine(Engine) {}

  BulkCode run(const Tree &A, const Tree &B) {
    const size_t N = A.Kids.size(); // the parameters, and the body
    bool Same = N && B.Kids.size() == N && A.Type == B.Type;
    for (size_t I = 0; Same && I + 1 < N; ++I)
      Same = same(A.kid(I), B.kid(I));
    Out.Same =
        Same &&
        lists(statementsIn(*A.Kids.back()), statementsIn(*B.Kids.back())) &&
        Out.EngineLoop && Out.Issue && !Out.Waits.empty() &&
        !Out.Copies.empty();
    return std::move(Out);
  }

private:
  const ASTContext &Engine;
  BulkCode Out;
  unsigned Flag = 0; ///< the variable of what is asked

  bool lists(const TreeList &Old, const TreeList &New) {
    size_t I = 0, InFront = 0; // statements that are new, up to the loop
    for (const Tree *T : New) {
      const bool Asked = Flag && !Out.EngineLoop;
      if (I != Old.size() && !InFront && !Asked && same(*Old[I], *T)) {
        ++I;
      } else if (I != Old.size() && InFront && loop(*Old[I], *T)) {
        if (InFront != newInFront())
          return false;
        InFront = 0;
        ++I;
      } else if (!InFront && !Asked && isFlag(*T)) {
        continue;
      } else if (!Out.EngineLoop && isNew(*T, InFront)) {
        if (++InFront == 2)
          Out.Init = dyn_cast_or_null<IfStmt>(T->Origin);
      } else {
        return false;
      }
    }
    return I == Old.size() && !InFront;
  }

  /// `const bool aligned = …;`
  bool isFlag(const Tree &T) {
    const auto *V = T.is("DeclStmt") && T.Kids.size() == 1
                        ? dyn_cast_or_null<VarDecl>(T.kid(0).Of)
                        : nullptr;
    if (Flag || !V || !V->hasLocalStorage() || !V->getInit() ||
        T.kid(0).Type != "const bool" || !changesNothing(V->getInit(), Engine))
      return false;
    Flag = T.kid(0).Local;
    Out.Condition = V->getInit();
    return true;
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
      const bool Open = Out.Issue && Out.Waits.empty();
      if (J != New.size() && !Out.Issue && isIssue(*New[J], "load_row")) {
        Out.Issue = cast<IfStmt>(New[J++]->Origin);
        if (Flag && !beside(Old, I, New, J))
          return false;
      } else if (J != New.size() && Open && !Flag && I != Old.size() &&
                 isBarrier(*Old[I]) && waits(New, J)) {
        ++I;
      } else if (J != New.size() && I != Old.size() && same(*Old[I], *New[J])) {
        if (Open)
          Out.Between.push_back(Old[I]);
        ++I, ++J;
      } else if (I != Old.size() && Out.Waits.empty() && !Flag &&
                 isCopy(*Old[I], 1)) {
        Out.Copies.push_back(Old[I++]->Origin);
      } else {
        return I == Old.size() && J == New.size();
      }
    }
    return false;
  }

  bool waits(const TreeList &New, size_t &J) {
    if (J == New.size() || !isWait(*New[J]))
      return false;
    Out.Waits.push_back(New[J++]->Origin);
    if (!Bit)
      return true;
    if (J == New.size() || !isFlip(*New[J]))
      return false;
    Out.Waits.push_back(New[J++]->Origin);
    return true;
  }

  /// The wait, and what threads do where rows are unaligned: `if (!aligned) {`,
  /// copies, their barrier, `}`.
  bool beside(const TreeList &Old, size_t &I, const TreeList &New, size_t &J) {
    if (!waits(New, J) || J == New.size() || !New[J]->is("IfStmt") ||
        New[J]->Kids.size() != 2)
      return false;
    const Tree &Not = New[J]->kid(0);
    if (!Not.is("UnaryOperator") || Not.Label != "!" || Not.Kids.size() != 1 ||
        !names(Not.kid(0), Flag))
      return false;
    const TreeList Then = statementsIn(New[J++]->kid(1));
    for (const Tree *T : Then) {
      if (I == Old.size() || !same(*Old[I], *T))
        return false;
      const bool Last = T == Then.back();
      if (Last ? !isBarrier(*Old[I]) : !isCopy(*Old[I], 1))
        return false;
      if (!Last)
        Out.Copies.push_back(Old[I]->Origin);
      ++I;
    }
    return Then.size() > 1;
  }
};

} // namespace

BulkCode compareBulk(const Tree &Author, const Tree &Engine,
                     const ASTContext &Context,
                     const ASTContext &EngineContext) {
  return BulkComparison(Context, EngineContext).run(Author, Engine);
}

} // namespace kpipe
