// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StagedTurns.h. Both loops become lists of events, which BufferRuns runs;
// what is copied is compared by MovedCopies: the author's copies in the loop with
// those of the next turn, the ones in front of it with those of the first.
#include "StagedTurns.h"
#include "BufferRuns.h"
#include "Code/Effects.h"
#include "Code/KnownFunctions.h"
#include "MovedCopies.h"
#include "Validation/Lowered/AsyncMeaning.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/SameForAll.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isBarrierOfBlock(const Tree &T) {
  const FunctionDecl *F = calleeOf(withoutCasts(T));
  return F && classifyCall(F) == CallKind::BlockBarrier;
}

class StagedTurns {
public:
  StagedTurns(RestagedPair &Both, const StagedPlace &Place, const Tree &Other)
      : Both(Both), Place(Place), A(*Place.Around[Place.Loop]), O(Other),
        Index(Both.Author, A, Both.AuthorIn.Context),
        Written(const_cast<ASTContext &>(Both.AuthorIn.Context),
                cast<FunctionDecl>(Both.Author.Of), nullptr) {}

  std::optional<RestagedFault> run() {
    if (header() && jumps() && body() && first() && between() && values() &&
        elements() && onlyHere())
      runs();
    return std::move(Fault);
  }

private:
  RestagedPair &Both;
  const StagedPlace &Place;
  const Tree &A, &O;
  BufferIndex Index;
  const Scope Written;
  std::optional<RestagedFault> Fault;

  unsigned Counter = 0, OthersCounter = 0;
  Products Begin, Step;
  BufferedLoop Mine, Others;
  /// The copies of a turn in both, and declarations in front of them.
  TreeList Next, Copies;
  TreeList Before, BeforeCopies;
  /// Names as they were known in front of the loop's body.
  std::map<unsigned, unsigned> NumbersBefore;
  /// Variables that the copies name.
  std::set<unsigned> Named;
  /// What changes buffers and is gone, by its variable.
  std::map<unsigned, const Tree *> Flipped;
  /// Pointers into buffers, by number.
  std::map<unsigned, std::vector<BufferEvent>> Views;
  const Tree *FirstCopy = nullptr;
  size_t FirstAt = 0;

  bool fail(const Tree &At, Message Why) {
    if (!Fault)
      Fault = RestagedFault{&At, std::move(Why)};
    return false;
  }

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
    const bool OfCounter =
        !Inc.Kids.empty() && Inc.kid(0).is("DeclRefExpr") &&
        Inc.kid(0).Local == Counter;
    if (OfCounter && Inc.is("UnaryOperator") &&
        llvm::StringRef(Inc.Label).starts_with("++"))
      Step = {{{}, 1}};
    else if (OfCounter && Inc.is("CompoundAssignOperator") && Inc.Label == "+=")
      Step = Text.number(Inc.kid(1));
    else if (OfCounter && Inc.is("BinaryOperator") && Inc.Label == "=")
      Step = sumOf(Text.number(Inc.kid(1)), {{{TurnText::counterName()}, 1}}, -1);
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
        if (Both.same(S, *Other[J]) || !waits(*Other[J], Both.OtherIn, More))
          break;
        llvm::append_range(Others.Turn, More);
        ++J;
      }
      if (isGuard(S)) {
        if (!copies(S, int(I), Other, J))
          return false;
      } else if (J != Other.size() && computes(S, *Other[J], int(I))) {
        ++J;
      } else if (Fault) {
        return false;
      } else if (Index.flips(S)) {
        Flipped[S.kid(0).Local] = &S;
      } else if (!isQuiet(S)) {
        return fail(S, msg::proof_code);
      }
    }
    for (; J != Other.size(); ++J)
      if (!Other[J]->is("NullStmt") &&
          !waits(*Other[J], Both.OtherIn, Others.Turn))
        return fail(A, msg::proof_code);
    return !Next.empty() || fail(A, msg::proof_next_tile);
  }

  bool isQuiet(const Tree &S) const {
    return S.is("DeclStmt") && llvm::all_of(S.Kids, [&](const auto &V) {
      const auto *Of = dyn_cast_or_null<VarDecl>(V->Of);
      return V->is("Var") && !effectsIn(*V) && Of &&
             Of->getType()->isScalarType() && V->Label.empty();
    });
  }

  /// A commit, a wait or a barrier of the block, as events.
  static bool waits(const Tree &S, const Frame &F,
                    std::vector<BufferEvent> &To) {
    if (isBarrierOfBlock(S)) {
      To.push_back({BufferEvent::Barrier, &S, 0, {}, false});
      return true;
    }
    Frame Here = F;
    Here.Here = &S;
    const auto Async = asyncStatement(S, Here);
    if (!Async || Async->Effects)
      return false;
    for (const AsyncEvent &E : Async->Events)
      if ((E.What != AsyncEvent::Commit && E.What != AsyncEvent::Wait) ||
          !E.Object.empty())
        return false;
    for (const AsyncEvent &E : Async->Events) {
      if (E.What == AsyncEvent::Commit)
        To.push_back({BufferEvent::Commit, &S, 0, {}, false});
      else if (E.All)
        To.push_back({E.Uncommitted ? BufferEvent::WaitAll : BufferEvent::Wait,
                      &S, 0, {}, false});
    }
    return true;
  }

  /// A condition without another branch, with copies to the buffers.
  bool isGuard(const Tree &S) const {
    if (!S.is("IfStmt") || S.Kids.size() != 2 || !S.Label.empty())
      return false;
    bool Copies = false;
    eachNode(S.kid(1), [&](const Tree &T) {
      Copies |= T.is("GCCAsmStmt") || T.is("CallExpr");
    });
    return Copies && !notSteadyCopies(statementsIn(S.kid(1)), Both.AuthorIn, {});
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
    if (!Asked->is("BinaryOperator") || !Wanted.is("BinaryOperator") ||
        Asked->Label != Wanted.Label)
      return Now.text(*Asked) == Then.text(Wanted) && keep(Now, Then);
    const Products Left = Now.number(Asked->kid(0)),
                   Right = Now.number(Asked->kid(1)),
                   WantLeft = Then.number(Wanted.kid(0)),
                   WantRight = Then.number(Wanted.kid(1));
    bool Same = Left == WantLeft && Right == WantRight;
    // Numbers with a sign do not wrap around: a term may be on either side.
    const Expr *E = exprOf(Wanted.kid(0)), *F = exprOf(Asked->kid(0));
    if (!Same && E && F && E->getType()->isSignedIntegerType() &&
        F->getType()->isSignedIntegerType() &&
        (Wanted.Label == "<" || Wanted.Label == "<="))
      Same = sumOf(Left, Right, -1) == sumOf(WantLeft, WantRight, -1);
    return Same && keep(Now, Then);
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
    Next = statementsIn(S.kid(1));
    const size_t Begins = J;
    // In braces of their own, or without.
    if (J != Other.size() && Other[J]->is("CompoundStmt") &&
        !(Next.size() == 1 && Next[0]->is("CompoundStmt"))) {
      Copies = statementsIn(*Other[J++]);
    } else {
      const size_t Count = llvm::count_if(
          Next, [](const Tree *T) { return !T->is("NullStmt"); });
      while (J != Other.size() && Copies.size() != Count) {
        if (!Other[J]->is("NullStmt"))
          Copies.push_back(Other[J]);
        ++J;
      }
    }
    const TreeList Turn = turnOf(A), Others = turnOf(O);
    MovedCopies Moved(Both.AuthorIn, Both.OtherIn, Both.Numbers);
    prepare(Moved);
    Moved.Other.CounterIs = sumOf({{{TurnText::counterName()}, 1}}, Step);
    for (int I = 0; I != At; ++I)
      MovedCopies::learn(*Turn[I], Both.AuthorIn, Moved.Author);
    for (size_t I = 0; I != Begins; ++I)
      BeforeCopies.push_back(Others[I]);
    for (const Tree *T : BeforeCopies)
      MovedCopies::learn(*T, Both.OtherIn, Moved.Other);
    if (viewMovesBuffer(At))
      return false;
    if (!mentioned(Moved, At, Mine.Turn, true,
                   [&] { return Moved.lists(Next, Copies); }))
      return fail(Moved.Differs ? *Moved.Differs : S, msg::proof_next_tile);
    for (const Tree *T : Next)
      if (isCommitStatement(*T, Both.AuthorIn))
        Mine.Turn.push_back({BufferEvent::Commit, T, 0, {}, true});
    takeOver(Moved);
    return true;
  }

  void prepare(MovedCopies &Moved) const {
    Moved.Author.Counter = Counter;
    Moved.Author.Buffers = Both.Buffers;
    Moved.Author.TwoBuffers = true;
    Moved.Other.Counter = OthersCounter;
    Moved.Other.Buffers = Both.OthersBuffers;
  }

  /// Runs a comparison, and adds the copies to buffers that it sees.
  bool mentioned(MovedCopies &Moved, int At, std::vector<BufferEvent> &To,
                 bool IfMore, llvm::function_ref<bool()> Compare) {
    std::vector<BufferEvent> Seen;
    auto See = [&](const Tree &Array, const Tree &Which) {
      const auto Buffer = Index.of(Which, At);
      if (Buffer)
        Seen.push_back(
            {BufferEvent::Copy, &Array, Array.Local, *Buffer, IfMore});
      return Buffer.has_value();
    };
    Moved.Author.OnBuffer = See;
    const bool Same = Compare();
    Moved.Author.OnBuffer = nullptr;
    if (Same && Seen.empty())
      return false;
    llvm::append_range(To, Seen);
    if (Same && IfMore)
      for (unsigned Array : Both.Buffers)
        Others.Turn.push_back({BufferEvent::Copy, &A, Array, {}, false});
    return Same;
  }

  /// Where a pointer to a buffer was made before the buffers changed.
  bool viewMovesBuffer(int At) {
    const TreeList Turn = turnOf(A);
    for (int I = 0; I != At; ++I)
      if (Index.flips(*Turn[I]) && !Views.empty()) {
        fail(*Turn[I], msg::proof_buffer);
        return true;
      }
    return false;
  }

  void takeOver(const MovedCopies &Moved) {
    Named.insert(Moved.Author.Named.begin(), Moved.Author.Named.end());
    for (const Tree *T : Next)
      eachNode(*T, [&](const Tree &N) {
        if (N.is("Var"))
          Own.insert(N.Local);
      });
    if (!llvm::all_of(Copies, [&](const Tree *T) {
          return !isCommitStatement(*T, Both.OtherIn);
        }))
      Others.Turn.push_back({BufferEvent::Commit, &A, 0, {}, false});
  }
  std::set<unsigned> Own; ///< declared among the copies

  // What is computed.

  bool computes(const Tree &X, const Tree &Y, int At) {
    std::vector<BufferEvent> Reads;
    auto Before = Both.Numbers, Back = Both.Back;
    if (!sameTurn(X, Y, At, Reads)) {
      Both.Numbers = std::move(Before);
      Both.Back = std::move(Back);
      return false;
    }
    if (waits(X, Both.AuthorIn, Mine.Turn)) {
      waits(Y, Both.OtherIn, Others.Turn);
      return true;
    }
    eachNode(X, [&](const Tree &T) {
      if (auto V = T.is("DeclRefExpr") ? Views.find(T.Local) : Views.end();
          V != Views.end())
        llvm::append_range(Reads, V->second);
    });
    if (X.is("DeclStmt") && X.Kids.size() == 1 && isView(X.kid(0)))
      Views[X.kid(0).Local] = Reads;
    else
      for (BufferEvent E : Reads) {
        Mine.Turn.push_back(E);
        E.Buffer = {};
        Others.Turn.push_back(E);
      }
    return Reads.empty() || reads(X);
  }

  /// A pointer that is made of a buffer's address alone.
  static bool isView(const Tree &V) {
    const auto *Of = dyn_cast_or_null<VarDecl>(V.Of);
    bool Loads = false;
    eachNode(V, [&](const Tree &T) {
      Loads |= T.is("CallExpr") ||
               (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
                !T.kid(0).is("DeclRefExpr"));
    });
    return Of && !Loads && V.Label.empty() &&
           (Of->getType()->isPointerType() || Of->getType()->isReferenceType());
  }

  bool sameTurn(const Tree &X, const Tree &Y, int At,
                std::vector<BufferEvent> &Reads) {
    if (X.is("ArraySubscriptExpr") && Y.is("DeclRefExpr") &&
        Both.OthersBuffers.count(Y.Local) && X.Kids.size() == 2) {
      const Tree &Array = X.kid(0);
      const Tree &Name =
          Array.Label == "ArrayToPointerDecay" ? Array.kid(0) : Array;
      const auto Buffer = Index.of(X.kid(1), At);
      if (!Name.is("DeclRefExpr") || !Both.Buffers.count(Name.Local) ||
          X.Type != Y.Type || !Both.pair(Name.Local, Y.Local))
        return false;
      if (!Buffer)
        return fail(X, msg::proof_buffer);
      Reads.push_back({BufferEvent::Read, &X, Name.Local, *Buffer, false});
      return true;
    }
    if (!Both.sameNode(X, Y) || X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!sameTurn(X.kid(I), Y.kid(I), At, Reads))
        return false;
    return true;
  }

  /// A statement that names buffers writes none of them, and is understood.
  bool reads(const Tree &X) {
    if (!X.Origin)
      return fail(X, msg::proof_code);
    const Effects All = effectsOf(X.Origin, Written);
    for (const MemoryAccess &M : All.Memory)
      if (M.Write && (M.Root.Where == Space::Unknown ||
                      (M.Root.Where == Space::Shared && isBuffer(M.Root.Var))))
        return fail(X, {msg::proof_write,
                        M.Root.Var ? M.Root.Var->getNameAsString() : "memory"});
    for (const Event &E : All.Events)
      if (E.Kind == EventKind::UnknownCall || E.Kind == EventKind::UnknownAsm ||
          E.Kind == EventKind::AsyncCopy)
        return fail(X, msg::proof_code);
    return true;
  }
  bool isBuffer(const VarDecl *V) const {
    bool Found = false;
    eachNode(Both.Author, [&](const Tree &T) {
      Found |= T.is("Var") && T.Of == V && Both.Buffers.count(T.Local);
    });
    return Found || !V;
  }

  // What stands in front of the loop.

  bool first() {
    MovedCopies Moved(Both.AuthorIn, Both.OtherIn, NumbersBefore);
    prepare(Moved);
    Moved.Other.CounterIs = Begin;
    for (const Tree *T : BeforeCopies)
      MovedCopies::learn(*T, Both.OtherIn, Moved.Other);
    for (size_t At : Place.Gone)
      if (!gone(*Place.Around[At], At))
        return false;
    const bool Same = mentioned(Moved, -1, Mine.Before, false,
                                [&] { return Moved.lists(Before, Copies); });
    if (!Same)
      return fail(Moved.Differs ? *Moved.Differs : A, msg::proof_first_tile);
    // Copies come first: what waits for them was put behind.
    llvm::append_range(Mine.Before, Waits);
    Named.insert(Moved.Author.Named.begin(), Moved.Author.Named.end());
    return true;
  }
  std::vector<BufferEvent> Waits;

  bool gone(const Tree &S, size_t At) {
    if (S.is("NullStmt"))
      return true;
    if (S.is("CompoundStmt"))
      return llvm::all_of(statementsIn(S),
                          [&](const Tree *T) { return gone(*T, At); });
    std::vector<BufferEvent> Events;
    if (waits(S, Both.AuthorIn, Events)) {
      // One that does not count for the copies is as if it were not there.
      if (FirstCopy)
        llvm::append_range(Waits, Events);
      return true;
    }
    if (S.is("DeclStmt")) {
      if (!isQuiet(S))
        return fail(S, msg::proof_code);
      for (const auto &V : S.Kids) {
        if (!Both.AuthorIn.isKept(V->Local) && !Flipped.count(V->Local))
          return fail(S, msg::proof_code);
        Own.insert(V->Local);
        Flipped.erase(V->Local);
      }
      Before.push_back(&S);
      return true;
    }
    if (!Waits.empty() &&
        llvm::any_of(Waits, [](const BufferEvent &E) {
          return E.What != BufferEvent::Commit;
        }))
      return fail(S, msg::proof_first_tile);
    // A commit between copies covers the ones before it only.
    Waits.clear();
    if (!FirstCopy) {
      FirstCopy = &S;
      FirstAt = At;
    }
    eachNode(S, [&](const Tree &N) {
      if (N.is("Var"))
        Own.insert(N.Local);
    });
    Before.push_back(&S);
    return true;
  }

  /// What stands between the first copies and the loop is noticed by nobody
  /// else, and notices nothing of them.
  bool between() {
    for (const auto &[Local, At] : Flipped)
      return fail(*At, msg::proof_code);
    for (size_t I = FirstAt; I < Place.Loop; ++I) {
      if (llvm::is_contained(Place.Gone, I))
        continue;
      const Tree &S = *Place.Around[I];
      std::vector<BufferEvent> Ignored;
      if (S.is("NullStmt") || isBarrierOfBlock(S))
        continue;
      if (!S.Origin)
        return fail(S, msg::proof_between);
      const Effects All = effectsOf(S.Origin, Written);
      if (!All.Events.empty() ||
          llvm::any_of(All.Memory, [](const MemoryAccess &M) {
            return M.Write || M.Atomic || M.Volatile;
          }))
        return fail(S, msg::proof_between);
    }
    return true;
  }

  // What both hang on.

  /// What the copies, the condition and the step name is the same from the
  /// first copy to the loop's end.
  bool values() {
    std::map<unsigned, unsigned> Changed;
    for (size_t I = FirstAt; I <= Place.Loop; ++I)
      findChanged(*Place.Around[I], Changed);
    for (unsigned Local : Named)
      if (Changed.count(Local) && Local != Counter && !Own.count(Local) &&
          !Both.Buffers.count(Local))
        return fail(A, {msg::proof_values, nameOf(Local)});
    return true;
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

std::optional<RestagedFault> compareTurns(RestagedPair &Both,
                                          const StagedPlace &Place,
                                          const Tree &Other) {
  return StagedTurns(Both, Place, Other).run();
}

} // namespace kpipe
