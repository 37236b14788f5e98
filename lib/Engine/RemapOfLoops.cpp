// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RemapOfLoops.h.
#include "RemapOfLoops.h"
#include "Remap/Remap.h"
#include "Support/PlaceOf.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static const RemappedLoop *remappedAt(const Place &P,
                                      const TransformOptions &Options) {
  auto At = llvm::find_if(Options.Remapped, [&](const RemappedLoop &R) {
    return sameLine(R.Where, P);
  });
  return At == Options.Remapped.end() ? nullptr : &*At;
}

static const KeptMapping *keptAt(const Place &P,
                                 const TransformOptions &Options) {
  auto At = llvm::find_if(Options.KeptMappings, [&](const KeptMapping &K) {
    return sameLine(K.Where, P);
  });
  return At == Options.KeptMappings.end() ? nullptr : &*At;
}

namespace {

struct OtherAxes : ConstDynamicRecursiveASTVisitor {
  bool Others = false;
  bool VisitMSPropertyRefExpr(const MSPropertyRefExpr *E) override {
    const Expr *Base = E->getBaseExpr();
    while (const auto *O = dyn_cast<OpaqueValueExpr>(Base))
      Base = O->getSourceExpr();
    const auto *D = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts());
    const llvm::StringRef Of =
        D ? cast<NamedDecl>(D->getDecl())->getName() : "";
    Others |= E->getPropertyDecl()->getName() != "x" && Of != "blockIdx" &&
              Of != "gridDim";
    return true;
  }
};

} // namespace

/// That of all launches, else one that is likely: the condition asks for it.
static KnownBlock blockOf(const WrittenLoop &L, unsigned Body,
                          const KernelsOfLoops &Kernels) {
  const FunctionDecl *F = L.Bodies[Body].Tile.Function;
  if (KnownBlock Known = Kernels.blockOf(F); Known.Size)
    return Known;
  const KernelShape Shape = Kernels.around(L)[Body];
  if (Shape.Block)
    return {Shape.Block};
  OtherAxes Axes;
  Axes.TraverseStmt(F->getBody());
  if (!Shape.Threads || Axes.Others)
    return {};
  return {Extent3{*Shape.Threads, 1, 1}};
}

std::string dumpBoxes(const WrittenLoop &L, const KernelsOfLoops &Kernels) {
  const LoopFacts &Facts = L.Bodies.front();
  if (!Facts.IsTileLoop)
    return "";
  const KnownBlock Block = blockOf(L, 0, Kernels);
  if (!Block.Size)
    return "boxes: the size of the block is not known\n";
  return boxesAsText(Facts, *Block.Size);
}

/// The loop is what it was remapped to.
static void noteRemapped(WrittenLoop &L, const RemappedLoop &R) {
  for (LoopFacts &Body : L.Bodies)
    for (unsigned I = 0; I != Body.Tile.Buffers.size(); ++I)
      if (llvm::is_contained(R.Arrays,
                             Body.Tile.Buffers[I].Var->getNameAsString()))
        Body.Tile.Remapped.push_back(I);
}

bool copiesElements(const WrittenLoop &L) {
  return llvm::all_of(L.Bodies, [](const LoopFacts &Body) {
    return llvm::all_of(Body.Tile.Copies, [](const TileCopy &C) {
      return (C.Bytes == 4 || C.Bytes == 8) && !C.NotAsync && !C.Helper;
    });
  });
}

std::optional<RemapOfLoop> remapOf(WrittenLoop &L, LoopOutcome &O,
                                   const KernelsOfLoops &Kernels,
                                   const TransformOptions &Options) {
  if (const RemappedLoop *R = remappedAt(O.Where, Options)) {
    noteRemapped(L, *R);
    O.RemappedWhole = R->Whole;
  }
  if (isDecided(O.Where, Options))
    return std::nullopt;
  std::optional<RemappedCopies> All;
  const SourceManager &SM =
      L.Bodies.front().In->context().getSourceManager();
  auto No = [&](Message Why) {
    O.NotRemapped = {std::move(Why)};
    return std::nullopt;
  };
  KnownBlock Block;
  for (unsigned I = 0; I != L.Bodies.size(); ++I) {
    const KnownBlock Own = blockOf(L, I, Kernels);
    if (!Own.Size)
      return No({msg::loop_keeps_mapping, Message(msg::box_block_unknown)});
    RemappedCopies One = remapCopies(L.Bodies[I], Own);
    if (All && (One.Edits != All->Edits || Own.Size != Block.Size))
      return No({msg::loop_keeps_mapping, Message(msg::remap_instantiations)});
    All = std::move(One);
    Block = Own;
  }
  std::vector<Message> Said;
  for (auto &[Array, Why] : All->Not)
    Said.push_back({msg::copies_keep_mapping, Array, Why});
  if (All->Edits.empty()) {
    O.NotRemapped = std::move(Said);
    return std::nullopt;
  }
  auto Made =
      asRemap(SM, All->File, All->Edits,
              {O.Where, O.Key, All->Arrays, std::move(Said), All->Whole}, *Block.Size);
  if (!Made)
    return No({msg::loop_keeps_mapping, Message(msg::edits_clash)});
  return Made;
}

bool isDecided(const Place &Loop, const TransformOptions &Options) {
  return remappedAt(Loop, Options) || keptAt(Loop, Options);
}

std::optional<RemapOfLoop> asRemap(const SourceManager &SM, FileID File,
                                   llvm::ArrayRef<TextEdit> Edits,
                                   RemappedLoop Loop,
                                   std::array<unsigned, 3> Block) {
  RemapOfLoop Out{tooling::AtomicChange(SM, SM.getLocForStartOfFile(File)),
                  std::move(Loop), Block};
  for (const TextEdit &E : Edits)
    if (llvm::Error Clash = Out.Change.replace(
            SM, SM.getComposedLoc(File, E.Offset), E.Length, E.Text)) {
      llvm::consumeError(std::move(Clash));
      return std::nullopt;
    }
  return std::move(Out);
}

Place placeOfAuthors(Place Own, const TransformOptions &Options) {
  const RemappedLoop *R = remappedAt(Own, Options);
  return R ? R->Where : Own;
}

LoopKey keyOfAuthors(const WrittenLoop &L, LoopKey Own,
                     const TransformOptions &Options) {
  const LoopFacts &First = L.Bodies.front();
  const Place At =
      placeOf(First.Tile.Loop->getBeginLoc(),
              First.Tile.Function->getASTContext().getSourceManager());
  if (const RemappedLoop *R = remappedAt(At, Options))
    return R->Key;
  for (const RestagedLoop &R : Options.Restaged)
    if (sameLine(R.Where, At))
      return R.Key;
  return Own;
}

void sayRemapped(LoopOutcome &O, const TransformOptions &Options) {
  std::vector<Note> &Notes = O.Diagnostics.back().Notes;
  for (Message &Why : O.NotRemapped)
    Notes.push_back({O.Where, std::move(Why)});
  if (const RemappedLoop *R = remappedAt(O.Where, Options)) {
    std::string Arrays;
    for (const std::string &Array : R->Arrays)
      Arrays += (Arrays.empty() ? "" : ", ") + Array;
    Notes.push_back({O.Where,
                     {R->By == CopyMapping::Tma    ? msg::copies_by_tma
                      : R->By == CopyMapping::Bulk ? msg::copies_in_bulk
                                                   : msg::copies_remapped,
                      Arrays}});
    for (const Message &Why : R->Said)
      Notes.push_back({O.Where, Why});
  } else if (const KeptMapping *K = keptAt(O.Where, Options)) {
    Notes.push_back({O.Where,
                     {K->By == CopyMapping::Remap ? msg::loop_keeps_mapping
                                                  : msg::loop_without_tma,
                      K->Why}});
  }
}

} // namespace kpipe
