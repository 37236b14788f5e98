// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way for one translation unit, see kpipe/Engine.h: every loop of
// every body of every function is recognised and judged; the bodies that one
// text has must agree; what is legal everywhere is planned and emitted.
#include "kpipe/Engine.h"
#include "BoundsOfKernels.h"
#include "ChosenForms.h"
#include "Diagnostics.h"
#include "DirectivesOfLoops.h"
#include "Dump.h"
#include "FileEdits.h"
#include "HandStagedLoops.h"
#include "HeaderLoops.h"
#include "KernelsOfLoops.h"
#include "LoopLegality.h"
#include "Options/Choices.h"
#include "ParseErrors.h"
#include "PlansInOrder.h"
#include "Recognition/Loops/PassedOverLoops.h"
#include "RemapOfLoops.h"
#include "Support/PlaceOf.h"
#include "TmaOfLoops.h"
#include "Validation/Launches/LaunchValidator.h"
#include "Verdicts.h"
#include "kpipe/Emission.h"
#include "kpipe/Plan.h"
#include "kpipe/Refusal.h"
#include "kpipe/UncalledHelpers.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {
class Unit {
public:
  Unit(ASTContext &Context, const TransformOptions &Options,
       llvm::ArrayRef<const ArchLimits *> Archs, unsigned ArchIndex,
       llvm::ArrayRef<Note> Errors, llvm::ArrayRef<SourceRange> Skipped)
      : Context(Context), SM(Context.getSourceManager()), Options(Options),
        Archs(Archs), ArchIndex(ArchIndex), Arch(*Archs[ArchIndex]),
        Broken(SM, Errors), Errors(Errors), Calls(indexCalls(Context)),
        Launches(indexLaunches(Context, Calls)), Unread(Context, Skipped),
        Skipped(Skipped), HasErrors(!Errors.empty()), Code(Context),
        Kernels(Context, Options, Calls, Launches), Bounds(Context, Archs),
        Emission(Context), Directed(Context, Skipped, Out.Diagnostics),
        Files(SM) {
    Unread.addTo(Launches, Calls);
  }

  UnitOutcome run() {
    Functions = deviceFunctions(Context, Options);
    for (const DeviceFunction &F : Functions)
      function(F);
    if (!HasErrors)
      Directed.findStray(Functions);
    reportUnseen(Options, Arch.Name, Out);
    describeHeaderFunctions(Functions, SM, Out);
    if (Out.Loops.empty()) {
      countLoopsInHeaders(Context, Options, Calls, Out);
      Out.PassedOver = whyPassedOver(Functions, SM);
      if (Functions.empty() && !Out.LoopsInHeaders)
        nameOtherKernels(Context, Options, Out);
    }
    if (llvm::none_of(Out.Loops, [](const LoopOutcome &L) {
          return L.Verdict == LoopVerdict::Pipelined;
        }))
      Out.LoopsAround = countOuterLoops(Functions);
    finishFiles();
    return std::move(Out);
  }

private:
  ASTContext &Context;
  const SourceManager &SM;
  const TransformOptions &Options;
  llvm::ArrayRef<const ArchLimits *> Archs;
  unsigned ArchIndex;
  const ArchLimits &Arch; ///< that the unit was parsed for
  BrokenFunctions Broken;
  llvm::ArrayRef<Note> Errors;
  CallIndex Calls;
  LaunchIndex Launches;
  UnreadText Unread;
  llvm::ArrayRef<SourceRange> Skipped;
  bool HasErrors; ///< then loops may be missing
  CodeIndex Code;
  KernelsOfLoops Kernels;
  BoundsOfKernels Bounds;
  Emitter Emission;
  std::vector<DeviceFunction> Functions;
  UnitOutcome Out;
  DirectivesOfLoops Directed;
  FileEdits Files;
  std::vector<EmittedClone> Cloned; ///< helpers of all loops

  void function(const DeviceFunction &F) {
    if (F.Bodies.empty()) {
      if (mentionsBarrier(F.Written, Context))
        notInstantiated(F);
      return;
    }
    Out.Instantiated.push_back(placeOf(F.Written->getLocation(), SM));
    unsigned Ordinal = 0;
    for (WrittenLoop &L :
         writtenLoops(
             F, Context, Calls,
             [&](const FunctionDecl *Body) { return Kernels.blockOf(Body); },
             [&](const CandidateLoop &C) {
               Directives Asked = Directed.of(C);
               return Asked.Off || Asked.Pipelined;
             })) {
      const TileLoop &Tile = L.Bodies.front().Tile;
      loop(L, keyOfAuthors(L, loopKey(Tile.Function, Tile.Loop, ++Ordinal, Context), Options));
    }
    // Statements that do not parse are lost, and loops with them.
    Out.LosesLoops |=
        !Ordinal && mentionsBarrier(F.Written, Context) &&
        llvm::any_of(F.Bodies, [&](auto *B) { return Broken.firstError(B); });
  }

  void notInstantiated(const DeviceFunction &F) {
    Out.Diagnostics.push_back(neverInstantiated(
        F.Written->getNameAsString(), placeOf(F.Written->getLocation(), SM),
        Errors));
  }

  void loop(WrittenLoop &L, LoopKey Key) {
    LoopFacts &First = L.Bodies.front();
    LoopOutcome O;
    O.Function = Key.Function;
    O.Key = std::move(Key);
    O.Where = placeOfAuthors(placeOf(First.Tile.Loop->getBeginLoc(), SM),
                             Options);
    Place Last = placeOf(First.Tile.Loop->getEndLoc(), SM);
    O.LastLine = Last.File == O.Where.File ? Last.Line : 0;
    CandidateLoop C{First.Tile.Function, First.Tile.Loop, First.InOuterLoop};
    Directives Asked = Directed.of(C);
    Directed.reportUnknown(Asked);
    if (Asked.Off || Asked.Pipelined) {
      O.Verdict = Asked.Off ? LoopVerdict::Off : LoopVerdict::AlreadyPipelined;
      O.Diagnostics.push_back(about(
          Asked.Off ? RuleId::Off : RuleId::AlreadyPipelined, O.Where,
          {Asked.Off ? msg::off_by_directive : msg::already_pipelined},
          Severity::Remark));
      return finish(std::move(O), First, nullptr, {});
    }
    for (const LoopFacts &B : L.Bodies)
      if (const Note *E = Broken.firstError(B.Tile.Function)) {
        O.Diagnostics.push_back(
            about(RuleId::InvalidCode, E->Where,
                  {msg::not_pipelined,
                   Message(msg::does_not_parse, O.Function, E->What)}));
        return finish(std::move(O), First, nullptr, {});
      }
    if (const AsyncLoop *A = asyncLoopAt(O.Where, Options);
        A && !First.Tile.Bulk) {
      sayAsynchronous(*A, L, Kernels, SM, O);
      askToRestage(Options, Asked.Form, Archs, O);
      return finish(std::move(O), First, nullptr, {});
    }
    O.Diagnostics = whyNotLegal(L, Asked, Unread, Context);
    O.DumpTileLoop = dumpTileLoop(First);
    if (Options.DumpBoxes)
      O.DumpBoxes = dumpBoxes(L, Kernels);
    O.DumpLegality = dumpLegality(O.Diagnostics);
    First.LoadsNoTile = loadsNoTile(L);
    // Nobody expects it to be pipelined.
    for (Diagnostic &D : O.Diagnostics)
      D.Quiet = First.LoadsNoTile;
    if (!O.Diagnostics.empty()) {
      if (isStagedByHand(L, Kernels, SM, O))
        askToRestage(Options, Asked.Form, Archs, O);
      else if (First.IsTileLoop)
        O.Report.Ratio = Kernels.ratioOf(First);
      return finish(std::move(O), First, nullptr, {});
    }
    if (const VetoedLoop *V = vetoOf(O.Where, Options)) {
      O.Diagnostics.push_back(V->Why);
      O.Report.Ratio = Kernels.ratioOf(First);
      return finish(std::move(O), First, nullptr, {});
    }
    plan(L, Asked, std::move(O));
  }

  void leaveOriginal(LoopOutcome O, const LoopFacts &Facts) {
    O.Verdict = LoopVerdict::Off;
    O.Diagnostics.push_back(about(RuleId::Off, O.Where,
                                  {msg::original_is_fastest},
                                  Severity::Remark));
    finish(std::move(O), Facts, nullptr, {});
  }

  /// The text of all bodies, which is one.
  llvm::Expected<EmittedLoop> emit(const WrittenLoop &L,
                                   llvm::ArrayRef<PipelinePlan> Plans,
                                   LoopOutcome &O) {
    std::optional<EmittedLoop> Emitted;
    for (auto [Body, Plan] : llvm::zip_equal(L.Bodies, Plans)) {
      auto E = Emission.emit(Body.Tile, Plan);
      if (!E && Emitted && !E.errorIsA<InternalError>()) {
        Refusal Why = takeRefusal(E.takeError());
        Why.Why = {msg::in_instantiation, Why.Why,
                   instantiationName(Body.Tile.Function)};
        return llvm::make_error<Refusal>(std::move(Why));
      }
      if (!E)
        return E;
      if (Emitted && Emitted->Edits != E->Edits)
        return llvm::make_error<Refusal>(
            RuleId::InstantiationsDiffer,
            Message(msg::in_instantiation, Message(msg::instantiations_differ),
                    instantiationName(Body.Tile.Function)),
            discardsBranches(Body.Tile.Loop)
                ? Message(msg::plain_if_has_one_text)
                : Message());
      O.Declared.push_back(
          std::make_shared<const DeclaredLoop>(std::move(E->Declared)));
      if (!Emitted)
        Emitted = std::move(*E);
    }
    return std::move(*Emitted);
  }

  /// Of the first body whose sums unrolling may change. Asked only where there
  /// is something to unroll.
  static SumsVerdict sumsOf(const WrittenLoop &L) {
    for (const LoopFacts &Body : L.Bodies)
      if (!Body.Tile.Unrollable.empty())
        if (SumsVerdict V = unrollingKeepsSums(Body); !V.Why.empty())
          return V;
    return {};
  }

  /// Plans every body; one text serves them all, so their plans agree.
  /// \param Stays why the launches ask for what they did, where they do.
  void plan(WrittenLoop &L, const Directives &Asked, LoopOutcome O,
            const Message &Stays = {}) {
    const LoopOutcome Before = O;
    TransformOptions Wanted = Options;
    const ChosenForm *Chosen = chosenForm(O, Options, Archs, Out.Diagnostics);
    if (Chosen && Chosen->Original)
      return leaveOriginal(std::move(O), L.Bodies.front());
    if (Chosen)
      Wanted.Form = overlay(Wanted.Form, complete(Chosen->Form));
    Wanted.Form = overlay(Wanted.Form, Asked.Form);
    O.CopiesElements = copiesElements(L);
    if (Wanted.Form.Copies == CopyMapping::Remap)
      O.Remap = remapOf(L, O, Kernels, Options);
    else if (Wanted.Form.Copies == CopyMapping::Tma ||
             Wanted.Form.Copies == CopyMapping::Bulk)
      O.Remap = engineCopiesOf(*Wanted.Form.Copies, L, O, Kernels, Launches,
                               Archs, Options);
    std::vector<KernelShape> Shapes = Kernels.around(L);
    if (Stays)
      llvm::for_each(Shapes, [&](KernelShape &S) { keepLaunches(S, Stays); });
    std::optional<OrderViolation> Lost;
    auto Planned = planInOrder(
        L, Shapes, {Archs, ArchIndex, Wanted, Code, Asked.AssumeNoAlias}, Lost);
    if (!Planned) {
      O.Report.Ratio = Shapes.front().Ratio;
      Refusal Why = takeRefusal(Planned.takeError());
      return Lost ? losesOrder(std::move(O), L.Bodies.front(), *Lost)
                  : refuse(std::move(O), L.Bodies.front(), Why);
    }
    AgreedPlans &Agreed = *Planned;
    const LoopFacts &Shown = L.Bodies[Agreed.Tightest];
    const KernelShape &ShownKernel = Shapes[Agreed.Tightest];
    O.Report.Ratio = ShownKernel.Ratio;
    for (PipelinePlan &P : Agreed.Plans) {
      P.Wanted = Wanted.Form;
      P.Part = Chosen ? Chosen->Part : LoopPart::All;
    }
    const PipelinePlan &Plan = Agreed.Plans[Agreed.Tightest];
    const SumsVerdict Sums = sumsOf(L);
    O.DumpPlan = dumpPlan(Shown.Tile, Plan, O.Report.Ratio) +
                 dumpSums(Shown, Sums);
    O.UnrollingPays = Plan.StaysRolled && Sums.Why.empty();
    O.MayAskForBlocks =
        !Shown.Tile.TensorCores &&
        llvm::all_of(Shapes, [](auto &Shape) { return !Shape.MinBlocks; });
    auto Bounded = Bounds.ask(L, Shapes, Agreed, Wanted.Form.MinBlocks);
    auto Emitted = emit(L, Agreed.Plans, O);
    if (!Emitted && Emitted.errorIsA<InternalError>())
      return internal(O.Where, takeInternalError(Emitted.takeError()).What);
    if (!Emitted)
      return refuse(std::move(O), L.Bodies.front(),
                    takeRefusal(Emitted.takeError()));
    for (auto [Body, Own] : llvm::zip_equal(L.Bodies, Agreed.Plans))
      if (std::optional<SourceLocation> Unchanged = findUnchangedLaunch(
              Body.Tile, Own, Emitted->File, Emitted->Edits, Context, Skipped,
              Options.LaunchedElsewhere)) {
        if (Stays || Wanted.Form.Stages)
          return losesLaunch(std::move(O), L.Bodies.front(), *Unchanged);
        return plan(L, Asked, Before, whyLaunchStays(*Unchanged, SM));
      }
    if (Bounded)
      Emitted->Edits.push_back(std::move(*Bounded));
    llvm::append_range(Emitted->Primitives, primitivesBefore(O.Where, Options));
    if (llvm::Error Clash =
            Files.add(Emitted->File, Emitted->Edits, Emitted->Primitives)) {
      llvm::consumeError(std::move(Clash));
      return refuse(std::move(O), L.Bodies.front(),
                    {RuleId::Unsupported, {msg::edits_clash}});
    }

    llvm::append_range(Cloned, Emitted->Clones);
    O.Verdict = LoopVerdict::Pipelined;
    O.AuthorUnrolls = Emitted->AuthorUnrolls;
    O.Asked = Plan.Wanted;
    O.Kernels = Kernels.running(L, Agreed.Plans);
    Kernels.planned(L, Shapes, Agreed.Plans);
    O.Diagnostics.push_back(pipelined(O.Where, Shown.Tile, Plan));
    sayRemapped(O, Options);
    finish(std::move(O), Shown, &Plan, ShownKernel);
    Out.Loops.back().Report.Archs.back().Run = std::move(Emitted->Run);
  }

  void losesOrder(LoopOutcome O, const LoopFacts &Facts,
                  const OrderViolation &Lost) {
    sayLosesOrder(O, Lost, SM);
    finish(std::move(O), Facts, nullptr, {});
  }

  void losesLaunch(LoopOutcome O, const LoopFacts &Facts, SourceLocation At) {
    sayLosesLaunch(O, At, SM);
    finish(std::move(O), Facts, nullptr, {});
  }

  void refuse(LoopOutcome O, const LoopFacts &Facts, const Refusal &Because) {
    sayRefused(O, Because);
    finish(std::move(O), Facts, nullptr, {});
  }

  void finish(LoopOutcome O, const LoopFacts &Facts, const PipelinePlan *Plan,
              const KernelShape &Shape) {
    fillReport(O, Facts, Plan, Shape, Arch, Context);
    Out.Loops.push_back(std::move(O));
  }

  void internal(Place Where, Message What) {
    Out.Diagnostics.push_back(about(RuleId::Internal, std::move(Where),
                                    std::move(What), Severity::Error));
  }

  void finishFiles() {
    if (!Cloned.empty())
      removeUncalled(Cloned, Files.editsOf(SM.getMainFileID()));
    if (auto Changes = Files.finish(Options.InlineRuntime))
      Out.Changes = std::move(*Changes);
    else
      internal({}, {msg::edits_overlap, llvm::toString(Changes.takeError())});
  }
};

} // namespace

UnitOutcome transformUnit(ASTContext &Context, const TransformOptions &Options,
                          unsigned ArchIndex, llvm::ArrayRef<Note> Errors,
                          llvm::ArrayRef<SourceRange> Skipped) {
  std::vector<const ArchLimits *> Archs;
  UnitOutcome Unknown;
  for (const std::string &Name : Options.Archs)
    if (auto Arch = findArch(Name))
      Archs.push_back(&*Arch);
    else
      Unknown.Diagnostics.push_back(about(
          RuleId::Arch, {}, {msg::verbatim, llvm::toString(Arch.takeError())},
          Severity::Error));
  if (!Unknown.Diagnostics.empty())
    return Unknown;
  return Unit(Context, Options, Archs, ArchIndex, Errors, Skipped).run();
}

} // namespace kpipe
