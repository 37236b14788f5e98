// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipelined loop as text: declarations, the lambdas of load and compute, and
// the skeleton that calls them. See docs/architecture.md.

#include "PipelineWriter.h"
#include "Advance.h"
#include "DynamicShared.h"
#include "Helpers.h"
#include "Regions.h"
#include "Schedule.h"
#include "Skeleton.h"
#include "Stages.h"
#include "Staging.h"
#include "Unroll.h"
#include "kpipe/Emission.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <utility>

using namespace clang;

namespace kpipe {

namespace {

class PipelineWriter {
public:
  PipelineWriter(const TileLoop &Loop, const PipelinePlan &Plan,
                 const SourceText &Source, Names Fresh)
      : Loop(Loop), Plan(Plan), Source(Source), Fresh(std::move(Fresh)),
        Ring(Plan.Buffers > 1), Async(Plan.hasRoute(Route::AsyncCopy)),
        InRegisters(Plan.hasRoute(Route::Registers)) {}

  llvm::Expected<EmittedLoop> run() {
    auto Header = readHeader(Loop, Source);
    if (!Header)
      return Header.takeError();
    H = std::move(*Header);
    Whole = Source.statement(Loop.Loop);
    Indent = Source.indentation(Loop.Loop).str();
    if (!widenToPragma() && hasAttribute())
      return cannotMove(msg::attribute_cannot_move);
    Unit = unit();
    Stage = Fresh.fresh("stage");
    Slot = Fresh.fresh("slot");
    if (Ring)
      Staged = stagedNames(Loop, Source, Fresh);
    if (hasViews())
      Bytes = Fresh.fresh("stage_bytes");
    auto Registers = stageRegisters(Loop, Plan, Source, Fresh, Slot);
    if (!Registers)
      return Registers.takeError();
    std::vector<Edit> Mentions;
    if (Ring)
      for (Edit &E : copiedMentions(Loop, Source, Stage, Staged))
        if (Whole.contains(E.Offset))
          Mentions.push_back(std::move(E));
    llvm::append_range(Mentions, padStrides(Plan, Source, Whole));
    llvm::stable_sort(Mentions);
    auto Helpers = planHelpers(Loop, Plan, Source, *Registers, Fresh);
    if (!Helpers)
      return Helpers.takeError();
    for (std::string &Tile : Helpers->Tiles)
      Registers->Declarations.push_back(std::move(Tile));
    Regions R(Loop, Plan, Source, *Registers, Mentions, Unit, Helpers->Uses);
    auto Clones = cloneHelpers(Loop, Plan, Source, *Registers, *Helpers, R);
    if (!Clones)
      return Clones.takeError();
    if (llvm::Error E = write(R, *Registers))
      return std::move(E);
    DeclaredLoop Said = declared(*Helpers);
    std::vector<EmittedClone> Called;
    for (const HelperUse &U : Helpers->Uses)
      for (const Edit &C : *Clones)
        if (C.Text.find(U.AheadName + "(") != std::string::npos) {
          Called.push_back({{U.AheadName}, C.Text});
          if (!U.StoreName.empty())
            Called.back().Names.insert(Called.back().Names.end(),
                                       {U.StoreName, U.TileType});
        }
    auto E = edits(std::move(*Clones));
    if (E) {
      E->Clones = std::move(Called);
      E->Run = std::move(Traced);
      E->Declared = std::move(Said);
    }
    return E;
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  Names Fresh;
  bool Ring, Async, InRegisters;
  HeaderText H;
  Range Whole;
  std::string Indent, Unit, Stage, Slot, Pragma;
  /// What has stages, and the name of the bytes of one in dynamic memory.
  std::vector<StagedName> Staged;
  std::string Bytes;
  /// Which lambdas mention what is staged, by Use.
  bool TakesStage[3] = {};
  std::string LoadName, StoreName, ComputeName;
  /// Of the skeleton.
  std::string MoreName, HasTile, NextTile;
  std::string Out;
  Timeline Traced;

  /// What becomes of the loop, for the check of the result.
  DeclaredLoop declared(const HelperUses &Helpers) const {
    DeclaredLoop D;
    D.Tile = Loop;
    D.Stages = Plan.Buffers;
    for (const CopyPlan &C : Plan.Copies)
      D.Async.push_back(C.Way == Route::AsyncCopy);
    D.Pads = Plan.Pads;
    D.Strides = Plan.Strides;
    D.Load = LoadName;
    D.Store = StoreName;
    D.Compute = ComputeName;
    D.Stage = Stage;
    D.Slot = Slot;
    D.StageBytes = Bytes;
    D.More = MoreName;
    D.HasTile = HasTile;
    D.NextTile = NextTile;
    for (const StagedName &N : Staged)
      D.Staged.push_back({N.Var, N.Stages, N.View});
    for (const HelperUse &U : Helpers.Uses)
      D.Clones.push_back({U.Call, U.AheadName, U.StoreName});
    return D;
  }

  /// One line at a depth below the loop's own indentation.
  void line(unsigned Depth, const llvm::Twine &Text) {
    Out += Indent;
    for (unsigned I = 0; I != Depth; ++I)
      Out += Unit;
    Out += Text.str();
    Out += '\n';
  }
  std::string indent(unsigned Depth) const {
    std::string S = Indent;
    for (unsigned I = 0; I != Depth; ++I)
      S += Unit;
    return S;
  }

  /// The step of indentation that the author uses in this loop.
  std::string unit() const {
    for (const BodyItem &I : Loop.Body) {
      llvm::StringRef Inner = Source.indentation(I.S);
      if (Inner.size() > Indent.size() && Inner.starts_with(Indent))
        return Inner.drop_front(Indent.size()).str();
    }
    return "  ";
  }

  /// A line that says nothing to the compiler: blank, or a comment's own.
  static bool saysNothing(llvm::StringRef Line) {
    return Line.empty() || Line.starts_with("//") ||
           (Line.starts_with("/*") && Line.find("*/") == Line.size() - 2);
  }

  /// Pragmas above the loop speak of the loop: they go where it goes. Comments
  /// between them and the loop stay. True if there are any.
  bool widenToPragma() {
    bool Any = false;
    unsigned Begin = Whole.Begin;
    for (unsigned Start = Source.lineStart(Begin); Start != 0;) {
      unsigned Above = Source.lineStart(Start - 1);
      llvm::StringRef Line = Source.at({Above, Start}).trim();
      if (Line.starts_with("#pragma"))
        Begin = Above + Source.indentation(Above).size();
      else if (!saysNothing(Line))
        break;
      Start = Above;
    }
    for (llvm::StringRef Line :
         llvm::split(Source.at({Source.lineStart(Begin), Whole.Begin}), '\n')) {
      llvm::StringRef Indented = Line.rtrim();
      Line = Line.trim();
      bool Replaced = Plan.Unroll == Unrolling::Stages ||
                      Plan.Unroll == Unrolling::Never;
      if (Line.starts_with("#pragma")) {
        Any = true;
        if (!Replaced || !Line.contains("unroll"))
          Pragma += Indented.str() + "\n";
      } else if (!Line.empty()) {
        line(0, Line);
      }
    }
    Whole.Begin = Begin;
    return Any;
  }

  bool hasAttribute() const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const Stmt *Loop;
      bool Found = false;
      bool VisitAttributedStmt(const AttributedStmt *A) override {
        return !(Found |= A->getSubStmt() == Loop);
      }
    } F;
    F.Loop = Loop.Loop;
    F.TraverseStmt(Loop.Function->getBody());
    return F.Found;
  }

  bool reads(const Regions &R, Half Which, const HeaderVar &V) const {
    return V.ReadByLoad && R.reads(Which, V.Var);
  }

  enum class Use { Ahead, Store, Compute };
  bool passes(const Regions &R, Use U, unsigned I) const {
    const HeaderVar &V = Loop.HeaderVars[I];
    switch (U) {
    case Use::Ahead:
      return reads(R, Half::Ahead, V);
    case Use::Store:
      return reads(R, Half::Store, V);
    case Use::Compute:
      return V.ReadByCompute;
    }
    return false;
  }
  bool takesSlot(Use U) const {
    return Plan.TilesInRegisters > 1 && U != Use::Compute;
  }

  std::string parameters(const Regions &R, Use U) const {
    std::string P;
    for (unsigned I = 0; I != H.Vars.size(); ++I)
      if (passes(R, U, I))
        P += (P.empty() ? "" : ", ") + H.Vars[I].Type + " " + H.Vars[I].Name;
    if (TakesStage[int(U)])
      P += (P.empty() ? "int " : ", int ") + Stage;
    if (takesSlot(U))
      P += (P.empty() ? "int " : ", int ") + Slot;
    return P;
  }
  TileCall caller(const Regions &R, Use U, const std::string &Name) const {
    return [this, &R, U, Name](llvm::ArrayRef<std::string> Values,
                               const std::string &At) {
      std::string A;
      for (unsigned I = 0; I != H.Vars.size(); ++I)
        if (passes(R, U, I))
          A += (A.empty() ? "" : ", ") + Values[I];
      if (TakesStage[int(U)])
        A += (A.empty() ? "" : ", ") + At;
      if (takesSlot(U))
        A += (A.empty() ? "" : ", ") + Slot;
      return Name + "(" + A + ");";
    };
  }

  bool hasViews() const {
    return llvm::any_of(Staged, [](const StagedName &N) { return N.View; });
  }

  /// The body of a lambda, which begins with the stages that it mentions.
  llvm::Expected<std::string> body(Use U, llvm::Expected<std::string> Text) {
    if (!Text || !Ring)
      return Text;
    auto Identifiers =
        identifiersOf(*Text, Source.context().getLangOpts());
    std::string Stages;
    for (const StagedName &N : Staged) {
      if (N.mentionedBy(Identifiers))
        Stages += indent(2) + N.declaration(Stage, Bytes) + "\n";
      if (N.mentionedBy(Identifiers) || Identifiers.contains(N.Stages))
        TakesStage[int(U)] = true;
    }
    return Stages + *Text;
  }

  /// Registers are as many as loops of the author's run, which may depend on
  /// the size of an array.
  void declareRegisters(const Staging &Registers) {
    auto Identifiers = identifiersOf(llvm::join(Registers.Declarations, "\n"),
                                     Source.context().getLangOpts());
    for (const StagedName &N : Staged)
      if (!N.View && N.mentionedBy(Identifiers))
        line(1, N.declaration("0", Bytes));
    for (const std::string &D : Registers.Declarations)
      line(1, D);
  }

  void lambda(const std::string &Name, const std::string &Captures,
              const std::string &Parameters, bool Mutable,
              llvm::StringRef Body) {
    line(1, "auto " + Name + " = [" + Captures + "](" + Parameters + ")" +
                (Mutable ? " mutable {" : " {"));
    Out += Body;
    line(1, "};");
  }

  /// "k, A and B"
  static std::string listOf(llvm::ArrayRef<const VarDecl *> Variables) {
    std::string List;
    for (const VarDecl *V : Variables) {
      if (!List.empty())
        List += V == Variables.back() ? " and " : ", ";
      List += V->getName();
    }
    return List;
  }

  llvm::Error write(Regions &R, const Staging &Registers) {
    LoadName = Fresh.fresh(InRegisters ? "fetch_tile" : "load_tile");
    if (InRegisters)
      StoreName = Fresh.fresh("store_tile");
    ComputeName = Fresh.fresh("compute_tile");
    auto Ahead = body(Use::Ahead, R.load(Half::Ahead, indent(2)));
    if (!Ahead)
      return Ahead.takeError();
    auto Store = body(Use::Store, InRegisters ? R.load(Half::Store, indent(2))
                                              : std::string());
    if (!Store)
      return Store.takeError();
    auto Compute = body(Use::Compute, R.compute(indent(2)));
    if (!Compute)
      return Compute.takeError();
    const ScheduleShape Shape = scheduleShape(Loop, Plan);
    bool Outside = Shape.StageAfter;
    const std::string OfOne = "const int " + Bytes +
                              " = kpipe::bytes_per_stage<" +
                              std::to_string(Plan.Buffers) + ">();";
    if (Outside && hasViews())
      line(0, OfOne);
    if (Outside)
      line(0, "int " + Stage + " = 0;");
    line(0, "{");
    if (!Outside && hasViews())
      line(1, OfOne);
    std::string Hoisted = R.hoisted(
        indent(1), stageDeclarations(Loop, Plan, Source, Staged));
    if (!Hoisted.empty())
      Out += Hoisted + "\n";
    auto Used = identifiersOf(*Ahead + *Store + *Compute,
                              Source.context().getLangOpts());
    for (const StagedName &N : Staged)
      if (N.View && Used.contains(N.Stages))
        line(1, N.first());
    declareRegisters(Registers);
    if (H.InitFirst)
      line(1, std::exchange(H.Init, {}));
    std::string Captures = "&";
    for (const VarDecl *V : Loop.PrivateToLoad)
      Captures += ", " + V->getNameAsString();
    if (!Loop.PrivateToLoad.empty())
      line(1, "// " + Message(Loop.PrivateToLoad.size() == 1
                                  ? msg::comment_own_copy
                                  : msg::comment_own_copies,
                              LoadName, listOf(Loop.PrivateToLoad))
                          .str());
    lambda(LoadName, Captures, parameters(R, Use::Ahead),
           !Loop.PrivateToLoad.empty(), *Ahead);
    if (InRegisters)
      lambda(StoreName, "&", parameters(R, Use::Store), false, *Store);
    lambda(ComputeName, "&", parameters(R, Use::Compute), false, *Compute);
    Schedule S = makeSchedule(Shape, Plan.Schedule);
    if (Message Wrong = validateSchedule(S, Shape))
      return llvm::make_error<InternalError>(
          Message(msg::schedule_is_wrong, Wrong));
    // So many tiles that each phase and each buffer is seen, some twice.
    Traced = traceSchedule(S, Shape, std::max(Plan.stages() + 2, 4u));
    S = partOf(std::move(S), Plan.Part);
    Out += skeletonText(S, words(R, S, Outside));
    line(0, "}");
    for (const StagedName &N : Staged)
      if (isUsedAfter(N))
        line(0, N.declaration(Stage, Bytes));
    return llvm::Error::success();
  }

  /// Is an array used behind the loop, where its name means the last tile's?
  bool isUsedAfter(const StagedName &N) const {
    return llvm::any_of(Loop.Buffers, [&](const StagedBuffer &B) {
      return !B.Block && B.Var == N.Var && !B.MentionsAfter.empty();
    });
  }

  /// The author's barrier. What it is given may be known in the body alone, or
  /// differ from tile to tile: then the barrier that it comes to.
  std::string barrier() const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const TileLoop &Loop;
      bool Inside = false;
      explicit Finder(const TileLoop &Loop) : Loop(Loop) {}
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        const SourceManager &SM =
            Loop.Function->getASTContext().getSourceManager();
        SourceLocation At = SM.getExpansionLoc(D->getDecl()->getLocation());
        SourceRange Whole = SM.getExpansionRange(Loop.Loop->getSourceRange())
                                .getAsRange();
        Inside |= Whole.fullyContains(At) ||
                  llvm::any_of(Loop.HeaderVars, [&](const HeaderVar &H) {
                    return H.Var == D->getDecl();
                  });
        return true;
      }
    } F(Loop);
    F.TraverseStmt(Loop.LoadBarrier);
    if (F.Inside)
      return "__syncthreads();";
    std::string Text = Source.at(Source.statement(Loop.LoadBarrier)).str();
    return Text.back() == ';' ? Text : Text + ";";
  }

  /// No instruction, and a reader of all buffers for the compiler.
  std::string touch() const {
    std::string Text = "asm volatile(\"\" : : ";
    for (const StagedBuffer &B : Loop.Buffers) {
      auto N = llvm::find_if(
          Staged, [&](const StagedName &N) { return N.Var == B.Var; });
      Text += (&B == Loop.Buffers.begin() ? "\"l\"(&" : ", \"l\"(&") +
              (N == Staged.end() || N->View ? B.Var->getNameAsString()
                                            : N->Stages) +
              ")";
    }
    return Text + " : \"memory\");";
  }

  /// Variables that run ahead, and functions for what a macro hides of their
  /// condition and updates.
  void runAhead(const Regions &R, SkeletonText &T) {
    llvm::SmallVector<bool, 4> Needed;
    for (unsigned I = 0; I != H.Vars.size(); ++I)
      Needed.push_back(passes(R, Use::Ahead, I) ||
                       (InRegisters && Plan.TilesInRegisters == 1 &&
                        passes(R, Use::Store, I)));
    Names Tried = Fresh;
    CursorText Least = cursorOf(Loop, H, Needed, Tried, Source);
    // Functions of the variables take all of them.
    if (Least.Cond.empty() || Least.Step.empty())
      Needed.assign(H.Vars.size(), true);
    T.Cursor = cursorOf(Loop, H, Needed, Fresh, Source);
    if (T.Cursor.Step.empty()) {
      T.NextTile = NextTile = Fresh.fresh("next_tile");
      line(1, "auto " + T.NextTile + " = [&](" + headerParameters(" &") +
                  ") { " + H.Step + "; };");
    }
  }

  std::string headerParameters(const char *Between) const {
    std::string P;
    for (const HeaderText::Var &V : H.Vars)
      P += (P.empty() ? "" : ", ") + V.Type + Between + V.Name;
    return P;
  }

  SkeletonText words(const Regions &R, const Schedule &S, bool Outside) {
    SkeletonText T(Loop, H);
    if (S.Fills > 1)
      runAhead(R, T);
    if (S.Fills > 1 ? T.Cursor.Cond.empty() : H.NextCond.empty()) {
      T.HasTile = HasTile = Fresh.fresh("has_tile");
      line(1, "auto " + T.HasTile + " = [&](" + headerParameters(" ") +
                  ") { return " + H.Cond + "; };");
    }
    T.Load = caller(R, Use::Ahead, LoadName);
    T.Store = caller(R, Use::Store, StoreName);
    T.Compute = caller(R, Use::Compute, ComputeName);
    T.Barrier = barrier();
    T.Touch = touch();
    T.Stage = Stage;
    T.StageIsDeclared = Outside;
    T.Stages = Plan.Buffers;
    T.Slot = Slot;
    T.More = MoreName = Fresh.fresh("more");
    T.Pragma = Pragma;
    T.PragmaFrom = Indent;
    T.Unroll = Plan.Unroll == Unrolling::Stages  ? Plan.Buffers
               : Plan.Unroll == Unrolling::Never ? 1
                                                 : 0;
    T.Comment =
        (S.Fills > 1
             ? Message(Async ? msg::comment_copied_ahead
                             : msg::comment_fetched_ahead,
                       S.Fills)
             : Message(Async ? msg::comment_copied : msg::comment_fetched))
            .str();
    T.Indent = indent(1);
    T.Unit = Unit;
    return T;
  }

  llvm::Expected<EmittedLoop> edits(std::vector<Edit> All) {
    EmittedLoop E;
    E.File = Source.file();
    // The loop's own text, without the indentation in front and the newline
    // behind, which stay.
    llvm::StringRef Text = Out;
    Text.consume_front(Source.indentation(Whole.Begin));
    Text = Text.rtrim('\n');
    All.push_back({Whole.Begin, Whole.size(), Text.str()});
    for (Edit &D : Plan.dynamic()
                       ? moveToDynamicShared(Loop, Plan, Source, Staged, Fresh)
                       : stageDeclarations(Loop, Plan, Source, Staged))
      if (!Whole.contains(D.Offset))
        All.push_back(std::move(D));
    Range After{Whole.End, static_cast<unsigned>(Source.all().size())};
    if (Ring) {
      for (Edit &M : viewsAfter(Loop, Source, Stage, Bytes, Staged))
        All.push_back(std::move(M));
      for (Edit &M : copiedMentions(Loop, Source, Stage, Staged))
        if (After.contains(M.Offset))
          All.push_back(std::move(M));
      auto Grown = growLaunches(Plan, Source);
      if (!Grown)
        return Grown.takeError();
      All.insert(All.end(), Grown->begin(), Grown->end());
    }
    for (Edit &U : unrollCompute(Loop, Plan, Source))
      if (!Whole.contains(U.Offset))
        All.push_back(std::move(U));
    for (Range Outside : {Range{0, Whole.Begin}, After})
      for (Edit &S : padStrides(Plan, Source, Outside))
        All.push_back(std::move(S));
    llvm::sort(All);
    E.Edits = std::move(All);
    for (llvm::StringRef P :
         {"advance_bytes", "bytes_per_stage", "ceil_div", "commit",
          "copy_async", "copy_async_zfill", "next_stage", "opt_in_shared",
          "previous_stage", "staged_bytes", "wait_prior"})
      for (const TextEdit &X : E.Edits) {
        llvm::StringRef T = X.Text;
        std::string Call = ("kpipe::" + P).str();
        size_t At = T.find(Call + "(");
        if (At == llvm::StringRef::npos)
          At = T.find(Call + "<");
        if (At != llvm::StringRef::npos) {
          E.Primitives.push_back(P.str());
          break;
        }
      }
    return E;
  }
};

} // namespace

llvm::Expected<EmittedLoop> writePipeline(const TileLoop &Loop,
                                          const PipelinePlan &Plan,
                                          const SourceText &Source,
                                          Names Fresh) {
  return PipelineWriter(Loop, Plan, Source, std::move(Fresh)).run();
}

} // namespace kpipe
