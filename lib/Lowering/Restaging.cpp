// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See kpipe/Restaging.h. All instances of a function have one text, so their
// edits agree or the loop stays as it is.
#include "kpipe/Restaging.h"
#include "FileTexts.h"
#include "OneStage.h"
#include "Recognition/Loops/DeviceFunctions.h"
#include "Support/PlaceOf.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The loop of a body that begins on a line, or null.
const Stmt *loopOnLine(const FunctionDecl *Body, const Place &At,
                       const SourceManager &SM) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Place &At;
    const SourceManager &SM;
    const Stmt *Found = nullptr;
    Finder(const Place &At, const SourceManager &SM) : At(At), SM(SM) {}
    bool VisitStmt(const Stmt *S) override {
      if (isa<ForStmt, WhileStmt, DoStmt>(S) &&
          sameLine(placeOf(S->getBeginLoc(), SM), At))
        Found = S;
      return !Found;
    }
  } F(At, SM);
  F.TraverseStmt(Body->getBody());
  return F.Found;
}

class RestagedUnit {
public:
  RestagedUnit(ASTContext &Context, const TransformOptions &Options)
      : SM(Context.getSourceManager()), Code(Context), Files(Context),
        Functions(deviceFunctions(Context, Options)) {}

  Restaging run(llvm::ArrayRef<Place> Loops) {
    for (const Place &At : Loops)
      loop(At);
    tooling::AtomicChange Change(SM,
                                 SM.getLocForStartOfFile(SM.getMainFileID()));
    for (const Edit &E : Edits)
      if (llvm::Error Clash = Change.replace(
              SM, SM.getComposedLoc(SM.getMainFileID(), E.Offset), E.Length,
              E.Text)) {
        llvm::consumeError(std::move(Clash));
        for (const Place &At : Out.Loops)
          Out.Kept.push_back({At, {msg::edits_clash}, At});
        Out.Loops.clear();
        return std::move(Out);
      }
    if (!Edits.empty())
      Out.Changes.push_back(std::move(Change));
    return std::move(Out);
  }

private:
  const SourceManager &SM;
  AsyncCode Code;
  FileTexts Files;
  std::vector<DeviceFunction> Functions;
  std::set<Edit> Edits;
  Restaging Out;

  void loop(const Place &At) {
    std::optional<std::set<Edit>> All;
    NotStaged No{nullptr, {msg::proof_kernel}};
    for (const DeviceFunction &F : Functions)
      for (const FunctionDecl *Body : F.Bodies) {
        const Stmt *Loop = loopOnLine(Body, At, SM);
        const AsyncOps *Ops = Loop ? Code.of(Body) : nullptr;
        if (!Ops || Files.fileOf(F.Written) != SM.getMainFileID())
          continue;
        auto One = asOneStage(Body, Loop, *Ops, Code,
                              Files.of(SM.getMainFileID()).Source, No);
        if (One && All && *All != *One)
          No = {Loop, {msg::restage_instances}};
        if (!One || (All && *All != *One))
          return keep(At, No);
        All = std::move(One);
      }
    if (!All)
      return keep(At, No);
    Edits.insert(All->begin(), All->end());
    Out.Loops.push_back(At);
  }

  void keep(const Place &At, const NotStaged &No) {
    Out.Kept.push_back(
        {At, No.Why, No.At ? placeOf(No.At->getBeginLoc(), SM) : At});
  }
};

} // namespace

Restaging restageLoops(ASTContext &Author, const TransformOptions &Options,
                       llvm::ArrayRef<Place> Loops) {
  return RestagedUnit(Author, Options).run(Loops);
}

} // namespace kpipe
