// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BulkRun.h. What the host gives is drawn from samples, in some of which
// lengths are no multiples of what copies need.
#include "BulkRun.h"
#include "RowRuns.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned BulkSamples = 14;

/// Of all rows of a tile, one behind the other; nothing where two of them share
/// a byte.
std::optional<int64_t> bytesOf(const RowsOf &Rows) {
  int64_t Sum = 0, End = 0;
  const std::string *Array = nullptr;
  for (const auto &[At, Row] : Rows) {
    if (Array && *Array == At.first && At.second < End)
      return std::nullopt;
    Array = &At.first;
    End = At.second + Row.Bytes;
    Sum += Row.Bytes;
  }
  return Sum;
}

/// The row with the byte, and what is in front of it there.
const CopiedRow *rowWith(const RowsOf &Rows,
                         const std::pair<std::string, int64_t> &At,
                         int64_t &Before) {
  auto Next = Rows.upper_bound(At);
  if (Next == Rows.begin())
    return nullptr;
  --Next;
  Before = At.second - Next->first.second;
  return Next->first.first == At.first && Before < Next->second.Bytes
             ? &Next->second
             : nullptr;
}

bool sameBytes(const RowsOf &Threads, const RowsOf &Engine) {
  const auto All = bytesOf(Threads), Brought = bytesOf(Engine);
  if (!All || !Brought || *All != *Brought || !*All)
    return false;
  return llvm::all_of(Threads, [&](const auto &One) {
    const auto &[At, Element] = One;
    int64_t Before = 0;
    const CopiedRow *Row = rowWith(Engine, At, Before);
    return Row && Before + Element.Bytes <= Row->Bytes &&
           Row->From == Element.From && Row->Number + Before == Element.Number;
  });
}

/// Does each row begin at a multiple of 16 bytes, as an access of the author's
/// says, or what was asked?
bool isAligned(const RowsOf &Threads, const RowsOf &Engine,
               const EngineRows &Asked) {
  return llvm::all_of(Engine, [&](const auto &One) {
    const auto &[At, Row] = One;
    const auto First = Threads.find(At);
    return (First != Threads.end() && First->second.Aligned) ||
           (Row.Number % 16 == 0 && Asked.isAsked(Row.From));
  });
}

/// All threads of one problem.
class BulkProblem {
public:
  BulkProblem(std::array<unsigned, 3> Block, unsigned N)
      : Block(Block), Number(N) {}

  bool brings(ThreadsRows &Threads, EngineRows &Engine, bool &Holds) const {
    const unsigned Count = Block[0] * Block[1] * Block[2];
    unsigned Inits = 0, Issues = 0;
    for (unsigned T = 0; T != Count; ++T) {
      if (!Threads.follow(thread(T)) || Threads.spent())
        return false;
      bool Init = false, Here = false;
      if (!Engine.ask(thread(T), Init, Here) || (T && Here != Holds))
        return false;
      Holds = Here;
      Inits += Init;
      if (!Engine.follow(thread(T)) || Engine.spent())
        return false;
      Issues += Engine.Issues;
    }
    if (Inits != 1 || Issues != 1)
      return false;
    for (unsigned T = 0; T != TmaTiles; ++T)
      if (!sameBytes(Threads.Rows[T], Engine.Rows[T]) ||
          (Holds && !isAligned(Threads.Rows[T], Engine.Rows[T], Engine)))
        return false;
    return true;
  }

private:
  const std::array<unsigned, 3> Block;
  const unsigned Number;

  ThreadMemory::Sample thread(unsigned T) const {
    return {Number,
            Block,
            {T % Block[0], T / Block[0] % Block[1], T / Block[0] / Block[1]}};
  }
};

/// What stands between issue and wait has lost its barrier: nothing but numbers
/// of a thread's own.
bool isQuiet(const Tree *Statement) {
  bool Quiet = Statement->is("DeclStmt");
  eachNode(*Statement, [&](const Tree &T) {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    Quiet &= !(V && V->hasAttr<CUDASharedAttr>()) &&
             !T.is("ArraySubscriptExpr") && !T.is("CompoundAssignOperator") &&
             !T.is("CallExpr") &&
             !(T.is("UnaryOperator") && T.Label != "-" && T.Label != "+" &&
               T.Label != "!" && T.Label != "~") &&
             !(T.is("BinaryOperator") && T.Label == "=");
  });
  return Quiet;
}

} // namespace

bool bringsSameRows(const ASTContext &Author, const FunctionDecl *F,
                    const ASTContext &Engine, const FunctionDecl *G,
                    const BulkCode &Code, std::array<unsigned, 3> Block) {
  StoredBy Stores;
  for (const Stmt *S : Code.Copies) {
    auto Some = storesOf(S, Author, 1);
    if (!Some)
      return false;
    Stores.insert(Some->begin(), Some->end());
  }
  if (!llvm::all_of(Code.Between, isQuiet))
    return false;
  unsigned Held = 0;
  for (unsigned N = 0; N != BulkSamples; ++N) {
    ThreadsRows Threads(Author, F, Code, Stores);
    EngineRows Brought(Engine, G, Code);
    bool Holds = false;
    if (!BulkProblem(Block, N).brings(Threads, Brought, Holds))
      return false;
    Held += Holds;
  }
  return Held != 0;
}

} // namespace kpipe
