// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StagedTurns.h. Both loops become lists of events, which BufferRuns runs;
// what is copied is compared by MovedCopies: the author's copies in the loop
// with those of the next turn, the ones in front of it with those of the first.
#include "StagedTurns.h"
#include "TurnFacts.h"
#include "TurnWaits.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/SameForAll.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class StagedTurns : TurnFacts {
public:
  StagedTurns(RestagedPair &Both, const StagedPlace &Place, const Tree &Other)
      : TurnFacts(Both, Place, Other), Reads(*this) {}

  std::optional<RestagedFault> run() {
    if (header() && jumps() && body() && comparesFirstTile(*this) && values() &&
        elements() && onlyHere())
      runs();
    return std::move(Fault);
  }

private:
  TurnReads Reads;

  bool header() {
    if (!O.is("ForStmt") || A.Kids.size() != 5 || O.Kids.size() != 5 ||
        !A.kid(1).is("-") || !A.kid(0).is("DeclStmt") ||
        A.kid(0).Kids.size() != 1 || !A.kid(0).kid(0).is("Var") ||
        A.kid(0).kid(0).Kids.size() != 1 || !Both.same(A.kid(0), O.kid(0)) ||
        !Both.same(A.kid(1), O.kid(1)) || !Both.same(A.kid(2), O.kid(2)) ||
        !Both.same(A.kid(3), O.kid(3)))
      return fail(A, msg::proof_header);
    Counter = A.kid(0).kid(0).Local;
    OthersCounter = O.kid(0).kid(0).Local;
    NumbersBefore = Both.Numbers;
    TurnText Text(Both.AuthorIn.Context);
    Text.Counter = Counter;
    Begin = Text.number(A.kid(0).kid(0).kid(0));
    const Tree &Inc = A.kid(3);
    const bool OfCounter = !Inc.Kids.empty() && Inc.kid(0).is("DeclRefExpr") &&
                           Inc.kid(0).Local == Counter;
    if (OfCounter && Inc.is("UnaryOperator") &&
        llvm::StringRef(Inc.Label).starts_with("++"))
      Step = {{{}, 1}};
    else if (OfCounter && Inc.is("CompoundAssignOperator") && Inc.Label == "+=")
      Step = Text.number(Inc.kid(1));
    else if (OfCounter && Inc.is("BinaryOperator") && Inc.Label == "=")
      Step =
          sumOf(Text.number(Inc.kid(1)), {{{TurnText::counterName()}, 1}}, -1);
    std::map<unsigned, unsigned> Changed;
    findChanged(A.kid(2), Changed);
    findChanged(A.kid(4), Changed);
    Named.insert(Text.Named.begin(), Text.Named.end());
    if (Step.empty() || Text.Bad || Changed.count(Counter) ||
        written(Step).find(TurnText::counterName()) != std::string::npos)
      return fail(A, msg::proof_header);
    return true;
  }

  bool jumps() {
    const Tree *Jump = nullptr;
    findJump(A.kid(4), false, Jump);
    return !Jump || fail(*Jump, msg::restage_jumps);
  }
  static void findJump(const Tree &T, bool Inner, const Tree *&Jump) {
    if (T.is("ReturnStmt") ||
        (!Inner && (T.is("BreakStmt") || T.is("ContinueStmt"))))
      Jump = &T;
    for (const auto &Kid : T.Kids)
      if (!T.is("LambdaExpr"))
        findJump(*Kid, Inner || isLoop(T) || T.is("SwitchStmt"), Jump);
  }

  // The loop's body.

  bool body() {
    const TreeList Turn = turnOf(A), Other = turnOf(O);
    size_t J = 0;
    auto skip = [&] {
      while (J != Other.size() && Other[J]->is("NullStmt"))
        ++J;
    };
    for (size_t I = 0; I != Turn.size(); ++I) {
      const Tree &S = *Turn[I];
      if (S.is("NullStmt"))
        continue;
      for (skip(); J != Other.size(); skip()) {
        // A wait or a barrier more does no harm.
        std::vector<BufferEvent> More;
        if (Both.same(S, *Other[J]) ||
            !waitsOnly(*Other[J], Both.OtherIn, More))
          break;
        llvm::append_range(Others.Turn, More);
        ++J;
      }
      if (isGuard(S)) {
        if (!copies(S, int(I), Other, J))
          return false;
      } else if (choosesWait(S, int(I))) {
        J += J != Other.size() && Both.same(S, *Other[J]);
      } else if (J != Other.size() && Reads.computes(S, *Other[J], int(I))) {
        ++J;
      } else if (Fault) {
        return false;
      } else if (threadWaitsOnly(S, Both.AuthorIn, Mine.Turn)) {
        continue; // the other text waits for itself
      } else if (Index.flips(S)) {
        for (unsigned Local : Index.flippedBy(S))
          Flipped[Local] = &S;
      } else if (!isQuietDeclaration(S)) {
        return fail(S, msg::proof_code);
      } else if (J != Other.size() && isOfOtherTile(S, *Other[J])) {
        ++J;
      }
    }
    for (; J != Other.size(); ++J)
      if (!Other[J]->is("NullStmt") &&
          !waitsOnly(*Other[J], Both.OtherIn, Others.Turn))
        return fail(A, msg::proof_code);
    return !Next.empty() || fail(A, msg::proof_next_tile);
  }

  /// Two variables of one name that are made otherwise: what names them is
  /// compared by what they are made of, or not at all.
  bool isOfOtherTile(const Tree &X, const Tree &Y) {
    if (!isQuietDeclaration(Y) || X.Kids.size() != 1 || Y.Kids.size() != 1 ||
        X.kid(0).Name != Y.kid(0).Name || X.kid(0).Type != Y.kid(0).Type ||
        !Both.AuthorIn.isKept(X.kid(0).Local) ||
        !Both.OtherIn.isKept(Y.kid(0).Local))
      return false;
    Both.Back[X.kid(0).Local] = 0;
    Both.Numbers[Y.kid(0).Local] = 0;
    return true;
  }

  /// A condition with copies to the buffers, and at most waits in its other
  /// branch.
  bool isGuard(const Tree &S) const {
    std::vector<BufferEvent> Waits;
    if (!S.is("IfStmt") || S.Kids.size() < 2 || S.Kids.size() > 3 ||
        !S.Label.empty() ||
        (S.Kids.size() == 3 && !waitsAlone(S.kid(2), Both.AuthorIn, Waits)))
      return false;
    const TreeList All =
        withoutWaits(statementsIn(S.kid(1)), Both.AuthorIn, Waits);
    bool Copies = false;
    for (const Tree *One : All)
      eachNode(*One, [&](const Tree &T) {
        Copies |= T.is("GCCAsmStmt") || T.is("CallExpr");
      });
    return Copies && !notSteadyCopies(All, Both.AuthorIn, {});
  }

  /// `if (k + BK < K) wait<1>(); else wait<0>();`
  bool choosesWait(const Tree &S, int At) {
    std::vector<BufferEvent> More, Last;
    if (!S.is("IfStmt") || S.Kids.size() != 3 || !S.Label.empty() ||
        !waitsAlone(S.kid(1), Both.AuthorIn, More) ||
        !waitsAlone(S.kid(2), Both.AuthorIn, Last) || More.empty() ||
        Last.empty() || !isNextCondition(S, At))
      return false;
    addTo(Mine.Turn, More, true);
    addTo(Mine.Turn, Last, false);
    return true;
  }

  /// Is the condition that of the loop in the next turn?
  bool isNextCondition(const Tree &S, int At) {
    TurnText Now(Both.AuthorIn.Context), Then(Both.AuthorIn.Context);
    Now.Counter = Then.Counter = Counter;
    Then.CounterIs = sumOf({{{TurnText::counterName()}, 1}}, Step);
    const TreeList Turn = turnOf(A);
    for (int I = 0; I != At; ++I)
      MovedCopies::learn(*Turn[I], Both.AuthorIn, Now);
    const Tree *Asked = &S.kid(0);
    while (Asked->is("ImplicitCastExpr") && Asked->Label == "LValueToRValue" &&
           Now.Made.count(Asked->kid(0).Local))
      Asked = Now.Made[Asked->kid(0).Local];
    const Tree &Wanted = A.kid(2);
    if (effectsIn(*Asked) || effectsIn(Wanted))
      return false;
    if (!Asked->is("BinaryOperator") || !Wanted.is("BinaryOperator") ||
        Asked->Label != Wanted.Label)
      return Now.text(*Asked) == Then.text(Wanted) && keep(Now, Then);
    const Products Left = Now.number(Asked->kid(0)),
                   Right = Now.number(Asked->kid(1)),
                   WantLeft = Then.number(Wanted.kid(0)),
                   WantRight = Then.number(Wanted.kid(1));
    bool Same = Left == WantLeft && Right == WantRight;
    // Numbers with a sign do not wrap around: a term may be on either side.
    if (!Same && isSigned(Wanted) && isSigned(*Asked) &&
        (Wanted.Label == "<" || Wanted.Label == "<="))
      Same = sumOf(Left, Right, -1) == sumOf(WantLeft, WantRight, -1);
    return Same && keep(Now, Then);
  }
  /// All numbers in it, those too that are converted.
  static bool isSigned(const Tree &T) {
    bool Signed = true;
    eachNode(T, [&](const Tree &N) {
      const Expr *E = exprOf(N);
      Signed &= !E || !E->getType()->isUnsignedIntegerType() ||
                E->getType()->isBooleanType();
    });
    return Signed;
  }
  bool keep(const TurnText &X, const TurnText &Y) {
    Named.insert(X.Named.begin(), X.Named.end());
    Named.insert(Y.Named.begin(), Y.Named.end());
    return !X.Bad && !Y.Bad;
  }

  bool copies(const Tree &S, int At, const TreeList &Other, size_t &J) {
    if (!Next.empty())
      return fail(S, msg::proof_next_tile);
    if (!isNextCondition(S, At))
      return fail(S.kid(0), msg::proof_guard);
    std::vector<BufferEvent> More, Last, OthersBehind;
    Next = withoutWaits(statementsIn(S.kid(1)), Both.AuthorIn, More);
    if (S.Kids.size() == 3)
      waitsAlone(S.kid(2), Both.AuthorIn, Last);
    const size_t Begins = J;
    // In braces of their own, or without.
    if (J != Other.size() && Other[J]->is("CompoundStmt") &&
        !(Next.size() == 1 && Next[0]->is("CompoundStmt"))) {
      Copies =
          withoutWaits(statementsIn(*Other[J++]), Both.OtherIn, OthersBehind);
    } else {
      const size_t Count = llvm::count_if(
          Next, [](const Tree *T) { return !T->is("NullStmt"); });
      while (J != Other.size() && Copies.size() != Count) {
        if (!Other[J]->is("NullStmt"))
          Copies.push_back(Other[J]);
        ++J;
      }
    }
    const TreeList Turn = turnOf(A);
    MovedCopies Moved(Both.AuthorIn, Both.OtherIn, Both.Numbers);
    prepare(Moved);
    Moved.Other.CounterIs = sumOf({{{TurnText::counterName()}, 1}}, Step);
    for (int I = 0; I != At; ++I)
      MovedCopies::learn(*Turn[I], Both.AuthorIn, Moved.Author);
    for (size_t I = 0; I != Begins; ++I)
      BeforeCopies.push_back(Other[I]);
    for (const Tree *T : BeforeCopies)
      MovedCopies::learn(*T, Both.OtherIn, Moved.Other);
    if (viewMovesBuffer(At))
      return false;
    if (!copied(Moved, At, Mine.Turn, true,
                [&] { return Moved.lists(Next, Copies); }))
      return fail(Moved.Differs ? *Moved.Differs : S, msg::proof_next_tile);
    for (unsigned Array : Both.Buffers)
      this->Others.Turn.push_back({BufferEvent::Copy, &S, Array, {}, false});
    if (endsWithCommit(Next, Both.AuthorIn))
      Mine.Turn.push_back({BufferEvent::Commit, &S, 0, {}, true});
    if (endsWithCommit(Copies, Both.OtherIn))
      this->Others.Turn.push_back({BufferEvent::Commit, &S, 0, {}, false});
    addTo(Mine.Turn, More, true);
    addTo(Mine.Turn, Last, false);
    llvm::append_range(Others.Turn, OthersBehind);
    for (const Tree *T : Next)
      eachNode(*T, [&](const Tree &N) {
        if (N.is("Var"))
          Own.insert(N.Local);
      });
    return true;
  }

  /// Where a pointer to a buffer was made before the buffers changed.
  bool viewMovesBuffer(int At) {
    const TreeList Turn = turnOf(A);
    for (int I = 0; I != At; ++I)
      if (Index.flips(*Turn[I]) && Reads.hasViews()) {
        fail(*Turn[I], msg::proof_buffer);
        return true;
      }
    return false;
  }

  // What both hang on.

  /// What the copies, the condition and the step name is the same from the
  /// first statement that is gone to the loop's end, and is known by no other
  /// name: in the whole function it is read, or assigned before that.
  bool values() {
    std::set<unsigned> Changed;
    bool Past = false;
    for (const auto &Kid : Both.Author.Kids)
      findOtherUses(*Kid, Kid != Both.Author.Kids.back(), Past, Changed);
    for (unsigned Local : Named)
      if (Changed.count(Local) && Local != Counter && !Own.count(Local) &&
          !Both.Buffers.count(Local))
        return fail(A, {msg::proof_values, nameOf(Local)});
    return true;
  }
  /// \param Fits the mention of a variable that T may be is a declaration, a
  /// read, or an assignment.
  void findOtherUses(const Tree &T, bool Fits, bool &Past,
                     std::set<unsigned> &To) const {
    for (size_t At : Place.Gone)
      Past |= &T == Place.Around[At];
    Past |= &T == &A || T.is("LambdaExpr");
    if (T.Local && !Fits && !T.is("Var"))
      To.insert(T.Local);
    const bool IsRead =
        (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue") ||
        (Fits && T.is("MemberExpr") && T.Label == ".");
    const bool Assigns =
        !Past &&
        (T.is("CompoundAssignOperator") ||
         (T.is("BinaryOperator") && T.Label == "=") ||
         (T.is("UnaryOperator") &&
          (llvm::StringRef(T.Label).contains("++") ||
           llvm::StringRef(T.Label).contains("--"))));
    for (size_t I = 0; I != T.Kids.size(); ++I)
      findOtherUses(T.kid(I), IsRead || (Assigns && I == 0), Past, To);
  }
  std::string nameOf(unsigned Local) const {
    std::string Name;
    eachNode(Both.Author, [&](const Tree &T) {
      if (T.Local == Local && Name.empty())
        Name = T.Name;
    });
    return Name;
  }

  /// Each turn copies to the same elements: else a buffer would keep some of
  /// another turn.
  bool elements() {
    std::set<unsigned> Turning{OthersCounter};
    for (const Tree *T : BeforeCopies)
      if (T->is("DeclStmt"))
        for (const auto &V : T->Kids) {
          bool Turns = !Both.OtherIn.isKept(V->Local);
          eachNode(*V, [&](const Tree &N) {
            Turns |= N.is("DeclRefExpr") && Turning.count(N.Local);
          });
          if (Turns)
            Turning.insert(V->Local);
        }
    return !notSteadyCopies(Copies, Both.OtherIn, std::move(Turning)) ||
           fail(*Next.front(), msg::proof_elements);
  }

  /// The buffers are named in the loop and in what is gone, and nowhere else.
  bool onlyHere() {
    std::set<const Tree *> Known;
    auto add = [&](const Tree &T) {
      eachNode(T, [&](const Tree &N) { Known.insert(&N); });
    };
    add(A);
    for (size_t At : Place.Gone)
      add(*Place.Around[At]);
    const Tree *Elsewhere = nullptr;
    eachNode(Both.Author, [&](const Tree &T) {
      if (T.is("DeclRefExpr") && Both.Buffers.count(T.Local) &&
          !Known.count(&T))
        Elsewhere = &T;
    });
    return !Elsewhere ||
           fail(*Elsewhere, {msg::restage_other_use, Elsewhere->Name});
  }

  void runs() {
    Mine.Ahead = 1;
    for (unsigned Array : Both.Buffers) {
      for (const BufferedLoop *L : {&Mine, &Others})
        if (auto Wrong = findBufferFault(*L, Array)) {
          fail(Wrong->At ? *Wrong->At : A, Wrong->Why);
          return;
        }
    }
  }
};

} // namespace

std::optional<RestagedFault>
compareTurns(RestagedPair &Both, const StagedPlace &Place, const Tree &Other) {
  return StagedTurns(Both, Place, Other).run();
}

} // namespace kpipe
