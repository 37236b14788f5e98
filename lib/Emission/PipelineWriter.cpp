// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipelined loop as edits of its file: declarations, the lambdas of load and
// compute, the skeleton that calls them, and what changes around the loop. See
// docs/architecture.md.

#include "PipelineWriter.h"
#include "BarrierStages.h"
#include "DynamicShared.h"
#include "Helpers.h"
#include "PartCounts.h"
#include "ProducerEdits.h"
#include "SkeletonWords.h"
#include "Unroll.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <utility>

namespace kpipe {

namespace {

class PipelineWriter {
public:
  PipelineWriter(const TileLoop &Loop, const PipelinePlan &Plan,
                 const SourceText &Source, Names Fresh)
      : Loop(Loop), Plan(Plan), Source(Source), Texts(Source),
        Fresh(std::move(Fresh)), Ring(Plan.Buffers > 1) {}

  /// \param Apart each call of a helper gets clones of its own.
  /// \returns nothing if they share clones that differ.
  llvm::Expected<std::optional<EmittedLoop>> run(bool Apart) {
    auto Read = readHeader(Loop, Source);
    if (!Read)
      return Read.takeError();
    Header = std::move(*Read);
    auto Found = findLoopPlace(Loop, Plan, Source);
    if (!Found)
      return Found.takeError();
    Place = std::move(*Found);
    nameStages();
    if (Plan.Producer) {
      auto Edits = producerEdits(*Plan.Producer, Source, Place.Unit, Calls);
      if (!Edits)
        return Edits.takeError();
      Authors = std::move(*Edits);
    }
    auto Registers =
        stageRegisters(Loop, Plan, Texts, Fresh, Stages.Slot, Calls);
    if (!Registers)
      return Registers.takeError();
    auto Helpers = planHelpers(Loop, Plan, Texts, *Registers, Fresh, Apart);
    if (!Helpers)
      return Helpers.takeError();
    for (std::string &Tile : Helpers->Tiles)
      Registers->Declarations.push_back(std::move(Tile));
    {
      Regions Whole(Loop, Plan, Source, *Registers, mentions(), Place.Unit,
                    Helpers->Uses, Calls);
      if (llvm::Error Failed =
              findUnused(Loop, Plan, Texts, *Registers, Whole, Calls, *Helpers))
        return std::move(Failed);
    }
    Regions Text(Loop, Plan, Source, *Registers, mentions(), Place.Unit,
                 Helpers->Uses, Calls);
    auto Clones = cloneHelpers(Loop, Plan, Texts, *Registers, *Helpers, Text,
                               Calls);
    if (!Clones)
      return Clones.takeError();
    if (Clones->Differ)
      return std::nullopt;
    EmittedLoop E;
    E.File = Source.file();
    auto Pipeline = write(Text, *Registers, E);
    if (!Pipeline)
      return Pipeline.takeError();
    for (const HelperUse &U : Helpers->Uses)
      E.Declared.Clones.push_back({U.Call, U.AheadName, U.StoreName,
                                   U.unused(Half::Ahead),
                                   U.unused(Half::Store)});
    auto Edits = edits(*Pipeline);
    if (!Edits)
      return Edits.takeError();
    llvm::append_range(*Edits, Clones->Edits);
    llvm::sort(*Edits);
    E.Edits = std::move(*Edits);
    E.Clones = std::move(Clones->Called);
    E.Primitives = Calls.names();
    return std::move(E);
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  SourceTexts Texts;
  Names Fresh;
  const bool Ring;
  HeaderText Header;
  LoopPlace Place;
  StageNames Stages;
  RuntimeCalls Calls;
  /// What keeps its meaning beside a producer's warp.
  std::vector<Edit> Authors;

  void nameStages() {
    Stages.Stage = Fresh.fresh("stage");
    Stages.Slot = Fresh.fresh("slot");
    if (Ring)
      Stages.Staged = stagedNames(Loop, Source, Fresh);
    if (Loop.Bulk)
      Stages.Parity = Fresh.fresh("parity");
    if (Plan.Producer)
      Stages.Empty = Fresh.fresh("empty_stages");
    if (Stages.hasBlock())
      Stages.Bytes = Fresh.fresh("stage_bytes");
  }

  /// Edits of names and extents inside the loop.
  std::vector<Edit> mentions() {
    std::vector<Edit> Mentions;
    if (Ring)
      for (Edit &E :
           copiedMentions(Loop, Source, Stages.Stage, Stages.Staged, Calls))
        if (Place.Whole.contains(E.Offset))
          Mentions.push_back(std::move(E));
    llvm::append_range(Mentions, padStrides(Plan, Source, Place.Whole));
    for (Edit &E : Authors)
      if (Place.Whole.contains(E.Offset))
        Mentions.push_back(E);
    llvm::stable_sort(Mentions);
    return Mentions;
  }

  /// The text of the loop. Fills in what it does with a few tiles, and what it
  /// is said to be.
  llvm::Expected<std::string> write(Regions &Text, const Staging &Registers,
                                    EmittedLoop &E) {
    Lines Out(Place.Indent, Place.Unit);
    for (const std::string &Comment : Place.Comments)
      Out.add(0, Comment);
    Lambdas Tile(Loop, Plan, Source, Header, Stages, Text);
    if (llvm::Error Failed = Tile.make(Out, Fresh, Calls))
      return std::move(Failed);
    const ScheduleShape Shape = scheduleShape(Loop, Plan);
    open(Shape, E, Out);
    declare(Text, Tile, Registers, Out);
    Tile.define(Out);
    Schedule S = makeSchedule(Shape, Plan.Schedule);
    if (Message Wrong = validateSchedule(S, Shape))
      return llvm::make_error<InternalError>(
          Message(msg::schedule_is_wrong, Wrong));
    // So many tiles that each phase and each buffer is seen, some twice.
    E.AuthorUnrolls = Place.AuthorUnrolls;
    E.Run = traceSchedule(S, Shape, std::max(Plan.stages() + 2, 4u));
    S = partOf(std::move(S), Plan.Part);
    SkeletonText Words = skeletonWords(Loop, Plan, Source, Header, Stages, Tile,
                                       Shape, S, Fresh, Calls, Out);
    Words.Pragma = Place.Pragma;
    Words.PragmaFrom = Place.Indent;
    Words.Indent = Out.indent(1);
    Words.Unit = Place.Unit;
    Out.addText(skeletonText(S, Words, Calls));
    Out.add(0, "}");
    for (const StagedName &N : Stages.Staged)
      if (isUsedAfter(N))
        Out.add(0, N.declaration(Stages.Stage, Stages.Bytes, Calls));
    keepLastTile(Shape, Out);
    E.Declared = declared(Tile, Words);
    return Out.text();
  }

  /// What has all stages of a buffer, and the bytes of one.
  std::pair<std::string, std::string> stagesOf(const StagedBuffer &B) const {
    if (B.Block)
      return {B.named()->getNameAsString(), Stages.Bytes};
    const std::string &All =
        llvm::find_if(Stages.Staged, [&](const StagedName &N) {
          return N.Var == B.Var;
        })->Stages;
    return {All, "sizeof(" + All + "[0])"};
  }

  /// What follows finds the last tile under the author's names, where it was.
  void keepLastTile(const ScheduleShape &Shape, Lines &Out) {
    bool Moves = false;
    for (const StagedBuffer &B : Loop.Buffers) {
      if (!(Ring && B.KeepsContents) &&
          !(B.Block && Plan.BytesInBlock && Shape.StageAfter))
        continue;
      auto [All, Bytes] = stagesOf(B);
      Out.add(0, Calls.to(Primitive::ToFirstStage) + "(" + All + ", " +
                     Stages.Stage + " * " + Bytes + ", " + Bytes + ");");
      Moves = true;
    }
    if (Moves)
      Out.add(0, "__syncthreads();");
  }

  /// What a tile does not store is in each stage what it was before the loop.
  void spreadContents(Lines &Out) {
    std::vector<std::string> Lines;
    std::string Names;
    for (const StagedBuffer &B : Loop.Buffers) {
      if (!Ring || !B.KeepsContents)
        continue;
      auto [All, Bytes] = stagesOf(B);
      Names += (Names.empty() ? "" : ", ") + B.Var->getNameAsString();
      Lines.push_back(Calls.to(Primitive::ToAllStages) + "<" +
                      std::to_string(Plan.Buffers) + ">(" + All + ", " + Bytes +
                      ");");
    }
    if (Lines.empty())
      return;
    Out.add(0, "// " + Message(Lines.size() == 1
                                   ? msg::comment_contents
                                   : msg::comment_contents_of_several,
                               Names)
                           .str());
    Out.add(0, "__syncthreads();");
    for (const std::string &Line : Lines)
      Out.add(0, Line);
    Out.add(0, "__syncthreads();");
  }

  /// Begins the block, with what lives on behind it in front.
  void open(const ScheduleShape &Shape, EmittedLoop &E, Lines &Out) {
    auto Bytes = [&](unsigned Depth) {
      if (Stages.hasBlock())
        Out.add(Depth, "const int " + Stages.Bytes + " = " +
                           Calls.to(Primitive::BytesPerStage) + "<" +
                           stagesArgument(Plan) + ">();");
    };
    if (Shape.StageAfter) {
      Bytes(0);
      Out.add(0, "int " + Stages.Stage + " = 0;");
      E.Beside = {Stages.Stage};
      if (Stages.hasBlock())
        E.Beside.push_back(Stages.Bytes);
    }
    spreadContents(Out);
    Out.add(0, "{");
    if (!Shape.StageAfter)
      Bytes(1);
  }

  /// What the lambdas and the skeleton name.
  void declare(Regions &Text, const Lambdas &Tile, const Staging &Registers,
               Lines &Out) {
    std::string Hoisted = Text.hoisted(
        Out.indent(1), stageDeclarations(Loop, Plan, Source, Stages.Staged));
    if (!Hoisted.empty())
      Out.addText(Hoisted + "\n");
    auto Used = Tile.identifiers();
    for (const StagedName &N : Stages.Staged)
      if (N.View && Used.contains(N.Stages))
        Out.add(1, N.first());
    if (Plan.Producer)
      Out.add(1, "__shared__ unsigned long long " + Stages.Empty + "[" +
                     std::to_string(Plan.Buffers) + "];");
    if (const std::string Other = otherBlock(Loop, Plan); !Other.empty()) {
      Out.add(1, "// " + Message(msg::comment_counted_block).str());
      Out.add(1, "if (" + Other + ")");
      Out.add(2, "__trap();");
    }
    declareRegisters(Registers, Out);
    if (Header.InitFirst)
      Out.add(1, std::exchange(Header.Init, {}));
  }

  /// Registers are as many as loops of the author's run, which may depend on
  /// the size of an array.
  void declareRegisters(const Staging &Registers, Lines &Out) {
    auto Identifiers = identifiersOf(llvm::join(Registers.Declarations, "\n"),
                                     Source.context().getLangOpts());
    for (const StagedName &N : Stages.Staged)
      if (!N.View && N.mentionedBy(Identifiers))
        Out.add(1, N.declaration("0", Stages.Bytes, Calls));
    for (const std::string &D : Registers.Declarations)
      Out.add(1, D);
  }

  /// Is an array used behind the loop, where its name means the last tile's?
  bool isUsedAfter(const StagedName &N) const {
    return llvm::any_of(Loop.Buffers, [&](const StagedBuffer &B) {
      return !B.Block && B.Views.empty() && B.Given.empty() && B.Var == N.Var &&
             !B.MentionsAfter.empty();
    });
  }

  /// What becomes of the loop, for the check of the result.
  DeclaredLoop declared(const Lambdas &Tile, const SkeletonText &Words) const {
    DeclaredLoop D;
    D.Tile = Loop;
    D.Stages = Plan.Buffers;
    for (const CopyPlan &C : Plan.Copies)
      D.Async.push_back(C.Way == Route::AsyncCopy);
    D.Pads = Plan.Pads;
    D.Strides = Plan.Strides;
    D.Bounds = Plan.Bounds;
    D.Load = Tile.name(TileWork::Ahead);
    D.Store = Tile.name(TileWork::Store);
    D.Compute = Tile.name(TileWork::Compute);
    D.Stage = Stages.Stage;
    D.Slot = Stages.Slot;
    D.StageBytes = Stages.Bytes;
    D.Parity = Stages.Parity;
    D.Empty = Stages.Empty;
    if (Plan.Producer) {
      D.Authors = Plan.Producer->Authors;
      D.Extra = Plan.Producer->Threads;
      D.Keeps = Plan.Producer->Keeps;
      D.Takes = Plan.Producer->Takes;
    }
    D.InBlock = Plan.BytesInBlock != 0;
    D.More = Words.More;
    D.HasTile = Words.HasTile;
    D.NextTile = Words.NextTile;
    for (const StagedName &N : Stages.Staged)
      D.Staged.push_back({N.Var, N.Stages, N.View, !N.Bytes.empty(),
                          N.View && llvm::isa<clang::ParmVarDecl>(N.Var)});
    return D;
  }

  /// The loop's own text in the place of the author's, and what changes around
  /// it.
  llvm::Expected<std::vector<Edit>> edits(llvm::StringRef Pipeline) {
    const Range Whole = Place.Whole;
    std::vector<Edit> All;
    // The indentation in front and the newline behind stay.
    Pipeline.consume_front(Source.indentation(Whole.Begin));
    All.push_back({Whole.Begin, Whole.size(), Pipeline.rtrim('\n').str()});
    for (Edit &D : Plan.dynamic()
                       ? moveToDynamicShared(Loop, Plan, Source, Stages.Staged,
                                             Fresh, Calls)
                       : stageDeclarations(Loop, Plan, Source, Stages.Staged))
      if (!Whole.contains(D.Offset))
        All.push_back(std::move(D));
    Range After{Whole.End, static_cast<unsigned>(Source.all().size())};
    if (Ring) {
      llvm::append_range(All, viewsAfter(Loop, Source, Stages.Stage,
                                         Stages.Bytes, Stages.Staged, Calls,
                                         Plan.BytesInBlock != 0));
      for (Edit &M : copiedMentions(Loop, Source, Stages.Stage, Stages.Staged,
                                    Calls))
        if (After.contains(M.Offset))
          All.push_back(std::move(M));
      auto Grown = growLaunches(Plan, Source, Calls);
      if (!Grown)
        return Grown.takeError();
      llvm::append_range(All, *Grown);
    }
    for (Edit &E : Authors)
      if (!Whole.contains(E.Offset))
        All.push_back(E);
    if (Loop.Bulk)
      llvm::append_range(
          All, initialiseStages(Loop, Plan, Source, Stages, Place.Unit, Calls));
    for (Edit &U : unrollCompute(Loop, Plan, Source))
      if (!Whole.contains(U.Offset))
        All.push_back(std::move(U));
    for (Range Outside : {Range{0, Whole.Begin}, After})
      llvm::append_range(All, padStrides(Plan, Source, Outside));
    return std::move(All);
  }
};

} // namespace

llvm::Expected<EmittedLoop> writePipeline(const TileLoop &Loop,
                                          const PipelinePlan &Plan,
                                          const SourceText &Source,
                                          Names Fresh) {
  for (bool Apart : {false, true}) {
    auto E = PipelineWriter(Loop, Plan, Source, Fresh).run(Apart);
    if (!E)
      return E.takeError();
    if (*E)
      return std::move(**E);
  }
  llvm_unreachable("clones of one call differ");
}

} // namespace kpipe
