// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copies in front of the loop are those of its first turn.
#include "Code/Effects.h"
#include "TurnFacts.h"
#include "Validation/Trees/JumpMeaning.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class FirstTile {
public:
  explicit FirstTile(TurnFacts &T) : T(T) {}

  bool run() {
    MovedCopies Moved(T.Both.AuthorIn, T.Both.OtherIn, T.NumbersBefore);
    T.prepare(Moved);
    Moved.Other.CounterIs = T.Begin;
    for (const Tree *S : T.BeforeCopies)
      MovedCopies::learn(*S, T.Both.OtherIn, Moved.Other);
    for (size_t At : T.Place.Gone)
      if (!gone(*T.Place.Around[At], At))
        return false;
    if (!T.copied(Moved, -1, T.Mine.Before, false,
                  [&] { return Moved.lists(Copies, T.Copies); }))
      return T.fail(Moved.Differs ? *Moved.Differs : T.A,
                    msg::proof_first_tile);
    llvm::append_range(T.Mine.Before, Waits);
    return between() && (!Barrier || showsNothing(T.Both.Author));
  }

private:
  TurnFacts &T;
  TreeList Copies; ///< and declarations
  /// Behind the last copy.
  std::vector<BufferEvent> Waits;
  bool Copied = false;
  const Tree *Barrier = nullptr; ///< that is gone

  bool gone(const Tree &S, size_t At) {
    if (S.is("NullStmt"))
      return true;
    if (S.is("CompoundStmt"))
      return llvm::all_of(statementsIn(S),
                          [&](const Tree *In) { return gone(*In, At); });
    std::vector<BufferEvent> Events;
    if (waitsOnly(S, T.Both.AuthorIn, Events)) {
      // What waits before the first copy would be missed by others.
      if (!Copied)
        return T.fail(S, msg::proof_code);
      for (const BufferEvent &E : Events)
        if (E.What == BufferEvent::Barrier)
          Barrier = &S;
      llvm::append_range(Waits, Events);
      return true;
    }
    eachNode(S, [&](const Tree &N) {
      if (N.is("Var"))
        T.Own.insert(N.Local);
    });
    Copies.push_back(&S);
    if (S.is("DeclStmt"))
      return declaration(S);
    // Behind a wait there are no more copies; a commit covers those before it.
    if (llvm::any_of(Waits, [](const BufferEvent &E) {
          return E.What != BufferEvent::Commit;
        }))
      return T.fail(S, msg::proof_first_tile);
    Waits.clear();
    if (!Copied)
      T.FirstAt = At;
    return Copied = true;
  }

  bool declaration(const Tree &S) {
    if (!isQuietDeclaration(S))
      return T.fail(S, msg::proof_code);
    for (const auto &V : S.Kids)
      if (!T.Both.AuthorIn.isKept(V->Local) && !T.Flipped.erase(V->Local))
        return T.fail(S, msg::proof_code);
    return true;
  }

  /// Nothing that is done in front of the loop has to be shown to others by the
  /// barrier that is gone.
  bool showsNothing(const Tree &S) {
    for (const auto &Kid : S.Kids) {
      bool Holds = false;
      eachNode(*Kid, [&](const Tree &N) { Holds |= &N == &T.A; });
      if (Holds)
        return Kid.get() == &T.A || showsNothing(*Kid);
      if (!Kid->Origin || isGone(*Kid))
        continue;
      const Effects All = effectsOf(Kid->Origin, T.Written);
      if (llvm::any_of(
              All.Memory,
              [](const MemoryAccess &M) { return M.Write || M.Atomic; }) ||
          llvm::any_of(All.Events, [](const Event &E) {
            return E.Kind == EventKind::UnknownCall ||
                   E.Kind == EventKind::UnknownAsm ||
                   E.Kind == EventKind::AsyncCopy;
          }))
        return T.fail(*Kid, msg::proof_shown);
    }
    return true;
  }
  bool isGone(const Tree &S) const {
    return llvm::any_of(T.Place.Gone,
                        [&](size_t At) { return T.Place.Around[At] == &S; });
  }

  bool between() {
    if (!T.Flipped.empty())
      return T.fail(*T.Flipped.begin()->second, msg::proof_code);
    for (size_t I = T.FirstAt; I < T.Place.Loop; ++I) {
      const Tree &S = *T.Place.Around[I];
      if (llvm::is_contained(T.Place.Gone, I) || S.is("NullStmt") ||
          isBarrierOfBlock(S))
        continue;
      if (!S.Origin)
        return T.fail(S, msg::proof_between);
      const Effects All = effectsOf(S.Origin, T.Written);
      if (!All.Events.empty() ||
          llvm::any_of(All.Memory, [](const MemoryAccess &M) {
            return M.Write || M.Atomic || M.Volatile;
          }))
        return T.fail(S, msg::proof_between);
    }
    return true;
  }
};

} // namespace

bool comparesFirstTile(TurnFacts &T) { return FirstTile(T).run(); }

} // namespace kpipe
