// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoweredCode.h. Lists of statements are walked side by side: what is equal
// is passed, what is asynchronous has to be found again as a copy, a barrier or
// nothing, and what only made an object of such operations may be missing.
#include "LoweredCode.h"
#include "Arrivals.h"
#include "BarrierTrees.h"
#include "Code/KnownFunctions.h"
#include "GoneStatements.h"
#include "OpenedBranches.h"
#include "PlainCopies.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/OwnCounter.h"
#include "Validation/Trees/PairedNames.h"
#include "Validation/Trees/SameForAll.h"
#include "Validation/Trees/StepMeaning.h"
#include "WrittenOutTrees.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

using List = TreeList;

class BodyComparison {
public:
  BodyComparison(const Tree &Author, const ASTContext &Of, const Tree &Lowered,
                 const ASTContext &OfLowered)
      : Author(Author), Lowered(Lowered), A(Author, Of), L(Lowered, OfLowered) {
    A.Pointers = L.Pointers = &Now.Pointers;
    L.Renumbered = &Now.Numbers;
  }

  LoweredCode run() {
    bool Same = Author.Kids.size() == Lowered.Kids.size() &&
                Author.Type == Lowered.Type;
    for (size_t I = 0; Same && I + 1 < Author.Kids.size(); ++I)
      Same = Now.same(Author.kid(I), Lowered.kid(I));
    if (!Same)
      Out.Differs = &Author;
    else if (lists(statementsIn(*Author.Kids.back()),
                   statementsIn(*Lowered.Kids.back())))
      tokens();
    Out.Gone = std::move(Now.Gone);
    Out.Divided = std::move(Now.Divided);
    return std::move(Out);
  }

private:
  const Tree &Author, &Lowered;
  Frame A, L;
  struct State : PairedNames {
    std::set<unsigned> Pointers;
    Arrivals Tokens;
    /// What changes a variable that is not there any more.
    std::map<unsigned, const Tree *> Steps;
    std::set<const Tree *> Gone, Divided;
  };
  State Now;
  bool InRole = false; ///< in a part of a branch that was divided
  /// What follows the branch whose statements are compared next.
  const Tree *Behind = nullptr;
  LoweredCode Out;
  /// A number that no variable of the function has.
  unsigned Fresh = 1u << 24;
  std::vector<std::unique_ptr<Tree>> Counters; ///< loops with their own

  bool fail(const Tree &At) {
    if (!Out.Differs)
      Out.Differs = &At;
    return false;
  }

  /// \param OfLoop a `continue` in Old leads behind its end.
  bool lists(List Old, const List &New, bool OfLoop = false) {
    auto Same = [this](const Tree &X, const Tree &Y) { return Now.same(X, Y); };
    const Tree *const Next = std::exchange(Behind, nullptr);
    size_t J = 0;
    for (size_t I = 0; I != Old.size(); ++I) {
      const Tree &S = *Old[I];
      // What stands where a statement went.
      while (J != New.size() && New[J]->is("NullStmt") && !S.is("NullStmt"))
        ++J;
      if (J != New.size() && Now.same(S, *New[J])) {
        ++J;
        continue;
      }
      if (S.is("NullStmt"))
        continue;
      if (const size_t Taken =
              writtenOut(S, llvm::ArrayRef(New).drop_front(J))) {
        J += Taken;
        continue;
      }
      if (const size_t Taken = counted(llvm::ArrayRef(Old).drop_front(I),
                                       llvm::ArrayRef(New).drop_front(J), J)) {
        I += Taken - 1;
        continue;
      }
      if (auto Turn = OfLoop && J != New.size()
                          ? restAsBranch(llvm::ArrayRef(Old).drop_front(I),
                                         *New[J], Same)
                          : std::nullopt)
        return lists(Turn->first.Author, Turn->first.Lowered) &&
               lists(Turn->second.Author, Turn->second.Lowered, true) &&
               (end(New, J + 1) || fail(S));
      if (auto Inside = J != New.size()
                            ? openedBranch(S, *New[J], A.Context, Same)
                            : std::nullopt) {
        Old.erase(Old.begin() + I);
        Old.insert(Old.begin() + I, Inside->begin(), Inside->end());
        --I;
        ++J;
        continue;
      }
      if (S.is("CompoundStmt") && J != New.size() && within(S, *New[J])) {
        ++J;
        continue;
      }
      if (divided(S, I + 1 != Old.size() ? Old[I + 1] : nullptr, New, J))
        continue;
      A.Here = &S;
      const Tree *After = I + 1 != Old.size() ? Old[I + 1] : Next;
      if (auto Async = asyncStatement(S, A)) {
        if (!asynchronous(S, *Async, After, New, J))
          return fail(S);
        Now.Gone.insert(&S);
      } else if (J != New.size() && becamePointer(S, *New[J])) {
        ++J;
      } else if (isGone(S)) {
        Now.Gone.insert(&S);
      } else if (J != New.size() && insideOf(S, *New[J], After)) {
        ++J;
      } else {
        return fail(S);
      }
    }
    return end(New, J) || fail(Old.empty() ? Author : *Old.back());
  }

  /// One branch, and in its place two with the same condition, a barrier of the
  /// block behind each: whoever waited for the others waits there. Or a branch
  /// of one role, and a barrier behind it.
  bool divided(const Tree &S, const Tree *After, const List &New, size_t &J) {
    const bool Both = S.Kids.size() == 3;
    const size_t Taken = Both ? 4 : 2;
    if (!S.is("IfStmt") || S.Kids.size() < 2 || InRole || !isOfRoles(S) ||
        J + Taken > New.size())
      return false;
    for (size_t At = J; At != J + Taken; At += 2)
      if (!New[At]->is("IfStmt") || New[At]->Kids.size() != 2 ||
          !isBlockBarrier(*New[At + 1]))
        return false;
    // The author's own barrier is none of these.
    auto Barrier = [&](const Tree *T) { return T && isBlockBarrier(*T); };
    if (Barrier(After) &&
        !Barrier(J + Taken != New.size() ? New[J + Taken] : nullptr))
      return false;
    State Before = Now;
    const Tree *Knew = Out.Differs;
    InRole = true;
    bool Same = Now.same(S.kid(0), New[J]->kid(0)) &&
                lists(statementsIn(S.kid(1)), statementsIn(New[J]->kid(1)));
    if (Same && Both) {
      const Tree &Not = withoutCasts(New[J + 2]->kid(0));
      Same = Not.is("UnaryOperator") && Not.Label == "!" &&
             Now.same(S.kid(0), Not.kid(0)) &&
             lists(statementsIn(S.kid(2)), statementsIn(New[J + 2]->kid(1)));
    }
    InRole = false;
    if (!Same) {
      Now = std::move(Before);
      Out.Differs = Knew;
      return false;
    }
    Now.Divided.insert(&S);
    J += Taken;
    return true;
  }

  /// A call or a chain of assignments whose text stands in its place.
  /// \returns how many statements that is, 0 for anything else.
  size_t writtenOut(const Tree &S, llvm::ArrayRef<const Tree *> New) {
    if (New.empty())
      return 0;
    const bool InBlock = New.front()->is("CompoundStmt");
    if (const auto Parts = assignmentsOf(S); !Parts.empty()) {
      const List Found =
          InBlock ? statementsIn(*New.front()) : List(New.begin(), New.end());
      bool Same =
          InBlock ? Found.size() == Parts.size() : Found.size() >= Parts.size();
      for (size_t I = 0; Same && I != Parts.size(); ++I)
        Same = Now.same(*Parts[I], *Found[I]);
      return !Same ? 0 : InBlock ? 1 : Parts.size();
    }
    auto Same = [this](auto &X, auto &Y) { return Now.same(X, Y); };
    if (auto Taken = branchAsIf(S, *New.front(), A, Same))
      return lists(Taken->Author, Taken->Lowered);
    if (const Tree *Block = InBlock ? blockOfOnce(S) : nullptr)
      return within(*Block, *New.front());
    if (const size_t Taken = stepsBehind(S, New, Author, Same))
      return Taken;
    const auto Body =
        InBlock ? bodyInPlace(S, Author, A, *New.front(), Fresh) : nullptr;
    return Body && Now.same(*Body, *New.front());
  }

  /// Declarations and a loop whose counter stands elsewhere. \returns how many
  /// statements that is, and moves J behind the others.
  size_t counted(llvm::ArrayRef<const Tree *> Old,
                 llvm::ArrayRef<const Tree *> New, size_t &J) {
    State Before = Now;
    const Tree *Knew = Out.Differs;
    auto Moved = movedCounter(
        Old, New, Author, [this](auto &X, auto &Y) { return Now.same(X, Y); });
    if (Moved && lists(Moved->Bodies.Author, Moved->Bodies.Lowered, true)) {
      J += Moved->Others;
      return Moved->Authors;
    }
    Now = std::move(Before);
    Out.Differs = Knew;
    return 0;
  }

  /// Nothing more is done from J on.
  static bool end(const List &New, size_t J) {
    return llvm::all_of(llvm::ArrayRef(New).drop_front(J),
                        [](const Tree *T) { return T->is("NullStmt"); });
  }

  /// Braces in both, which the author's macros may have around what went.
  bool within(const Tree &X, const Tree &Y) {
    State Before = Now;
    const Tree *Knew = Out.Differs;
    if (inside(X, Y))
      return true;
    Now = std::move(Before);
    Out.Differs = Knew;
    return false;
  }

  /// \param After what follows, also for what a branch ends with.
  bool insideOf(const Tree &X, const Tree &Y, const Tree *After) {
    llvm::SaveAndRestore Inner(Behind, X.is("IfStmt") ? After : nullptr);
    return inside(X, Y);
  }

  /// A statement around others; expressions in it are equal.
  bool inside(const Tree &X, const Tree &Y) {
    if (!isAroundOthers(X))
      return false;
    if (auto Own = withOwnCounter(X, Author, Fresh++);
        Own && Y.is("ForStmt") && Y.kid(0).is("DeclStmt"))
      return inside(*Counters.emplace_back(std::move(Own)), Y);
    auto Same = [this](const Tree &A, const Tree &B) { return Now.same(A, B); };
    // A barrier that all threads come to once more.
    auto Meet = [&](const Tree &Cond, const Tree &S) {
      const SameForAll Alike(Author);
      return isBlockBarrier(S) && Alike.come(X) && !Alike.differs(Cond);
    };
    if (auto Turns = breakAsCondition(X, Y, Same, Meet))
      return lists(Turns->Author, Turns->Lowered, true);
    if (auto Turns = stepElsewhere(X, Y, Author, Same))
      return lists(Turns->Author, Turns->Lowered);
    if (X.is("CompoundStmt"))
      return Y.is("CompoundStmt") && lists(statementsIn(X), statementsIn(Y));
    if (X.Kids.size() != Y.Kids.size() || !Now.sameNode(X, Y))
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!Now.same(X.kid(I), Y.kid(I)) &&
          (!isBody(X, I) ||
           !lists(statementsIn(X.kid(I)), statementsIn(Y.kid(I)), isLoop(X))))
        return false;
    return true;
  }

  bool asynchronous(const Tree &S, const AsyncStatement &Async,
                    const Tree *After, const List &New, size_t &J) {
    const size_t First = J;
    bool OneCopy = false;
    for (const AsyncEvent &E : Async.Events) {
      if (E.What == AsyncEvent::Copy) {
        if (J == New.size() || !isPlainCopy(*New[J], L, E))
          return false;
        OneCopy = isOneAssignment(*New[J]);
        ++J;
      } else if (InRole && E.What == AsyncEvent::Barrier) {
        continue; // the barriers are behind the branches
      } else if (E.What == AsyncEvent::Barrier ||
                 E.What == AsyncEvent::GroupBarrier) {
        if (!barrierStands(E, After, New, J, L))
          return false;
        Now.Tokens.waits(E, S);
      }
    }
    Now.Tokens.arrives(Async, S);
    if (!Async.Effects)
      return true;
    // What is done beside is done once, here as there.
    return J == First + 1 && OneCopy && Async.Events.size() == 1 &&
           effectsIn(*New[First]) == Async.Effects + 1;
  }

  /// `uint32_t to = __cvta_generic_to_shared(p);` and `auto *to = p;`
  bool becamePointer(const Tree &X, const Tree &Y) {
    if (!X.is("DeclStmt") || !Y.is("DeclStmt") || X.Kids.size() != 1 ||
        Y.Kids.size() != 1)
      return false;
    const Tree &Old = X.kid(0), &New = Y.kid(0);
    const Expr *Value = New.Kids.size() == 1 ? exprOf(New.kid(0)) : nullptr;
    if (!Old.is("Var") || !New.is("Var") || Old.Name != New.Name ||
        !Old.Label.empty() || !New.Label.empty() || Old.Kids.size() != 1 ||
        !Value || !Value->getType()->isPointerType() || effectsIn(Old) ||
        !A.isKept(Old.Local) || !L.isKept(New.Local) ||
        addressIn(Old.kid(0), A) != addressIn(New.kid(0), L) ||
        !Now.pair(Old.Local, New.Local))
      return false;
    Now.Pointers.insert(Old.Local);
    return true;
  }

  /// Commits and waits of a thread, a declaration whose making nobody sees, or
  /// the beginning of a barrier; what names a declaration in the other text has
  /// none there.
  bool isGone(const Tree &S) {
    A.Here = &S;
    if (auto Async = asyncStatement(S, A)) {
      Now.Tokens.arrives(*Async, S);
      return !Async->Effects &&
             llvm::none_of(Async->Events, [](const AsyncEvent &E) {
               return E.What == AsyncEvent::Copy ||
                      E.What == AsyncEvent::Barrier ||
                      E.What == AsyncEvent::GroupBarrier;
             });
    }
    if (const unsigned Local = steppedBy(S)) {
      Now.Steps.try_emplace(Local, &S);
      return true;
    }
    if (isCountingLoop(S))
      return llvm::all_of(statementsIn(*S.Kids.back()),
                          [&](const Tree *T) { return isGone(*T); });
    if (S.is("CompoundStmt") || S.is("IfStmt")) {
      bool Asks = S.is("IfStmt");
      if (Asks && (S.Kids.size() != 2 || effectsIn(S.kid(0))))
        return false;
      return llvm::all_of(statementsIn(Asks ? S.kid(1) : S),
                          [&](const Tree *T) { return isGone(*T); });
    }
    if (S.is("DeclStmt"))
      return llvm::all_of(S.Kids,
                          [&](const auto &V) { return isQuietObject(*V, A); });
    const FunctionDecl *F = calleeOf(withoutCasts(S));
    return F && F->getIdentifier() && isToolkits(F) &&
           (F->getName() == "init" || F->getName() == "__mbarrier_init");
  }

  bool tokens() {
    if (const Tree *At = Now.Tokens.missed())
      return fail(*At);
    // What has no counterpart nobody asks.
    for (const auto &[Local, At] : Now.Steps)
      if (Now.Back.count(Local))
        return fail(*At);
    return true;
  }
};

} // namespace

LoweredCode compareLowered(const Tree &Author, const ASTContext &Of,
                           const Tree &Lowered, const ASTContext &OfLowered) {
  return BodyComparison(Author, Of, Lowered, OfLowered).run();
}

} // namespace kpipe
