// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions of a unit; the bodies that one text has must agree. See
// kpipe/Lowering.h.
#include "kpipe/Lowering.h"
#include "Code/GroupQueries.h"
#include "Code/InlineAssembly.h"
#include "CountedLoops.h"
#include "LoadHelpers.h"
#include "PlainJumps.h"
#include "Support/PlaceOf.h"
#include "Support/RuleSwitch.h"
#include "WrittenOut.h"
#include "kpipe/TextMarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

/// What is the same whichever loops are left alone.
struct AsyncLowering::Known {
  explicit Known(ASTContext &Context)
      : Context(Context), Code(Context, !ruleIsSwitchedOff("async-unseen")),
        Calls(Context), Files(Context) {}
  ASTContext &Context;
  AsyncCode Code;
  UnitCalls Calls;
  FileTexts Files;
};

namespace {

class Unit {
public:
  Unit(AsyncLowering::Known &Known, llvm::ArrayRef<DeviceFunction> Functions,
       llvm::ArrayRef<Place> LeaveAlone)
      : SM(Known.Context.getSourceManager()), Functions(Functions),
        Code(Known.Code), Calls(Known.Calls), Files(Known.Files),
        Helpers(Functions, Code, Calls, Files), LeaveAlone(LeaveAlone) {}

  Lowering run() {
    // What one loop cannot have may be what others load with.
    do {
      Edits.clear();
      Out = Lowering();
      Bodies.clear();
      for (const DeviceFunction &F : Functions)
        function(F);
    } while (Helpers.refuse(users()));
    for (const auto &[File, Some] : Helpers.Edits)
      Edits[File].insert(Some.begin(), Some.end());
    return finish();
  }

private:
  std::vector<LoadHelpers::User> users() const {
    std::vector<LoadHelpers::User> All;
    for (const auto &[Body, Lowered] : Bodies)
      All.push_back({Body, &Lowered});
    return All;
  }

  void function(const DeviceFunction &F) {
    if (F.Bodies.empty())
      return;
    // A header's function may have instances in other files.
    const bool Opens =
        SM.isInMainFile(SM.getExpansionLoc(F.Written->getLocation())) &&
        llvm::all_of(F.Bodies, mayOpenBranches);
    // What a template's conditions are may hang on its arguments.
    const bool Jumps =
        (SM.isInMainFile(SM.getExpansionLoc(F.Written->getLocation())) ||
         !F.Bodies.front()->getTemplateInstantiationPattern()) &&
        llvm::any_of(F.Bodies, mayLoseJumps);
    const bool Writes =
        SM.isInMainFile(SM.getExpansionLoc(F.Written->getLocation())) &&
        llvm::any_of(F.Bodies, mayBeWrittenOut);
    const bool Counts =
        SM.isInMainFile(SM.getExpansionLoc(F.Written->getLocation())) &&
        llvm::any_of(F.Bodies, mayBeCounted);
    if (!Opens && !Jumps && !Writes && !Counts &&
        llvm::all_of(F.Bodies, [&](const FunctionDecl *Body) {
          const AsyncOps *Ops = Code.of(Body);
          return !Ops || Ops->All.empty();
        }))
      return;
    const FileID In = Files.fileOf(F.Written);
    const FileText &File = Files.of(In);
    auto MayTouch = [&](const Stmt *Loop) {
      Place P = placeOf(Loop->getBeginLoc(), SM);
      return !Loop->getBeginLoc().isMacroID() &&
             llvm::none_of(LeaveAlone, [&](const Place &Left) {
               return Left.File == P.File && Left.Line == P.Line;
             });
    };
    auto MayCall = [&](const FunctionDecl *Helper) {
      return Helpers.mayBePlain(Helper);
    };
    const bool Same =
        Opens && loseSameText(F, openedLoops, File.Source, MayTouch);
    const bool SameJumps =
        Jumps && loseSameText(F, loopsWithoutJumps, File.Source, MayTouch);
    const bool SameCalls =
        Writes && loseSameText(F, loopsWrittenOut, File.Source, MayTouch);
    const bool SameCounts =
        Counts && loseSameText(F, loopsCounted, File.Source, MayTouch);
    std::optional<LoweredBody> All;
    std::vector<std::pair<const FunctionDecl *, LoweredBody>> New;
    for (const FunctionDecl *Body : F.Bodies) {
      std::vector<OpenedLoop> Opened;
      if (Same)
        Opened = openedLoops(Body, File.Source, MayTouch);
      if (SameJumps)
        addOthers(Opened, loopsWithoutJumps(Body, File.Source, MayTouch));
      if (SameCalls)
        addOthers(Opened, loopsWrittenOut(Body, File.Source, MayTouch));
      if (SameCounts)
        addOthers(Opened, loopsCounted(Body, File.Source, MayTouch));
      LoweredBody One =
          lowerBody(Body, Code, Calls, File, Opened, MayTouch, MayCall);
      New.emplace_back(Body, One);
      if (All && All->Edits != One.Edits) {
        // What one instance cannot be, none is.
        sayOthers(*All, F);
        sayOthers(One, F);
        return;
      }
      All = std::move(One);
    }
    llvm::append_range(Bodies, New);
    sayOthers(*All, F);
    for (const Stmt *Loop : All->Loops)
      Out.Loops.push_back(placeOf(Loop->getBeginLoc(), SM));
    for (const Stmt *Loop : All->Opened)
      Out.Opened.push_back(placeOf(Loop->getBeginLoc(), SM));
    Edits[In].insert(All->Edits.begin(), All->Edits.end());
  }

  Lowering finish() {
    for (const auto &[File, Changed] : Edits) {
      tooling::AtomicChange Change(SM, SM.getLocForStartOfFile(File));
      for (const Edit &E : Changed)
        if (llvm::Error Clash =
                Change.replace(SM, SM.getComposedLoc(File, E.Offset), E.Length,
                               keepLines(E, File))) {
          llvm::consumeError(std::move(Clash));
          return {}; // operations within one another
        }
      if (!Changed.empty())
        Out.Changes.push_back(std::move(Change));
    }
    return std::move(Out);
  }

  const SourceManager &SM;
  llvm::ArrayRef<DeviceFunction> Functions;
  AsyncCode &Code;
  UnitCalls &Calls;
  FileTexts &Files;
  LoadHelpers Helpers;
  llvm::ArrayRef<Place> LeaveAlone;
  std::vector<std::pair<const FunctionDecl *, LoweredBody>> Bodies;
  std::map<FileID, std::set<Edit>> Edits;
  Lowering Out;

  using Finder = std::vector<OpenedLoop>(
      const FunctionDecl *, const SourceText &,
      llvm::function_ref<bool(const Stmt *)>);

  /// Do all instances lose the same text?
  static bool loseSameText(const DeviceFunction &F, Finder &Find,
                           const SourceText &Source,
                           llvm::function_ref<bool(const Stmt *)> MayTouch) {
    auto EditsOf = [&](const FunctionDecl *Body) {
      std::vector<std::set<Edit>> All;
      for (OpenedLoop &One : Find(Body, Source, MayTouch))
        All.push_back(std::move(One.Edits));
      return All;
    };
    const auto First = EditsOf(F.Bodies.front());
    return llvm::all_of(llvm::drop_begin(F.Bodies), [&](const auto *Body) {
      return EditsOf(Body) == First;
    });
  }

  /// One loop's conditions, jumps and calls may stand in one another.
  static void addOthers(std::vector<OpenedLoop> &To,
                        std::vector<OpenedLoop> From) {
    for (OpenedLoop &One : From) {
      auto Known = llvm::find_if(
          To, [&](const OpenedLoop &Other) { return Other.Loop == One.Loop; });
      if (Known == To.end())
        To.push_back(std::move(One));
      else if (!overlap(Known->Edits, One.Edits))
        Known->Edits.insert(One.Edits.begin(), One.Edits.end());
    }
  }

  void sayOthers(const LoweredBody &Of, const DeviceFunction &F) {
    for (const LoweredBody::Other &Other : Of.Others) {
      AsyncLoop New = said(Other);
      New.HasRoles = New.Why.is(msg::async_roles);
      New.Key.Function = F.Written->getQualifiedNameAsString();
      if (llvm::none_of(Out.Others, [&](const AsyncLoop &Known) {
            return Known.Where.File == New.Where.File &&
                   Known.Where.Line == New.Where.Line &&
                   Known.Where.Column == New.Where.Column;
          }))
        Out.Others.push_back(std::move(New));
    }
  }

  AsyncLoop said(const LoweredBody::Other &Other) const {
    const AsyncTileLoop &Loop = Other.Why;
    AsyncLoop Said;
    Said.Where = Said.At = placeOf(Loop.Loop->getBeginLoc(), SM);
    if (const Place Last = placeOf(Loop.Loop->getEndLoc(), SM);
        Last.File == Said.Where.File)
      Said.LastLine = Last.Line;
    if (Other.At) {
      SourceLocation At = Other.At->At->getBeginLoc();
      Said.At = placeOf(At, SM);
      const std::string Name = nameOf(*Other.At);
      if (Other.At->Kind == AsyncKind::Unseen)
        Said.Why = {msg::async_unseen,
                    Name.empty() ? Message(msg::called_by_pointer)
                                 : Message(msg::called_by_name, Name)};
      else
        Said.Why = Loop.NotUnderstood ? Message(msg::async_not_understood, Name)
                   : hasRolesInOneStage(*Other.At)
                       ? Message(msg::async_roles, Name)
                   : Other.At->Kind == AsyncKind::Copy && Other.At->Group &&
                           !namesGroup(Other.At->Group)
                       ? Message(msg::async_group_not_plain, Name)
                       : notPlain(Other.At->Kind, Name);
    } else if (Loop.LeftByTurns) {
      Said.Staged = true;
      Said.Why = {
          msg::staged_by_hand,
          Message(Loop.LeftByTurns == 1 ? msg::one_tile : msg::several_tiles)};
    } else {
      Said.Why = {msg::in_flight_before};
    }
    return Said;
  }

  /// Of an operation that is understood, and has no plain text.
  static Message notPlain(AsyncKind Kind, const std::string &Name) {
    switch (Kind) {
    case AsyncKind::Copy:
      return {msg::async_not_plain, Name};
    case AsyncKind::InHelper:
      return {msg::async_helper_not_plain, Name};
    case AsyncKind::WaitForParity:
      return {msg::async_not_of_turn, Name};
    case AsyncKind::WaitForToken:
    case AsyncKind::ArriveAndWait:
    case AsyncKind::WaitOldest:
    case AsyncKind::Release:
      return {msg::async_not_blocks, Name};
    default:
      return {msg::async_not_understood, Name};
    }
  }

  /// The function or the opcode.
  std::string nameOf(const AsyncOp &Op) const {
    if (const auto *A = dyn_cast<GCCAsmStmt>(Op.At))
      return classifyAsm(A->getAsmString()).Opcode;
    const auto *C = dyn_cast<CallExpr>(Op.At);
    const auto *Made = dyn_cast<CXXConstructExpr>(Op.At);
    const FunctionDecl *F = C      ? C->getDirectCallee()
                            : Made ? Made->getConstructor()
                                   : nullptr;
    return F ? F->getNameAsString() : std::string();
  }

  /// The text has as many lines as the one that it replaces.
  std::string keepLines(const Edit &E, FileID File) const {
    llvm::StringRef Old = SM.getBufferData(File).substr(E.Offset, E.Length);
    std::string Text = E.Text;
    size_t Had = Old.count('\n'), Has = llvm::StringRef(Text).count('\n');
    for (; Has < Had; ++Has)
      Text += "\n" + GoneMark.str();
    return Text;
  }
};

} // namespace

AsyncLowering::AsyncLowering(ASTContext &Author)
    : Of(std::make_unique<Known>(Author)) {}
AsyncLowering::~AsyncLowering() = default;

Lowering AsyncLowering::run(const TransformOptions &Options,
                            llvm::ArrayRef<Place> LeaveAlone) {
  const std::vector<DeviceFunction> Functions =
      deviceFunctions(Of->Context, Options);
  return Unit(*Of, Functions, LeaveAlone).run();
}

} // namespace kpipe
