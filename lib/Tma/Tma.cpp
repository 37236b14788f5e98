// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop with its issue and its wait, and the mbarrier in front of it. See
// kpipe/TmaCopies.h.
#include "Code/DeclaredAlignment.h"
#include "EngineText.h"
#include "IdleVariables.h"
#include "LaunchMaps.h"
#include "Remap/OwnElements.h"
#include "SwizzledArray.h"
#include "TileSource.h"
#include "kpipe/TextMarks.h"
#include "kpipe/TmaCopies.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

class TmaWriter {
public:
  TmaWriter(const LoopFacts &Facts, Extent3 Block,
            llvm::ArrayRef<const CUDAKernelCallExpr *> Launches)
      : Facts(Facts), Loop(Facts.Tile), Context(Facts.In->context()),
        Block(Block), Launches(Launches),
        Source(Context, Context.getSourceManager().getFileID(
                            Context.getSourceManager().getExpansionLoc(
                                Loop.Loop->getBeginLoc()))),
        Words(takenWords(Source)), Fresh(Words, Context.Idents, {}),
        Boxes(Facts, Block), Sources(Facts, Boxes, Source),
        Maps(Loop.Function, Boxes.offsets(), Source),
        Text(Facts, Block, Source, Fresh) {}

  TmaCopies run() {
    Out.File = Source.file();
    if (!isPlain() || !arrays() || !kernel() || !body()) {
      Out.Arrays.clear();
      return std::move(Out);
    }
    dropIdle();
    Out.Edits.assign(Edits.begin(), Edits.end());
    return std::move(Out);
  }

private:
  const LoopFacts &Facts;
  const TileLoop &Loop;
  ASTContext &Context;
  const Extent3 Block;
  const llvm::ArrayRef<const CUDAKernelCallExpr *> Launches;
  const SourceText Source;
  const llvm::StringSet<> Words;
  kpipe::Names Fresh;
  TileBoxes Boxes;
  TileSources Sources;
  LaunchMaps Maps;
  TmaCopies Out;
  std::vector<MappedArray> Mapped;
  EngineText Text;
  std::set<TextEdit> &Edits = Text.Edits;
  uint64_t Bytes = 0;
  std::string Copies; ///< with marks for ends of lines

  bool no(Message Why) {
    if (!Out.Not)
      Out.Not = std::move(Why);
    return false;
  }
  bool ofArray(const VarDecl *V, Message Why) {
    return no({msg::tma_of_array, V->getNameAsString(), std::move(Why)});
  }

  bool isPlain() {
    Message Why = whyNotByEngine(Facts);
    return !Why || no(std::move(Why));
  }

  bool arrays() {
    for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
      if (!array(I))
        return false;
    // All addresses are those that were divided.
    if (!Boxes.offsets().Widened.empty())
      return no({msg::tma_may_wrap});
    return !Mapped.empty();
  }

  bool array(unsigned I) {
    const VarDecl *V = Loop.Buffers[I].Var;
    const BoxOrNot &Found = Boxes.All[I];
    if (!Found.Box)
      return ofArray(V, Found.Not);
    const TileBox &Box = *Found.Box;
    for (const CopiedElement &E : Box.Elements) {
      const TileCopy &Copy = Loop.Copies[E.Copy];
      if (Copy.NotAsync)
        return ofArray(V, Copy.NotAsync);
      if (!E.Guards.empty() || Copy.Guard || !Box.Around.empty())
        return ofArray(V, {msg::tma_guard});
      if (Copy.Bytes != 16 || declaredAlignment(Copy.Source, Context) < 16)
        return ofArray(V, {msg::tma_narrow_copy, Copy.Bytes});
    }
    if (Message Not = otherUse(Facts, Box))
      return ofArray(V, std::move(Not));
    SwizzledArray Array(Facts, Box, Block, Source);
    if (!Array.run())
      return ofArray(V, std::move(Array.Why));
    auto From = Sources.of(Box, Array.Rows.ElementBytes);
    if (!From)
      return ofArray(V, std::move(Sources.Why));
    const QualType Element = Context.getBaseElementType(V->getType());
    if (!Context.hasSameUnqualifiedType(
            From->Base->getType()->getPointeeType().getCanonicalType(),
            Element.getCanonicalType()))
      return ofArray(V, {msg::tma_other_type});
    Edits.insert(Array.Edits.begin(), Array.Edits.end());
    Mapped.push_back({Fresh.fresh(V->getNameAsString() + "_map"), Array.Rows,
                      std::move(*From)});
    Out.Arrays.push_back(V->getNameAsString());
    Bytes += Array.Rows.bytes();
    return copy(V, Mapped.back());
  }

  /// `kpipe::load_box(Bs[1], Bs_map, col + 64, k0, full);`
  bool copy(const VarDecl *V, const MappedArray &Of) {
    const auto Row = Sources.text(Of.From.Row);
    for (unsigned P = 0; P != Of.Rows.Panels; ++P) {
      auto At = add(Of.From.Column, Polynomial::number(P * Of.Rows.Columns));
      const auto Column = At ? Sources.text(*At) : std::nullopt;
      if (!Row || !Column)
        return ofArray(V, {msg::tma_names});
      Copies += lineMark(EngineText::Deeper) + "kpipe::load_box(" +
                V->getNameAsString() +
                (Of.Rows.Panels > 1 ? "[" + std::to_string(P) + "]" : "") +
                ", " + Of.Map + ", " + *Column + ", " + *Row + ", " +
                Text.full() + ");";
    }
    return true;
  }

  bool kernel() {
    if (Launches.empty())
      return no({msg::no_launch_in_file});
    bool Good = Maps.declare(Mapped);
    for (const CUDAKernelCallExpr *L : Launches)
      Good = Good && Maps.give(*L, Mapped);
    Edits.insert(Maps.Edits.begin(), Maps.Edits.end());
    return Good || no(std::move(Maps.Why));
  }

  bool body() {
    std::set<unsigned> Held;
    for (const BoxOrNot &B : Boxes.All)
      Held.insert(B.Box->Items.begin(), B.Box->Items.end());
    for (unsigned I : Held)
      if (!Text.replace(Loop.Body[I].S, I == *Held.begin()
                                            ? Text.issue(Bytes, Copies)
                                            : GoneMark.str()))
        return no(Text.Why);
    if (!Text.replace(Loop.LoadBarrier, Text.wait()) || !Text.inFront())
      return no(Text.Why);
    return !Loop.BarrierFirst || no({msg::tma_barrier_first});
  }

  /// What only the copies used is not computed any more.
  void dropIdle() {
    std::string New;
    std::vector<Range> Gone;
    for (const TextEdit &E : Edits)
      New += E.Text + "\n";
    for (const BoxOrNot &B : Boxes.All)
      for (unsigned I : B.Box->Items)
        Gone.push_back(Source.statement(Loop.Body[I].S));
    const IdleVariables Idle = idleVariables(
        Loop.Function, Gone, identifiersOf(New, Context.getLangOpts()), Source);
    for (const DeclStmt *D : Idle.Whole)
      Text.replace(D, GoneMark.str());
    Edits.insert(Idle.Parts.begin(), Idle.Parts.end());
  }
};

} // namespace

TmaCopies copyByTma(const LoopFacts &Facts, Extent3 Block,
                    llvm::ArrayRef<const CUDAKernelCallExpr *> Launches) {
  return TmaWriter(Facts, Block, Launches).run();
}

} // namespace kpipe
