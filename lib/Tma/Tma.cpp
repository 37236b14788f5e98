// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop with its issue and its wait, and the mbarrier in front of it. See
// kpipe/TmaCopies.h.
#include "Code/AstUtils.h"
#include "Emission/Names.h"
#include "IdleVariables.h"
#include "LaunchMaps.h"
#include "OtherWrites.h"
#include "Remap/OwnElements.h"
#include "Remap/PlaceInFront.h"
#include "SwizzledArray.h"
#include "TileSource.h"
#include "kpipe/TextMarks.h"
#include "kpipe/TmaCopies.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

/// Steps of indentation of a block.
constexpr unsigned Deeper = 2;

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
        Maps(Loop.Function, Boxes.offsets(), Source) {}

  TmaCopies run() {
    Out.File = Source.file();
    if (!isPlain() || !arrays() || !kernel() || !body() || !inFront()) {
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
  std::set<TextEdit> Edits;
  std::vector<MappedArray> Mapped;
  std::string Full, Parity; ///< Parity: a phase bit, or the tile's number
  bool HasBit = false;
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
    if (Loop.Bulk || Loop.Matrix)
      return no({msg::tma_bulk_already});
    if (Loop.Kind != LoopKind::For)
      return no({msg::tma_no_for});
    if (Loop.LeftBefore)
      return no({msg::box_threads_left});
    if (!Loop.LoadBarrier)
      return no({msg::remap_no_barrier});
    Message Why = writesBefore(Facts);
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
      if (Copy.Bytes != 16 ||
          Context.getTypeAlignInChars(Copy.Source->getType()).getQuantity() <
              16)
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
    if (Full.empty())
      Full = Fresh.fresh("full");
    const auto Row = Sources.text(Of.From.Row);
    for (unsigned P = 0; P != Of.Rows.Panels; ++P) {
      auto At = add(Of.From.Column, Polynomial::number(P * Of.Rows.Columns));
      const auto Column = At ? Sources.text(*At) : std::nullopt;
      if (!Row || !Column)
        return ofArray(V, {msg::tma_names});
      Copies += lineMark(Deeper) + "kpipe::load_box(" + V->getNameAsString() +
                (Of.Rows.Panels > 1 ? "[" + std::to_string(P) + "]" : "") +
                ", " + Of.Map + ", " + *Column + ", " + *Row + ", " + Full +
                ");";
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

  std::string firstThread() const {
    std::string Text = "threadIdx.x == 0";
    for (unsigned Axis : {1, 2})
      if (Block[Axis] > 1)
        Text += std::string(" && threadIdx.") + "xyz"[Axis] + " == 0";
    return Text;
  }

  /// `(k0 / BK) & 1` where the loop counts from 0; else a bit of its own.
  void findParity() {
    const auto *D = dyn_cast_or_null<DeclStmt>(Loop.Init);
    for (const HeaderVar &H : Loop.HeaderVars) {
      if (!D || !llvm::is_contained(D->decls(), H.Var) || !H.Var->hasInit() ||
          constantValue(H.Var->getInit(), Context) != 0)
        continue;
      const std::string Name = H.Var->getNameAsString();
      const auto *U = dyn_cast<UnaryOperator>(H.Update->IgnoreParens());
      const auto *B = dyn_cast<BinaryOperator>(H.Update->IgnoreParens());
      if (U && U->isIncrementOp()) {
        Parity = Name + " & 1";
        return;
      }
      const auto Step = B && B->getOpcode() == BO_AddAssign
                            ? constantValue(B->getRHS(), Context)
                            : std::nullopt;
      const auto *By = Step ? B->getRHS()->IgnoreParenImpCasts() : nullptr;
      if (Step && *Step > 0 && *Step <= 1 << 20 &&
          isa<DeclRefExpr, IntegerLiteral>(By) && !Source.text(By).empty()) {
        Parity = Name + " / " + Source.text(By) + " & 1";
        return;
      }
    }
    HasBit = true;
    Parity = Fresh.fresh("parity");
  }

  bool replace(const Stmt *S, std::string By) {
    if (S->getBeginLoc().isMacroID() || S->getEndLoc().isMacroID())
      return no({msg::remap_in_macro});
    const Range R = Source.statement(S);
    // Lines stay where they are.
    size_t Lines = Source.at(R).count('\n');
    if (Source.at(R).starts_with("#") && Lines-- != 0)
      By = GoneMark.str() + "\n" + Source.indentation(S).str() + By;
    for (; Lines != 0; --Lines)
      By += "\n" + GoneMark.str();
    Edits.insert({R.Begin, R.size(), std::move(By)});
    return true;
  }

  bool body() {
    findParity();
    std::set<unsigned> Held;
    for (const BoxOrNot &B : Boxes.All)
      Held.insert(B.Box->Items.begin(), B.Box->Items.end());
    const std::string Issue = "if (" + firstThread() + ") {" +
                              lineMark(Deeper) + "kpipe::expect_tile(" + Full +
                              ", " + std::to_string(Bytes) + ");" + Copies +
                              lineMark(0) + "}";
    for (unsigned I : Held)
      if (!replace(Loop.Body[I].S, I == *Held.begin() ? Issue : GoneMark.str()))
        return false;
    const std::string Wait = "kpipe::wait_full(" + Full + ", " + Parity + ");" +
                             (HasBit ? lineMark(0) + Parity + " ^= 1;" : "");
    if (!replace(Loop.LoadBarrier, Wait))
      return false;
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
      replace(D, GoneMark.str());
    Edits.insert(Idle.Parts.begin(), Idle.Parts.end());
  }

  bool inFront() {
    const std::optional<unsigned> At = placeInFront(Facts, Source);
    if (!At)
      return no({msg::tma_no_place});
    const int More = deeperThan(*At - 1);
    const std::string Line = lineMark(More), In = lineMark(More + int(Deeper));
    Edits.insert({*At, 0,
                  Line + "__shared__ unsigned long long " + Full + ";" + Line +
                      "if (" + firstThread() + ") {" + In +
                      "kpipe::init_full(" + Full + ");" + In +
                      "kpipe::fence_proxy_async();" + Line + "}" + Line +
                      "__syncthreads();" +
                      (HasBit ? Line + "unsigned " + Parity + " = 0;" : "")});
    return true;
  }

  /// How much deeper the loop's line is than that of an offset.
  int deeperThan(unsigned Offset) const {
    return int(Source.indentation(Loop.Loop).size()) -
           int(Source.indentation(Offset).size());
  }
};

} // namespace

TmaCopies copyByTma(const LoopFacts &Facts, Extent3 Block,
                    llvm::ArrayRef<const CUDAKernelCallExpr *> Launches) {
  return TmaWriter(Facts, Block, Launches).run();
}

} // namespace kpipe
