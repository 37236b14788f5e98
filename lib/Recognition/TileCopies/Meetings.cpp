// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two stores can meet, see Meetings.h: bytes that meet are equations
// between sums, and what has to be equal for them is learnt from the largest
// factor down, until something contradicts.
#include "Meetings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <numeric>

namespace kpipe {

namespace {

/// Two executions whose bytes meet, and what follows of that.
struct Meeting {
  const AtomTable &Atoms;
  std::set<InnerLoop> SameLoops;
  std::set<std::string> Same;
  bool Impossible = false;
  /// Bytes meet whatever the rest is.
  bool Certain = false;

  struct Equation {
    Sum A, B;
    int64_t Size;
  };
  std::vector<Equation> All;

  bool equal(const std::string &Key) const {
    if (Same.count(Key))
      return true;
    for (const InnerLoop &L : Atoms.at(Key).Loops)
      if (!SameLoops.count(L))
        return false;
    return true;
  }
  bool equal(const Sum &S) const {
    return llvm::all_of(S.Terms, [&](const auto &T) { return equal(T.first); });
  }

  struct Unknown {
    std::string Key; ///< of an atom in both; empty for a part of one side
    int64_t Factor, Grain, Low, High;
    int64_t weight() const { return std::abs(Factor) * Grain; }
    int64_t least() const { return std::min(Factor * Low, Factor * High); }
    int64_t most() const { return std::max(Factor * Low, Factor * High); }
  };

  /// |A - B| < Size: what has to be 0 for that. True if something was learnt.
  bool learn(const Equation &E) {
    int64_t Distance = E.A.Constant - E.B.Constant;
    std::vector<Unknown> Left;
    std::set<std::string> Keys;
    for (const auto &[Key, F] : E.A.Terms)
      Keys.insert(Key);
    for (const auto &[Key, F] : E.B.Terms)
      Keys.insert(Key);
    bool Wraps = false; // differs by 2^32 while the places are one
    auto Alone = [&](const Atom &A, int64_t F) {
      Wraps |= !A.hasBounds() || !A.neverWraps(F);
      Distance += F * A.Low;
      bool Even = A.Kind == Atom::Counter && A.Low % A.Grain == 0;
      Left.push_back(
          {"", F, Even ? A.Grain : 1, 0, std::min(Far, A.High - A.Low)});
      if (A.Low <= -Far || A.High >= Far) {
        Distance -= F * A.Low;
        Left.back().Low = -Far;
        Left.back().High = Far;
        Left.back().Grain = A.Kind == Atom::Counter ? A.Grain : 1;
      }
    };
    for (const std::string &Key : Keys) {
      const Atom &A = Atoms.at(Key);
      auto ItA = E.A.Terms.find(Key), ItB = E.B.Terms.find(Key);
      int64_t InA = ItA == E.A.Terms.end() ? 0 : ItA->second;
      int64_t InB = ItB == E.B.Terms.end() ? 0 : ItB->second;
      if (equal(Key)) {
        if (InA != InB)
          Alone(A, InA - InB);
      } else if (InA == InB) {
        Wraps |= !A.neverWraps(InA);
        int64_t Width = std::min(Far, A.High - A.Low) / A.Grain * A.Grain;
        Left.push_back({Key, InA, A.Grain, -Width, Width});
      } else {
        if (InA)
          Alone(A, InA);
        if (InB)
          Alone(A, -InB);
      }
    }
    if (Wraps || std::abs(Distance) >= MostApart)
      return false;
    int64_t Grain = 0, Low = Distance, High = Distance;
    for (const Unknown &U : Left) {
      Grain = std::gcd(Grain, U.weight());
      Low += std::max(U.least(), -(Far << 10));
      High += std::min(U.most(), Far << 10);
    }
    if (Low >= E.Size || High <= -E.Size)
      return Impossible = true;
    if (Grain > 0) {
      int64_t Over = ((Distance % Grain) + Grain) % Grain;
      if (Over >= E.Size && Grain - Over >= E.Size)
        return Impossible = true;
    }
    bool Learnt = false;
    llvm::stable_sort(Left, [](const Unknown &X, const Unknown &Y) {
      return X.weight() > Y.weight();
    });
    for (size_t I = 0; I != Left.size(); ++I) {
      int64_t Least = Distance, Most = Distance;
      for (size_t J = I + 1; J != Left.size(); ++J) {
        Least += std::max(Left[J].least(), -(Far << 10));
        Most += std::min(Left[J].most(), Far << 10);
      }
      int64_t Rest = std::max(std::abs(Least), std::abs(Most)) + E.Size - 1;
      const bool Fixed = Left[I].Low == Left[I].High; // it cannot differ
      if (!Fixed && Left[I].weight() <= Rest)
        return Learnt;
      if (!Left[I].Key.empty())
        Learnt |= Same.insert(Left[I].Key).second;
    }
    // Nothing is left that differs.
    if (std::abs(Distance) >= E.Size)
      return Impossible = true;
    Certain |= E.Size > 1 && Left.empty();
    return Learnt;
  }

  /// What the parts of equal atoms tell.
  void spread() {
    for (const auto &[Key, A] : Atoms.all()) {
      if (!Same.count(Key))
        continue;
      if (A.Kind == Atom::Counter)
        SameLoops.insert(A.Loops.begin(), A.Loops.end());
      if (A.Kind == Atom::Xor && equal(A.X))
        All.push_back({A.Y, A.Y, 1});
      if ((A.Kind == Atom::Xor || A.Kind == Atom::Product) && equal(A.Y))
        All.push_back({A.X, A.X, 1});
      if (A.Kind == Atom::Quotient) {
        std::string Other = Key;
        Other[Other.rfind('/')] = '%';
        if (Atoms.has(Other) && equal(Other))
          All.push_back({A.X, A.X, 1});
      }
    }
  }

  /// What is computed of equal atoms alone is equal. True if that is news.
  bool derive() {
    bool News = false;
    for (const auto &[Key, A] : Atoms.all()) {
      const bool OfOne =
          A.Kind == Atom::Quotient || A.Kind == Atom::Remainder;
      const bool OfTwo = A.Kind == Atom::Xor || A.Kind == Atom::Product;
      if ((OfOne || OfTwo) && !equal(Key) && equal(A.X) &&
          (OfOne || equal(A.Y)))
        News |= Same.insert(Key).second;
    }
    return News;
  }

  void run() {
    for (unsigned Round = 0; Round != 16 && !Impossible; ++Round) {
      bool Learnt = false;
      for (size_t I = 0; I != All.size() && !Impossible; ++I)
        Learnt |= learn(All[I]);
      size_t Loops = SameLoops.size();
      size_t First = All.size();
      Learnt |= derive();
      spread();
      for (size_t I = First; I != All.size() && !Impossible; ++I)
        Learnt |= learn(All[I]);
      All.resize(First);
      if (!Learnt && Loops == SameLoops.size())
        return;
    }
  }
};

} // namespace

/// Steps of one size are one index. A cast, or a larger step after a smaller
/// one, makes something else of what comes before: no steps then.
static std::vector<std::pair<std::string, Sum>>
merged(const std::vector<std::pair<std::string, Sum>> &Steps) {
  std::vector<std::pair<std::string, Sum>> Out;
  int64_t Last = 0;
  for (const auto &[Step, By] : Steps) {
    if (Step == "view")
      return {};
    if (Step[0] == '.') {
      Out.push_back({Step, By});
      Last = 0;
      continue;
    }
    int64_t Bytes = std::stoll(Step);
    if (Last && Bytes > Last)
      return {};
    if (Last == Bytes)
      Out.back().second = add(Out.back().second, By);
    else
      Out.push_back({Step, By});
    Last = Bytes;
  }
  return Out;
}

bool neverMeet(const PlacedStore &A, const PlacedStore &B,
               const AtomTable &Atoms) {
  bool One = &A == &B || (A.Store == B.Store && A.Call == B.Call);
  if (One && A.Loops.empty())
    return true;
  std::set<InnerLoop> Common;
  for (const InnerLoop &L : A.Loops)
    if (B.Loops.count(L))
      Common.insert(L);
  bool Exclusive =
      One || llvm::any_of(A.Branches, [&](const auto &Branch) {
        auto It = B.Branches.find(Branch.first);
        return It != B.Branches.end() && It->second != Branch.second;
      });
  if (Exclusive && Common.empty())
    return true;
  if (!A.Place.Known || !B.Place.Known)
    return false;
  if (A.Place.Array != B.Place.Array)
    return false;
  auto Decide = [&](Meeting &M) {
    M.run();
    if (M.Impossible)
      return true;
    return Exclusive && llvm::all_of(Common, [&](const InnerLoop &L) {
             return M.SameLoops.count(L) != 0;
           });
  };
  int64_t Size = std::max(A.Bytes, B.Bytes);
  Meeting Flat{Atoms, {},    {},
               false, false, {{A.Place.Bytes, B.Place.Bytes, Size}}};
  if (Decide(Flat))
    return true;
  if (Flat.Certain)
    return false;
  // Parts that were carved out of dynamic shared memory are taken to be apart.
  if (A.Through != B.Through)
    return true;
  // Indices stay inside their dimension, members are apart.
  auto X = merged(A.Place.Steps), Y = merged(B.Place.Steps);
  Meeting Steps{Atoms, {}, {}, false, false, {}};
  for (size_t I = 0; I != std::min(X.size(), Y.size()); ++I) {
    if (X[I].first != Y[I].first) {
      // Two members of one object.
      if (X[I].first[0] == '.' && Y[I].first[0] == '.' &&
          llvm::all_of(llvm::seq<size_t>(0, I),
                       [&](size_t J) { return X[J].first == Y[J].first; }))
        return true;
      return false;
    }
    Steps.All.push_back({X[I].second, Y[I].second, 1});
  }
  if (X.size() != Y.size() || X.empty())
    return false;
  if (X.back().first[0] != '.')
    Steps.All.back().Size = Size;
  return Decide(Steps);
}

} // namespace kpipe
