// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a trace to stages, see HandStaged.h. Three things make a loop staged: its
// stores of global data take turns in a fixed number of buffers, each read
// follows one of these stores at a fixed distance, and between the load of a
// tile and the barrier that shows it another tile is read.
#include "HandStaged.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace clang;

namespace kpipe {

namespace {

using Spot = std::pair<const VarDecl *, int64_t>;

class Judge {
public:
  explicit Judge(const StageTrace &T) : T(T) {}

  std::optional<HandStaging> run() {
    if (T.Turns < TurnsToTell || !collect() || !findStores() || !findReads())
      return std::nullopt;
    std::optional<unsigned> Least = leastWhileLoading();
    if (!Least)
      return std::nullopt;
    Found.Stages = Found.Buffers == 1 ? 1 : *Least + 1;
    return std::move(Found);
  }

private:
  /// Its first place in each turn.
  struct Mention {
    std::vector<Spot> Places;
    bool Write = false, Async = false, FirstOfTurn = false;
    size_t At = 0; ///< of turn Shown, among the events
  };
  const StageTrace &T;
  llvm::MapVector<const Stmt *, Mention> Mentions;
  HandStaging Found;
  /// A turn that has others before and behind it.
  static constexpr int Shown = 9;

  /// False if an access to shared memory is not known, or its value is not
  /// loaded from global memory alone.
  bool collect() {
    for (size_t I = 0; I != T.Events.size(); ++I) {
      const TraceEvent &E = T.Events[I];
      if (E.Turn < 0 || E.After || unsigned(E.Turn) >= T.Turns ||
          (E.Kind != TraceKind::Write && E.Kind != TraceKind::Read))
        continue;
      if (!E.Base || E.Maybe)
        return false;
      // One mention may be both, in a call.
      Mention &M = Mentions[E.At];
      const bool Write = E.Kind == TraceKind::Write;
      if (M.Places.empty())
        M.Write = Write;
      if (M.Write != Write ||
          (Write && (!E.FromGlobal || E.FromShared)))
        return false;
      M.Async |= E.Async;
      if (M.Places.size() == unsigned(E.Turn)) {
        M.Places.emplace_back(E.Base, E.Offset);
        if (E.Turn == Shown)
          M.At = I;
      }
    }
    // One that is not there in every turn is not understood.
    return llvm::all_of(Mentions, [&](const auto &M) {
      return M.second.Places.size() == T.Turns;
    });
  }

  static unsigned periodOf(llvm::ArrayRef<Spot> Places) {
    for (unsigned N = 1; N <= MostBuffers; ++N)
      if (llvm::equal(Places.drop_front(N), Places.drop_back(N)))
        return N;
    return 0;
  }

  bool findStores() {
    for (const auto &[At, M] : Mentions) {
      if (!M.Write)
        continue;
      const unsigned N = periodOf(M.Places);
      if (!N || (Found.Buffers && N != Found.Buffers))
        return false;
      Found.Buffers = N;
      Found.Stores.push_back({At, M.Places, M.Async});
    }
    if (Found.Stores.empty())
      return false;
    const bool All = llvm::all_of(Found.Stores, isAsync);
    const bool Any = llvm::any_of(Found.Stores, isAsync);
    Found.Routes = All   ? RouteMix::AsyncCopy
                   : Any ? RouteMix::Both
                         : RouteMix::Registers;
    return true;
  }
  static bool isAsync(const StagedStore &S) { return S.Async; }

  /// Bytes between buffers, 0 where each is a variable of its own.
  int64_t spacing(const StagedStore &S) const {
    int64_t Least = 0;
    for (unsigned I = 1; I < Found.Buffers; ++I)
      if (S.Places[I].first == S.Places[0].first) {
        const int64_t D = std::abs(S.Places[I].second - S.Places[0].second);
        Least = Least ? std::min(Least, D) : D;
      }
    return Least;
  }

  /// The bytes from a store's place to a read's, if they are the same for all
  /// turns and the read is that many turns later.
  std::optional<int64_t> delta(const StagedStore &S, llvm::ArrayRef<Spot> R,
                               unsigned Turns) const {
    std::optional<int64_t> D;
    for (unsigned I = Turns; I != T.Turns; ++I) {
      const Spot &A = S.Places[I - Turns], &B = R[I];
      if (A.first != B.first || (D && *D != B.second - A.second))
        return std::nullopt;
      D = B.second - A.second;
    }
    const int64_t Most = spacing(S);
    return Most && std::abs(*D) >= Most ? std::nullopt : D;
  }

  bool reads(const Mention &M, const Stmt *At) {
    bool Touched = false;
    std::optional<StagedRead> Best;
    for (unsigned S = 0; S != Found.Stores.size(); ++S) {
      const StagedStore &Store = Found.Stores[S];
      Touched |= llvm::any_of(Store.Places, [&](const Spot &P) {
        return llvm::any_of(M.Places,
                            [&](const Spot &Q) { return P.first == Q.first; });
      });
      // Before the store of its turn a read sees what that overwrites.
      const bool Earlier = M.At < Mentions[Store.At].At;
      for (unsigned D = 0; D != Found.Buffers; ++D)
        if (auto Bytes = delta(Store, M.Places, D);
            Bytes && (!Best || std::abs(*Bytes) < std::abs(Best->Delta)))
          Best = StagedRead{At, D || !Earlier ? D : Found.Buffers, S, *Bytes};
    }
    if (Best)
      Found.Reads.push_back(*Best);
    return Best || !Touched;
  }

  bool findReads() {
    for (const auto &[At, M] : Mentions)
      if (!M.Write && !reads(M, At))
        return false;
    return !Found.Reads.empty();
  }

  /// Where the barrier stands that shows the tile of turn Shown; 0: unknown.
  size_t shownAt(size_t LastStore) const {
    size_t From = LastStore;
    if (Found.Routes != RouteMix::Registers) {
      unsigned Commits = 0, Group = 0;
      for (size_t I = 0; I != T.Events.size(); ++I) {
        const TraceEvent &E = T.Events[I];
        if (E.Kind == TraceKind::Commit)
          ++Commits;
        if (I == LastStore)
          Group = Commits;
        if (I > LastStore && E.Kind == TraceKind::Wait &&
            Commits > Group + E.Keep) {
          From = I;
          break;
        }
      }
    }
    for (size_t I = From; I != T.Events.size(); ++I)
      if (T.Events[I].Kind == TraceKind::Barrier)
        return I;
    return 0;
  }

  /// The least distance of the reads between the load of a tile and the barrier
  /// that shows it; none if there are no such reads, or none of another tile.
  std::optional<unsigned> leastWhileLoading() {
    size_t First = SIZE_MAX, Last = 0;
    for (const StagedStore &S : Found.Stores) {
      First = std::min(First, Mentions[S.At].At);
      Last = std::max(Last, Mentions[S.At].At);
    }
    // Its load is the first one behind the stores of the tile before.
    size_t Load = First;
    auto stores = [&](const TraceEvent &E) {
      return E.Kind == TraceKind::Write && !E.After && E.Turn < Shown &&
             isStaged(E.At);
    };
    for (size_t I = First; I-- != 0 && !stores(T.Events[I]);)
      if (T.Events[I].Kind == TraceKind::Fetch)
        Load = I;
    const size_t End = shownAt(Last);
    if (!End)
      return std::nullopt;
    std::optional<unsigned> Least;
    bool Barrier = false;
    for (size_t I = Load; I != End; ++I) {
      Barrier |= T.Events[I].Kind == TraceKind::Barrier && I < First;
      for (const StagedRead &R : Found.Reads)
        if (T.Events[I].At == R.At && T.Events[I].Kind == TraceKind::Read)
          Least = std::min(Least.value_or(R.Distance), R.Distance);
    }
    // What the one buffer holds must have been read by all.
    if (!Least || !*Least || (Found.Buffers == 1 && !Barrier))
      return std::nullopt;
    return Least;
  }

  bool isStaged(const Stmt *At) const {
    return llvm::any_of(Found.Stores,
                        [&](const StagedStore &S) { return S.At == At; });
  }
};

} // namespace

const StagedStore *HandStaging::storeTo(const VarDecl *Base) const {
  for (const StagedStore &S : Stores)
    if (llvm::any_of(S.Places, [&](const auto &P) { return P.first == Base; }))
      return &S;
  return nullptr;
}

std::optional<HandStaging> findHandStaging(const StageTrace &Trace) {
  return Judge(Trace).run();
}

} // namespace kpipe
