// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First all threads store, then some of them read. See PartialReads.h.

#include "PartialReads.h"
#include "Validation/Interpreter/BlockShapes.h"
#include "Validation/Interpreter/LoopThread.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned StepsOfPartial = 2000000;
constexpr unsigned PartialSamples = 4, PartialTiles = 6, ReadingThreads = 4;

/// What is loaded from a buffer, or through a reference, which may be to an
/// element of it, as the lvalue that is read. Callees are entered.
struct ReadsOfBuffers : ConstDynamicRecursiveASTVisitor {
  const VarSet &Of;
  llvm::DenseSet<const Expr *> Found;
  llvm::DenseSet<const FunctionDecl *> Entered;
  explicit ReadsOfBuffers(const VarSet &Of) : Of(Of) {}

  bool isOf(const Expr *E) const {
    const Expr *const Whole = E->IgnoreParens();
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase();
      else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref))
        E = U->getSubExpr();
      else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->isAdditiveOp() && B->getType()->isPointerType())
        E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && (Of.count(V) || V->getType()->isReferenceType() ||
                 (V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
                  V->getType()->isPointerType() && D != Whole));
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *Body = nullptr;
    if (C->getDirectCallee() && C->getDirectCallee()->hasBody(Body) &&
        Entered.insert(Body).second)
      TraverseStmt(Body->getBody());
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue && isOf(C->getSubExpr()))
      Found.insert(C->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    if (C->getNumArgs() == 1 && isOf(C->getArg(0)))
      Found.insert(C->getArg(0)->IgnoreParenImpCasts());
    return true;
  }
};

/// The bytes that a tile stores.
struct BytesOfTile {
  bool Known = true;
  std::map<const VarDecl *, llvm::BitVector> Bytes;
};

struct ReadElement {
  const Expr *At;
  const VarDecl *Base;
  int64_t Byte;
};

class PartialReads {
public:
  PartialReads(const TileLoop &Loop, const CodeIndex &Index,
               const VarSet &Partial)
      : Loop(Loop), Index(Index), Context(Index.context()), Partial(Partial) {
    ReadsOfBuffers Found(Partial);
    for (const BodyItem &I : Loop.Body) {
      if (I.InLoad && !I.Barrier)
        Load.insert(I.S);
      if (!I.InCompute || I.Barrier)
        continue;
      Compute.insert(I.S);
      Found.TraverseStmt(I.S);
    }
    Reads = std::move(Found.Found);
    for (const TileCopy &C : Loop.Copies) {
      Stores.insert(C.Store);
      if (C.FillStore)
        Stores.insert(C.FillStore);
    }
  }

  std::optional<ReadElement> run(const BlockShapes &Shapes) {
    auto Any = [](const Stmt *) { return false; };
    std::optional<WayToLoop> ToLoad = wayTo(Loop, Index, Load, Any),
                             ToCompute = wayTo(Loop, Index, Compute, Any);
    if (!ToLoad || !ToCompute)
      return std::nullopt;
    LoopThread Storing(Loop, Context, Stores, false, StepsOfPartial),
        Reading(Loop, Context, Reads, false, StepsOfPartial);
    for (unsigned S = 0; S != PartialSamples; ++S)
      for (const auto &Block : Shapes) {
        Tiles.clear();
        if (store(Storing, *ToLoad, Block, S))
          if (auto Found = read(Reading, *ToCompute, Block, S))
            return Found;
      }
    return std::nullopt;
  }

private:
  const TileLoop &Loop;
  const CodeIndex &Index;
  const ASTContext &Context;
  const VarSet &Partial;
  Statements Load, Compute;
  llvm::DenseSet<const Expr *> Stores, Reads;
  std::vector<BytesOfTile> Tiles;

  static ThreadRun::Sample sampleOf(unsigned Sample,
                                    const std::array<unsigned, 3> &Block,
                                    unsigned Thread) {
    return {Sample,
            Block,
            {Thread % Block[0], Thread / Block[0] % Block[1],
             Thread / Block[0] / Block[1]}};
  }
  static unsigned threadsOf(const std::array<unsigned, 3> &Block) {
    return Block[0] * Block[1] * Block[2];
  }
  int64_t sizeOf(const Expr *E) const {
    return Context.getTypeSizeInChars(E->getType()).getQuantity();
  }

  /// False if nobody knows what the threads of the block store.
  bool store(LoopThread &Of, const WayToLoop &Way,
             const std::array<unsigned, 3> &Block, unsigned Sample) {
    auto Silent = [](const Expr *, const RunValue &) {};
    for (unsigned T = 0; T != threadsOf(Block); ++T) {
      size_t Tile = 0;
      auto here = [&]() -> BytesOfTile & {
        if (Tiles.size() <= Tile)
          Tiles.resize(Tile + 1);
        return Tiles[Tile];
      };
      auto stored = [&](const Expr *Store, const RunValue &Place) {
        const Expr *To = isa<BinaryOperator>(Store)
                             ? cast<BinaryOperator>(Store)->getLHS()
                             : cast<CXXOperatorCallExpr>(Store)->getArg(0);
        const int64_t End = Place.Number + sizeOf(To);
        if (Place.Number < 0 || End > int64_t(MostBytes))
          return;
        llvm::BitVector &Bytes = here().Bytes[Place.Base];
        if (Bytes.size() < End)
          Bytes.resize(End);
        Bytes.set(Place.Number, End);
      };
      auto end = [&](bool All) {
        here().Known &= All;
        ++Tile;
      };
      if (Of.follow(Way, sampleOf(Sample, Block, T), 0, PartialTiles, Silent,
                    stored, end) >= LoopThread::Course::Broken)
        return false;
    }
    return !Of.spent();
  }
  static constexpr unsigned MostBytes = 1 << 20;

  std::optional<ReadElement> read(LoopThread &Of, const WayToLoop &Way,
                                  const std::array<unsigned, 3> &Block,
                                  unsigned Sample) {
    std::map<const VarDecl *, llvm::BitVector> Ever;
    for (const BytesOfTile &T : Tiles)
      for (const auto &[Base, Bytes] : T.Bytes)
        Ever[Base] |= Bytes;
    const unsigned Last = threadsOf(Block) - 1,
                   Some = std::min(Last + 1, ReadingThreads);
    auto Silent = [](const Expr *, const RunValue &) {};
    for (unsigned I = 0; I != Some; ++I) {
      size_t Tile = 0;
      std::optional<ReadElement> Found;
      auto read = [&](const Expr *E, const RunValue &Place) {
        if (Found || Tile >= Tiles.size() || !Tiles[Tile].Known ||
            !Partial.count(Place.Base))
          return;
        const llvm::BitVector &All = Ever[Place.Base],
                              &Here = Tiles[Tile].Bytes[Place.Base];
        const int64_t End =
            std::min<int64_t>(Place.Number + sizeOf(E), All.size());
        for (int64_t B = std::max<int64_t>(Place.Number, 0); B < End; ++B)
          if (All.test(B) && (B >= int64_t(Here.size()) || !Here.test(B))) {
            Found = ReadElement{E, Place.Base, B};
            return;
          }
      };
      auto end = [&](bool) { ++Tile; };
      if (Of.follow(
              Way,
              sampleOf(Sample, Block, Some == 1 ? 0 : I * Last / (Some - 1)), 0,
              PartialTiles, Silent, read, end) == LoopThread::Course::Senseless)
        return std::nullopt;
      if (Found)
        return Found;
    }
    return std::nullopt;
  }
};

} // namespace

std::optional<OrderViolation>
findReadOfLeftOut(const TileLoop &Loop, const PipelinePlan &Plan,
                  const CodeIndex &Index,
                  std::optional<std::array<unsigned, 3>> Block,
                  std::optional<unsigned> Threads) {
  VarSet Partial;
  for (const StagedBuffer &B : Loop.Buffers)
    if (B.Partial)
      Partial.insert(B.Var);
  if (Plan.Buffers < 2 || Partial.empty())
    return std::nullopt;
  auto Found = PartialReads(Loop, Index, Partial)
                   .run(blockShapesOfAnySize(Loop.Function, Block, Threads));
  if (!Found)
    return std::nullopt;
  const SourceLocation At = Found->At->getBeginLoc();
  return OrderViolation{At,
                        At,
                        {msg::order_reads_left_out, Found->Byte,
                         Found->Base->getNameAsString(), Plan.Buffers},
                        {},
                        {msg::store_all_or_one_stage}};
}

} // namespace kpipe
