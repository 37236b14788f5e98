// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TurnFacts.h"
#include "Code/KnownFunctions.h"
#include "Validation/Lowered/AsyncMeaning.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TurnFacts::TurnFacts(RestagedPair &Both, const StagedPlace &Place,
                     const Tree &Other)
    : Both(Both), Place(Place), A(*Place.Around[Place.Loop]), O(Other),
      Index(Both.Author, A, Both.AuthorIn.Context),
      Written(const_cast<ASTContext &>(Both.AuthorIn.Context),
              cast<FunctionDecl>(Both.Author.Of), nullptr) {}

bool isBarrierOfBlock(const Tree &T) {
  const FunctionDecl *F = calleeOf(withoutCasts(T));
  return F && classifyCall(F) == CallKind::BlockBarrier;
}

bool waitsOnly(const Tree &S, const Frame &F, std::vector<BufferEvent> &To) {
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
    else if (E.All || (E.Keep && *E.Keep >= 0)) {
      To.push_back(
          {E.All && E.Uncommitted ? BufferEvent::WaitAll : BufferEvent::Wait,
           &S,
           0,
           {},
           false});
      To.back().Keep = E.All ? 0 : *E.Keep;
    }
  }
  return true;
}

bool threadWaitsOnly(const Tree &S, const Frame &F,
                     std::vector<BufferEvent> &To) {
  std::vector<BufferEvent> Events;
  if (!waitsOnly(S, F, Events) ||
      llvm::any_of(Events, [](const BufferEvent &E) {
        return E.What == BufferEvent::Barrier;
      }))
    return false;
  llvm::append_range(To, Events);
  return true;
}

bool isQuietDeclaration(const Tree &S) {
  return S.is("DeclStmt") && llvm::all_of(S.Kids, [](const auto &V) {
           const auto *Of = dyn_cast_or_null<VarDecl>(V->Of);
           return V->is("Var") && !effectsIn(*V) && Of &&
                  Of->getType()->isScalarType() &&
                  !Of->getType().isVolatileQualified() && V->Label.empty();
         });
}

void TurnFacts::prepare(MovedCopies &Moved) const {
  Moved.Author.Counter = Counter;
  Moved.Author.Buffers = Both.Buffers;
  Moved.Author.TwoBuffers = true;
  Moved.Author.Index = &Index;
  Moved.Other.Counter = OthersCounter;
  Moved.Other.Buffers = Both.OthersBuffers;
}

bool TurnFacts::copied(MovedCopies &Moved, int At, std::vector<BufferEvent> &To,
                       bool IfMore, llvm::function_ref<bool()> Compare) {
  std::vector<BufferEvent> Seen;
  auto See = [&](const Tree &Array, const Tree &Which) {
    const auto Buffer = Index.of(Which, At);
    if (Buffer)
      Seen.push_back({BufferEvent::Copy, &Array, Array.Local, *Buffer, IfMore});
    return Buffer.has_value();
  };
  Moved.Author.OnBuffer = See;
  const bool Same = Compare() && !Seen.empty();
  Moved.Author.OnBuffer = nullptr;
  llvm::append_range(To, Seen);
  Named.insert(Moved.Author.Named.begin(), Moved.Author.Named.end());
  return Same;
}

} // namespace kpipe
