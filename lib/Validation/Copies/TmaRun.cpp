// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TmaRun.h. Matrices of both texts are told apart by the number of their
// parameter.
#include "TmaRun.h"
#include "Code/AstUtils.h"
#include "TileRuns.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned TmaSamples = 7, StepsOfElements = 80000000;

/// Where the runtime's function says that an element is.
class ElementPlaces final : public ThreadRun {
public:
  ElementPlaces(const ASTContext &Context, const FunctionDecl *F)
      : ThreadRun(Context, F, F->getBody(), {}, StepsOfElements), F(F) {}

  std::optional<int64_t> at(const VarDecl *Array, int64_t Row, int64_t Column) {
    begin({});
    set(F->getParamDecl(0), RunValue::addressOf(Array));
    set(F->getParamDecl(1), RunValue::of(Row));
    set(F->getParamDecl(2), RunValue::of(Column));
    Returned = {};
    run(F->getBody(), [](const Expr *, const RunValue &) {});
    if (!returned() || !Returned.isAddress() || Returned.Base != Array)
      return std::nullopt;
    return Returned.Number;
  }

private:
  const FunctionDecl *F;
};

/// Where the author's pieces of an array are in the new text, by byte. Nothing
/// where an element of a piece is elsewhere.
using Layout = std::map<int64_t, int64_t>;

std::optional<Layout> layoutOf(const TmaArray &Array, const ASTContext &Author,
                               const ASTContext &Engine,
                               const PiecesOf &Stored) {
  const auto *Outer = Author.getAsConstantArrayType(Array.Author->getType());
  const auto *Inner =
      Outer ? Author.getAsConstantArrayType(Outer->getElementType()) : nullptr;
  const FunctionDecl *Called = Array.Element->getDirectCallee(), *F = nullptr;
  if (!Inner || !Called->hasBody(F) || F->getNumParams() != 3)
    return std::nullopt;
  const int64_t Size = Author.getTypeSizeInChars(Inner->getElementType())
                           .getQuantity(),
                RowBytes = Size * Inner->getSize().getZExtValue();
  ElementPlaces Places(Engine, F);
  Layout All;
  for (const auto &[At, From] : Stored) {
    if (At.first != Array.Author)
      continue;
    for (int64_t B = 0; B != BytesOfPiece; B += Size) {
      const auto Place = Places.at(Array.Engine, At.second / RowBytes,
                                   (At.second % RowBytes + B) / Size);
      if (!Place || *Place % BytesOfPiece != B ||
          All.try_emplace(At.second, *Place - B).first->second != *Place - B)
        return std::nullopt;
    }
  }
  return All.empty() ? std::nullopt : std::optional(std::move(All));
}

bool sameTiles(const TmaCode &Code, llvm::ArrayRef<Layout> Layouts,
               const std::array<PiecesOf, TmaTiles> &Pieces,
               const EngineCopies &Copies) {
  for (unsigned T = 0; T != TmaTiles; ++T) {
    const PiecesOf &Stored = Pieces[T], &Brought = Copies.Pieces[T];
    if (Stored.empty() || Stored.size() != Brought.size())
      return false;
    for (const auto &[At, From] : Stored) {
      const auto Array =
          llvm::find_if(Code.Arrays, [V = At.first](const TmaArray &A) {
            return A.Author == V;
          });
      if (Array == Code.Arrays.end())
        return false;
      const Layout &L = Layouts[Array - Code.Arrays.begin()];
      const auto Place = L.find(At.second);
      const auto Found = Place == L.end()
                             ? Brought.end()
                             : Brought.find({Array->Engine, Place->second});
      if (Found == Brought.end() || !(Found->second == From))
        return false;
    }
  }
  return true;
}

/// What the author's threads copy in one problem, and its numbers.
struct Problem {
  ThreadMemory::Sample Of;
  std::array<PiecesOf, TmaTiles> Stored;
  std::vector<std::optional<int64_t>> Numbers; ///< of the parameters
};

/// All ways to choose parameters where launches give the same for several.
std::vector<ChosenMatrix> choicesOf(const TmaMatrix &M) {
  constexpr size_t Most = 256;
  std::vector<ChosenMatrix> All;
  for (unsigned Base : M.Bases)
    All.push_back({M.Map, Base, M.Rows, M.Columns, {}});
  for (const auto &[Factor, Product] : M.Pitch) {
    for (ChosenMatrix &C : All)
      C.Pitch.push_back({Factor, {}});
    for (const TmaMatrix::Parameters &Any : Product) {
      std::vector<ChosenMatrix> Next;
      for (const ChosenMatrix &C : All)
        for (unsigned P : Any) {
          Next.push_back(C);
          Next.back().Pitch.back().second.push_back(P);
        }
      if (Next.size() > Most)
        return {};
      All = std::move(Next);
    }
  }
  return All;
}

/// Do the author's threads copy from that matrix, from row to row?
bool mayBe(const ChosenMatrix &M, int64_t ElementBytes, const Problem &P) {
  const auto Pitch = pitchOf(M, [&](unsigned I) { return P.Numbers[I]; });
  std::set<int64_t> From;
  for (const auto &[At, Source] : P.Stored[0])
    if (Source.Base == M.Base)
      From.insert(Source.Number);
  bool All = Pitch && !From.empty();
  for (unsigned R = 0; All && R != M.Rows; ++R)
    for (int64_t B = 0; B < M.Columns * ElementBytes; B += BytesOfPiece)
      All &= From.count(*From.begin() + R * *Pitch * ElementBytes + B) != 0;
  return All;
}

} // namespace

bool bringsTheSame(const ASTContext &Author, const FunctionDecl *F,
                   const ASTContext &Engine, const FunctionDecl *G,
                   const TmaCode &Code, llvm::ArrayRef<TmaMatrix> Matrices,
                   std::array<unsigned, 3> Block) {
  StoredBy Stores;
  for (const Stmt *S : Code.Copies) {
    auto Some = storesOf(S, Author);
    if (!Some)
      return false;
    Stores.insert(Some->begin(), Some->end());
  }
  const unsigned Count = Block[0] * Block[1] * Block[2];
  auto Thread = [&](unsigned N, unsigned T) {
    return ThreadMemory::Sample{
        N,
        Block,
        {T % Block[0], T / Block[0] % Block[1], T / Block[0] / Block[1]}};
  };
  std::vector<Problem> Problems;
  for (unsigned N = 0; N != TmaSamples; ++N) {
    ThreadsCopy Threads(Author, F, Code, Stores);
    for (unsigned T = 0; T != Count; ++T)
      if (!Threads.follow(Thread(N, T)) || Threads.spent())
        return false;
    Problem P{Thread(N, 0), std::move(Threads.Pieces), {}};
    for (unsigned I = 0; I != F->getNumParams(); ++I)
      P.Numbers.push_back(Threads.numberOf(I));
    Problems.push_back(std::move(P));
  }
  std::vector<ChosenMatrix> Chosen;
  for (const TmaMatrix &M : Matrices) {
    for (const ChosenMatrix &C : choicesOf(M)) {
      const QualType T = F->getParamDecl(C.Base)->getType()->getPointeeType();
      if (!hasSize(T) || !llvm::all_of(Problems, [&](const Problem &P) {
            return mayBe(C, Author.getTypeSizeInChars(T).getQuantity(), P);
          }))
        continue;
      Chosen.push_back(C);
      break;
    }
  }
  if (Chosen.size() != Matrices.size())
    return false;
  std::vector<Layout> Layouts;
  for (const TmaArray &A : Code.Arrays) {
    auto One = layoutOf(A, Author, Engine, Problems.front().Stored[0]);
    if (!One)
      return false;
    Layouts.push_back(std::move(*One));
  }
  for (const Problem &P : Problems) {
    EngineCopies Copies(Engine, G, Code, Chosen);
    // One thread issues.
    for (unsigned T = 0; T != Count; ++T)
      if (!Copies.follow(Thread(P.Of.Number, T)) || Copies.spent() ||
          Copies.Issues != (T == 0))
        return false;
    if (!sameTiles(Code, Layouts, P.Stored, Copies))
      return false;
  }
  return true;
}

} // namespace kpipe
