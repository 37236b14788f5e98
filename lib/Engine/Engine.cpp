// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way for one translation unit, see kpipe/Engine.h: every loop of
// every body of every function is recognised and judged; the bodies that one
// text has must agree; what is legal everywhere is planned and emitted.

#include "kpipe/Engine.h"
#include "Dump.h"
#include "Includes.h"
#include "Kernel/KernelShape.h"
#include "Kernel/LaunchEdits.h"
#include "Kernel/Launches.h"
#include "Kernel/UnreadText.h"
#include "Legality/Legality.h"
#include "Legality/StrayDirectives.h"
#include "Metrics/Intensity.h"
#include "Metrics/SharedLayouts.h"
#include "Options/Choices.h"
#include "Options/Directives.h"
#include "ParseErrors.h"
#include "Recognition/DeviceFunctions.h"
#include "Recognition/Instantiations.h"
#include "Recognition/Recognition.h"
#include "Recognition/UnseenInstances.h"
#include "Support/RuleSwitch.h"
#include "Validation/AsyncPlaces.h"
#include "Validation/LaunchValidator.h"
#include "Validation/OrderValidator.h"
#include "kpipe/Emission.h"
#include "kpipe/LineEndings.h"
#include "kpipe/Plan.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>
#include <tuple>

using namespace clang;

namespace kpipe {

namespace {

Place placeOf(SourceLocation Loc, const SourceManager &SM) {
  PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(Loc), false);
  if (P.isInvalid())
    return {};
  return {P.getFilename(), P.getLine(), P.getColumn()};
}

Diagnostic toDiagnostic(const Obstacle &F, const SourceManager &SM) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Rule = F.Rule;
  D.Where = placeOf(F.Where, SM);
  D.What = "not pipelined: " + F.Why.str();
  for (const Obstacle::Remark &N : F.Notes)
    D.Notes.push_back({placeOf(N.Where, SM), N.What});
  return D;
}

/// One loop as written, with the facts of each body that holds it.
struct WrittenLoop {
  const DeviceFunction *Function = nullptr;
  LoopKey Key;
  std::vector<LoopFacts> Bodies;
  /// Other loops of the same function stage tiles.
  bool HasSisters = false;
  /// Arrays that another loop of the function fills too.
  llvm::SmallVector<const VarDecl *, 2> SharedWithSisters;
};

class Unit {
public:
  Unit(ASTContext &Context, const TransformOptions &Options,
       const ArchLimits &Arch, llvm::ArrayRef<Note> Errors,
       llvm::ArrayRef<SourceRange> Skipped)
      : Context(Context), SM(Context.getSourceManager()), Options(Options),
        Arch(Arch), Broken(SM, Errors), Calls(indexCalls(Context)),
        Launches(indexLaunches(Context, Calls)), Unread(Context, Skipped),
        Skipped(Skipped), HasErrors(!Errors.empty()), Code(Context),
        Emission(Context) {
    Unread.addTo(Launches);
  }

  UnitOutcome run() {
    Functions = deviceFunctions(Context, Options);
    for (const DeviceFunction &F : Functions)
      function(F);
    if (!HasErrors)
      findStrayDirectives();
    finishFiles();
    return std::move(Out);
  }

private:
  ASTContext &Context;
  const SourceManager &SM;
  const TransformOptions &Options;
  const ArchLimits &Arch;
  BrokenFunctions Broken;
  CallIndex Calls;
  LaunchIndex Launches;
  UnreadText Unread;
  llvm::ArrayRef<SourceRange> Skipped;
  bool HasErrors; ///< then loops may be missing
  CodeIndex Code;
  Emitter Emission;
  std::vector<DeviceFunction> Functions;
  UnitOutcome Out;
  struct FileEdits {
    std::set<TextEdit> Edits; ///< loops share some: a buffer's declaration
    std::vector<std::string> Primitives;
  };
  std::map<FileID, FileEdits> Files;
  mutable std::map<FileID, bool> HasCrlf;
  std::set<std::tuple<std::string, unsigned, std::string>> SaidOfDirectives;

  void function(const DeviceFunction &F) {
    if (F.Bodies.empty()) {
      if (mentionsBarrier(F.Written, Context))
        notInstantiated(F);
      return;
    }
    llvm::MapVector<SourceLocation, WrittenLoop> Loops;
    for (const FunctionDecl *Body : F.Bodies) {
      auto In = std::make_shared<Scope>(Context, Body, &Calls);
      for (const CandidateLoop &C : findCandidates(Body, *In)) {
        WrittenLoop &L = Loops[SM.getExpansionLoc(C.Loop->getBeginLoc())];
        L.Function = &F;
        Directives Asked = directives(C);
        if (Asked.Off || Asked.Pipelined) {
          // Nothing in it is looked at, so that nothing is said about it.
          LoopFacts Bare;
          Bare.Tile.Function = Body;
          Bare.Tile.Loop = C.Loop;
          L.Bodies.push_back(std::move(Bare));
          continue;
        }
        L.Bodies.push_back(recognise(C, In));
      }
    }
    keepSharedBuffersSingle(Loops);
    unsigned Ordinal = 0;
    for (auto &[Where, L] : Loops) {
      keepWhatAllKnow(L.Bodies);
      L.HasSisters = Loops.size() > 1;
      const TileLoop &Tile = L.Bodies.front().Tile;
      L.Key = loopKey(Tile.Function, Tile.Loop, ++Ordinal, Context);
      loop(L);
    }
  }

  /// A buffer that two loops stage keeps one extent for both: a single buffer.
  static void
  keepSharedBuffersSingle(llvm::MapVector<SourceLocation, WrittenLoop> &Loops) {
    for (auto &[Where, L] : Loops)
      for (auto &[OtherWhere, Other] : Loops)
        for (LoopFacts &A : L.Bodies)
          for (const LoopFacts &B : Other.Bodies) {
            if (Where == OtherWhere || A.Tile.Function != B.Tile.Function)
              continue;
            for (StagedBuffer &X : A.Tile.Buffers)
              for (const StagedBuffer &Y : B.Tile.Buffers) {
                if (X.Var == Y.Var)
                  L.SharedWithSisters.push_back(X.Var);
                if (X.Var == Y.Var && X.NoRing.empty()) {
                  X.NoRing = quoted(X.Var) + " is filled by another loop too";
                  X.NoRingLoc = OtherWhere;
                }
              }
            for (StagedBuffer &X : A.Tile.Buffers)
              if (X.Block && X.NoRing.empty() &&
                  llvm::any_of(X.MentionsAfter, [&](const DeclRefExpr *D) {
                    return B.Tile.Loop->getSourceRange().fullyContains(
                        D->getSourceRange());
                  })) {
                X.NoRing = quoted(X.Var) + " is used by another loop too";
                X.NoRingLoc = OtherWhere;
              }
          }
  }

  Directives directives(const CandidateLoop &C) const {
    return merge(directivesOf(C.Function, Context),
                 directivesAbove(C.Loop->getBeginLoc(), Context));
  }

  /// Says so of directives that nothing reads, in files that may be edited.
  void findStrayDirectives() {
    std::set<FileID> Looked{SM.getMainFileID()};
    for (const DeviceFunction &F : Functions)
      Looked.insert(SM.getFileID(SM.getExpansionLoc(F.Written->getLocation())));
    for (FileID File : Looked)
      for (StrayDirective &S : strayDirectives(File, Context, Skipped))
        ofDirective(S.Where, std::move(S.Why));
  }

  /// Once: a kernel's directive is read for each of its loops.
  void ofDirective(SourceLocation Where, std::string Message) {
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = RuleId::Directive;
    D.Where = placeOf(Where, SM);
    D.What = std::move(Message);
    if (SaidOfDirectives.insert({D.Where.File, D.Where.Line, D.What}).second)
      Out.Diagnostics.push_back(std::move(D));
  }

  void notInstantiated(const DeviceFunction &F) {
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = RuleId::NotInstantiated;
    D.Where = placeOf(F.Written->getLocation(), SM);
    std::string Name = F.Written->getNameAsString();
    D.What = "not pipelined: template '" + Name +
                "' is never instantiated in this file";
    D.Notes.push_back(
        {D.Where, "name an instantiation with --instantiate='" + Name +
                      "<...>', or process a file that has one"});
    Out.Diagnostics.push_back(std::move(D));
  }

  void loop(WrittenLoop &L) {
    LoopFacts &First = L.Bodies.front();
    LoopOutcome O;
    O.Function = L.Key.Function;
    O.Key = L.Key;
    O.Where = placeOf(First.Tile.Loop->getBeginLoc(), SM);
    CandidateLoop C{First.Tile.Function, First.Tile.Loop, First.InOuterLoop};
    Directives Asked = directives(C);
    for (const Directives::Unknown &U : Asked.NotUnderstood)
      ofDirective(U.Where, Message(msg::not_a_directive, U.Word));
    if (Asked.Off || Asked.Pipelined) {
      O.Verdict = Asked.Off ? LoopVerdict::Off : LoopVerdict::AlreadyPipelined;
      Diagnostic D;
      D.Rule = Asked.Off ? RuleId::Off : RuleId::AlreadyPipelined;
      D.Where = O.Where;
      D.What = Asked.Off ? "left alone, as a directive asks"
                            : "already pipelined";
      O.Diagnostics.push_back(std::move(D));
      return finish(std::move(O), First, nullptr, {});
    }
    for (const LoopFacts &B : L.Bodies)
      if (const Note *E = Broken.firstError(B.Tile.Function)) {
        Diagnostic D;
        D.Level = Severity::Warning;
        D.Rule = RuleId::InvalidCode;
        D.Where = E->Where;
        D.What = "not pipelined: '" + O.Function +
                    "' holds or calls code that does not parse: " + E->What.str();
        O.Diagnostics.push_back(std::move(D));
        O.Verdict = LoopVerdict::Refused;
        return finish(std::move(O), First, nullptr, {});
      }
    std::optional<Obstacle> Unseen;
    if (!Asked.AssumeAllInstances)
      Unseen = unseenPart(*L.Function, Context);
    for (const LoopFacts &B : L.Bodies) {
      std::vector<Obstacle> All;
      llvm::append_range(All, checkLegality(B, Asked));
      // What cannot be edited is said of loops that would be.
      if (All.empty())
        if (auto Obstacle = Unread.obstacle(B))
          All.push_back(std::move(*Obstacle));
      if (B.IsTileLoop)
        llvm::erase_if(
            All, [](const Obstacle &F) { return ruleIsSwitchedOff(idOf(F.Rule)); });
      if (All.empty() && Unseen && !ruleIsSwitchedOff(idOf(Unseen->Rule))) {
        All.push_back(*Unseen);
        All.back().Notes.push_back(
            {B.Tile.Loop->getBeginLoc(),
             "say '// kpipe: assume(all-instances)' above the kernel if "
             "this run's files have all instances"});
      }
      for (const Obstacle &F : All) {
        Diagnostic D = toDiagnostic(F, SM);
        if (llvm::none_of(O.Diagnostics, [&](const Diagnostic &X) {
              return X.Rule == D.Rule && X.What == D.What &&
                     X.Where.Line == D.Where.Line &&
                     X.Where.Column == D.Where.Column;
            }))
          O.Diagnostics.push_back(std::move(D));
      }
    }
    O.DumpTileLoop = dumpTileLoop(First);
    O.DumpLegality = dumpLegality(O.Diagnostics);
    if (!O.Diagnostics.empty()) {
      O.Verdict = LoopVerdict::Refused;
      if (First.IsTileLoop)
        O.Report.Ratio = ratioOf(First, shapeOf(First));
      return finish(std::move(O), First, nullptr, {});
    }
    for (const VetoedLoop &V : Options.Vetoes)
      if (V.Where.File == O.Where.File && V.Where.Line == O.Where.Line &&
          V.Where.Column == O.Where.Column) {
        O.Verdict = LoopVerdict::Refused;
        O.Diagnostics.push_back(V.Why);
        O.Report.Ratio = ratioOf(First, shapeOf(First));
        return finish(std::move(O), First, nullptr, {});
      }
    plan(L, Asked, std::move(O));
  }

  KernelShape shapeOf(const LoopFacts &Body) const {
    return kernelShape(Body.Tile.Function, Options, Calls, Launches, Context);
  }

  std::optional<double> ratioOf(const LoopFacts &Body,
                                const KernelShape &Kernel) const {
    return computeLoadRatio(Body, {Kernel.Block, Kernel.Threads});
  }

  std::vector<SharedLayout> layoutsOf(const WrittenLoop &L,
                                      const LoopFacts &Body,
                                      const KernelShape &Kernel) const {
    BlockShapes Blocks;
    Blocks.Largest = {Kernel.Block, Kernel.Threads};
    // Of a function that several kernels may call nothing is sure.
    if (Body.Tile.Function->hasAttr<CUDAGlobalAttr>()) {
      Blocks.Most = Kernel.MostThreads;
      Blocks.Only = Kernel.OnlyBlock;
    }
    std::vector<SharedLayout> All = findSharedLayouts(Body, Blocks);
    for (auto [Layout, Buffer] : llvm::zip_equal(All, Body.Tile.Buffers))
      if (llvm::is_contained(L.SharedWithSisters, Buffer.Var) &&
          Layout.NotPadded.empty())
        Layout.NotPadded = "another loop fills it too";
    return All;
  }

  /// The form that was chosen for the loop before, or null; says so if one is
  /// looked for and none fits.
  const LoopForm *chosenForm(const LoopOutcome &O) {
    if (!Options.Choices)
      return nullptr;
    FoundChoice Found = findChoice(*Options.Choices, O.Key, Arch.Name);
    if (Found.Form)
      return Found.Form;
    Diagnostic D;
    D.Where = O.Where;
    if (Found.Stale.empty()) {
      D.Rule = RuleId::ProfileMissing;
      D.What = "the profile has no form for this loop of '" + O.Function +
                  "'; planned as without one";
    } else {
      D.Level = Severity::Warning;
      D.Rule = RuleId::ProfileStale;
      D.What = "the profile's form for this loop is not used: " +
                  Found.Stale.str() + "; planned as without one";
      D.Notes.push_back({O.Where, "measure it again with 'kpipe tune'"});
    }
    Out.Diagnostics.push_back(std::move(D));
    return nullptr;
  }

  void leaveOriginal(LoopOutcome O, const LoopFacts &Facts) {
    O.Verdict = LoopVerdict::Off;
    Diagnostic D;
    D.Rule = RuleId::Off;
    D.Where = O.Where;
    D.What = "left alone: the original was measured to be the fastest";
    O.Diagnostics.push_back(std::move(D));
    finish(std::move(O), Facts, nullptr, {});
  }

  /// Plans every body; one text serves them all, so their plans agree.
  void plan(WrittenLoop &L, const Directives &Asked, LoopOutcome O) {
    TransformOptions Wanted = Options;
    LoopPart Part = LoopPart::All;
    if (const LoopForm *Chosen = chosenForm(O)) {
      if (Chosen->Original)
        return leaveOriginal(std::move(O), L.Bodies.front());
      Part = Chosen->Part;
      Wanted.Copy = Chosen->Copy;
      Wanted.Stages = Chosen->Stages;
      Wanted.Last = Chosen->Last;
      Wanted.AllowOccupancyDrop |= Chosen->AllowOccupancyDrop;
      Wanted.Unroll = Chosen->Unroll;
      Wanted.Pad = Chosen->Pad;
    }
    if (Asked.Copy)
      Wanted.Copy = *Asked.Copy;
    if (Asked.Stages)
      Wanted.Stages = *Asked.Stages;
    if (Asked.Last)
      Wanted.Last = *Asked.Last;
    if (Asked.Unroll)
      Wanted.Unroll = *Asked.Unroll;
    if (Asked.Pad)
      Wanted.Pad = *Asked.Pad;
    std::vector<KernelShape> Kernels;
    for (const LoopFacts &B : L.Bodies) {
      Kernels.push_back(shapeOf(B));
      Kernels.back().Ratio = ratioOf(B, Kernels.back());
      LaunchEdits R = relaunch(B.Tile.Function, Launches, Context);
      if (L.HasSisters)
        R.Not = "another loop of the kernel stages tiles too";
      Kernels.back().NotRelaunched = std::move(R.Not);
      Kernels.back().Launched = !Launches.launches(B.Tile.Function).empty();
      Kernels.back().Launches = std::move(R.Launches);
      Kernels.back().Regrown =
          regrow(B.Tile.Function, Launches, Context, Options.LaunchedElsewhere);
      Kernels.back().Layouts = layoutsOf(L, B, Kernels.back());
    }
    std::vector<PlannedBody> Bodies;
    for (unsigned I = 0; I != L.Bodies.size(); ++I)
      Bodies.push_back({&L.Bodies[I].Tile, &Kernels[I]});
    AgreedPlans Agreed = planBodies(Bodies, Arch, Wanted);
    const LoopFacts &Shown = L.Bodies[Agreed.Tightest];
    const KernelShape &ShownKernel = Kernels[Agreed.Tightest];
    O.Report.Ratio = ShownKernel.Ratio;
    if (Agreed.Plans.empty())
      return refuse(std::move(O), L.Bodies.front(), Agreed.Rule, Agreed.Reason,
                    Agreed.Cure);
    for (PipelinePlan &P : Agreed.Plans)
      P.Part = Part;
    const PipelinePlan &Plan = Agreed.Plans[Agreed.Tightest];
    if (std::optional<OrderViolation> Lost =
            keepOrder(L, Agreed.Plans, Kernels, Asked.AssumeNoAlias))
      return losesOrder(std::move(O), L.Bodies.front(), *Lost);
    O.DumpPlan = dumpPlan(Shown.Tile, Plan, O.Report.Ratio);

    std::optional<EmittedLoop> Emitted;
    for (unsigned I = 0; I != L.Bodies.size(); ++I) {
      auto E = Emission.emit(L.Bodies[I].Tile, Agreed.Plans[I]);
      if (!E) {
        if (E.errorIsA<InternalError>())
          return internal(O.Where, llvm::toString(E.takeError()));
        return refuse(std::move(O), L.Bodies.front(), RuleId::MacroText,
                      llvm::toString(E.takeError()), "");
      }
      if (Emitted && Emitted->Edits != E->Edits)
        return refuse(std::move(O), L.Bodies.front(), RuleId::InstantiationsDiffer,
                      "the template's instantiations would have to be "
                      "pipelined differently",
                      "");
      O.Declared.push_back(
          std::make_shared<const DeclaredLoop>(std::move(E->Declared)));
      if (!Emitted)
        Emitted = std::move(*E);
    }
    if (std::optional<SourceLocation> Unchanged = findUnchangedLaunch(
            Shown.Tile, Plan, Emitted->File, Emitted->Edits, Context, Skipped,
            Options.LaunchedElsewhere))
      return losesLaunch(std::move(O), L.Bodies.front(), *Unchanged);
    FileEdits &File = Files[Emitted->File];
    std::set<TextEdit> Together = File.Edits;
    Together.insert(Emitted->Edits.begin(), Emitted->Edits.end());
    if (auto Apart = asChange(Emitted->File, Together)) {
      File.Edits = std::move(Together);
    } else {
      llvm::consumeError(Apart.takeError());
      return refuse(std::move(O), L.Bodies.front(), RuleId::Unsupported,
                    "it and a loop above would change the same text in "
                    "different ways",
                    "");
    }
    for (std::string &P : Emitted->Primitives)
      if (!llvm::is_contained(File.Primitives, P))
        File.Primitives.push_back(std::move(P));

    O.Verdict = LoopVerdict::Pipelined;
    Diagnostic D;
    D.Rule = RuleId::Pipelined;
    D.Where = O.Where;
    D.What = "pipelined K-loop: " + summary(Shown.Tile, Plan);
    for (const Reason &R : Plan.Reasons)
      if (R.StepDown)
        D.Notes.push_back({O.Where, R.Text});
    O.Diagnostics.push_back(std::move(D));
    finish(std::move(O), Shown, &Plan, ShownKernel);
    Out.Loops.back().Report.Archs.back().Run = std::move(Emitted->Run);
  }

  /// Has the output keep the barriers that code around the loop needs; returns
  /// what no barrier there can mend.
  std::optional<OrderViolation>
  keepOrder(WrittenLoop &L, llvm::ArrayRef<PipelinePlan> Plans,
            llvm::ArrayRef<KernelShape> Kernels, bool AssumeNoAlias) {
    bool Before = false, After = false;
    for (auto [Body, Plan, Kernel] : llvm::zip_equal(L.Bodies, Plans, Kernels)) {
      OrderVerdict V = validateOrder(Body.Tile, Plan, Code, AssumeNoAlias);
      if (V.Violation)
        return V.Violation;
      if (auto Lost = findAsyncCollision(Body.Tile, Plan, Context, Kernel.Block,
                                         Kernel.Threads))
        return Lost;
      Before |= V.BarrierBefore;
      After |= V.BarrierAfter;
    }
    for (LoopFacts &Body : L.Bodies) {
      Body.Tile.BarrierBefore |= Before;
      Body.Tile.BarrierAfter |= After;
    }
    return std::nullopt;
  }

  void losesOrder(LoopOutcome O, const LoopFacts &Facts,
                  const OrderViolation &Lost) {
    O.Verdict = LoopVerdict::Refused;
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = RuleId::MemoryOrder;
    D.Where = placeOf(Lost.Second, SM);
    D.What = "not pipelined: " + Lost.What.str();
    if (Lost.First != Lost.Second)
      D.Notes.push_back({placeOf(Lost.First, SM), "the first of them is here"});
    O.Diagnostics.push_back(std::move(D));
    finish(std::move(O), Facts, nullptr, {});
  }

  void losesLaunch(LoopOutcome O, const LoopFacts &Facts, SourceLocation At) {
    O.Verdict = LoopVerdict::Refused;
    O.Declared.clear();
    Place Named = placeOf(At, SM);
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = RuleId::Launches;
    D.Where = O.Where;
    D.What = "not pipelined: its kernel would need more dynamic shared "
                "memory, and what names the kernel in line " +
                std::to_string(Named.Line) +
                " may launch it as before, in this or another configuration";
    D.Notes.push_back({std::move(Named), "named here"});
    D.Notes.push_back({O.Where, "change that launch by hand and say "
                                "--launches=elsewhere, or say --stages=1"});
    O.Diagnostics.push_back(std::move(D));
    finish(std::move(O), Facts, nullptr, {});
  }

  static std::string summary(const TileLoop &Loop, const PipelinePlan &P) {
    bool Async = P.hasRoute(Route::AsyncCopy);
    bool Staged = P.hasRoute(Route::Registers);
    std::string How = Async && Staged ? "cp.async and registers"
                      : Async         ? "cp.async"
                                      : "registers";
    if (P.Stages == 1 && P.TilesInRegisters > 1)
      How = std::to_string(P.TilesInRegisters) + " tiles in registers";
    std::string Names;
    for (const StagedBuffer &B : Loop.Buffers)
      Names += (Names.empty() ? "" : ", ") + B.Var->getNameAsString();
    return (P.Stages == 1 ? "single buffer"
                          : std::to_string(P.stages()) + " stages") +
           " of " + Names + ", " + How;
  }

  void refuse(LoopOutcome O, const LoopFacts &Facts, RuleId Rule,
              std::string Reason, std::string Cure) {
    O.Verdict = LoopVerdict::Refused;
    O.Declared.clear();
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = Rule;
    D.Where = O.Where;
    D.What = "not pipelined: " + Reason;
    if (!Cure.empty())
      D.Notes.push_back({O.Where, Cure});
    O.Diagnostics.push_back(std::move(D));
    finish(std::move(O), Facts, nullptr, {});
  }

  void finish(LoopOutcome O, const LoopFacts &Facts, const PipelinePlan *Plan,
              const KernelShape &Shape) {
    fillReport(O, Facts, Plan, Shape, Arch, Context);
    Out.Loops.push_back(std::move(O));
  }

  void internal(Place Where, std::string What) {
    Diagnostic D;
    D.Level = Severity::Error;
    D.Rule = RuleId::Internal;
    D.Where = std::move(Where);
    D.What = std::move(What);
    Out.Diagnostics.push_back(std::move(D));
  }

  void finishFiles() {
    for (auto &[File, Edits] : Files) {
      if (!Edits.Primitives.empty())
        Edits.Edits.insert(
            runtimeEdit(SM, File, Edits.Primitives, Options.InlineRuntime));
      auto Change = asChange(File, Edits.Edits);
      if (!Change)
        return internal(placeOf(SM.getLocForStartOfFile(File), SM),
                        "edits overlap: " +
                            llvm::toString(Change.takeError()));
      Out.Changes.push_back(std::move(*Change));
    }
  }

  /// \returns an error where edits overlap.
  llvm::Expected<tooling::AtomicChange>
  asChange(FileID File, const std::set<TextEdit> &Edits) const {
    tooling::AtomicChange Change(SM, SM.getLocForStartOfFile(File));
    auto [Known, IsNew] = HasCrlf.try_emplace(File);
    if (IsNew)
      Known->second = endsLinesWithCrlf(SM.getBufferData(File));
    for (const TextEdit &E : Edits) {
      SourceLocation At = SM.getComposedLoc(File, E.Offset);
      const std::string New = Known->second ? withCrlf(E.Text) : E.Text;
      if (llvm::Error Failed = E.Length
                                   ? Change.replace(SM, At, E.Length, New)
                                   : Change.insert(SM, At, New))
        return std::move(Failed);
    }
    return std::move(Change);
  }
};

} // namespace

UnitOutcome transformUnit(ASTContext &Context, const TransformOptions &Options,
                          unsigned ArchIndex, llvm::ArrayRef<Note> Errors,
                          llvm::ArrayRef<SourceRange> Skipped) {
  auto Arch = findArch(Options.Archs[ArchIndex]);
  if (!Arch) {
    UnitOutcome Out;
    Diagnostic D;
    D.Level = Severity::Error;
    D.Rule = RuleId::Arch;
    D.What = llvm::toString(Arch.takeError());
    Out.Diagnostics.push_back(std::move(D));
    return Out;
  }
  return Unit(Context, Options, *Arch, Errors, Skipped).run();
}

} // namespace kpipe
