// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeaderLoops.h"
#include "Recognition/Loops/DeviceFunctions.h"
#include "Support/PlaceOf.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace kpipe {

void countLoopsInHeaders(ASTContext &Context, const TransformOptions &Options,
                         const CallIndex &Calls, UnitOutcome &Out) {
  const SourceManager &SM = Context.getSourceManager();
  TransformOptions Everywhere = Options;
  Everywhere.HeaderFilter = ".";
  for (const DeviceFunction &F : deviceFunctions(Context, Everywhere)) {
    SourceLocation At = SM.getExpansionLoc(F.Written->getLocation());
    if (SM.isInMainFile(At) || F.Bodies.empty())
      continue;
    const std::vector<WrittenLoop> Loops =
        writtenLoops(F, Context, Calls,
                     [](const FunctionDecl *) { return KnownBlock(); },
                     [](const CandidateLoop &) { return false; });
    if (Loops.empty())
      continue;
    Out.LoopsInHeaders += Loops.size();
    Out.TilesInHeaders += !llvm::all_of(Loops, loadsNoTile);
    std::string Name = llvm::sys::path::filename(SM.getFilename(At)).str();
    if (!llvm::is_contained(Out.HeadersWithLoops, Name))
      Out.HeadersWithLoops.push_back(std::move(Name));
  }
}

void nameOtherKernels(ASTContext &Context, const TransformOptions &Options,
                      UnitOutcome &Out) {
  if (Options.KernelRegex.empty())
    return;
  Out.NoKernelMatches = true;
  TransformOptions All = Options;
  All.KernelRegex.clear();
  All.HeaderFilter = ".";
  for (const DeviceFunction &F : deviceFunctions(Context, All))
    if (F.Written->hasAttr<CUDAGlobalAttr>())
      Out.OtherKernels.push_back(F.Written->getQualifiedNameAsString());
}

void describeHeaderFunctions(llvm::ArrayRef<DeviceFunction> Functions,
                             const SourceManager &SM, UnitOutcome &Out) {
  for (const DeviceFunction &F : Functions) {
    if (SM.isInMainFile(SM.getExpansionLoc(F.Written->getLocation())))
      continue;
    const Place First = placeOf(F.Written->getBeginLoc(), SM);
    HeaderFunction H{First.File, First.Line,
                     placeOf(F.Written->getEndLoc(), SM).Line,
                     !F.Bodies.empty(), {}};
    auto addLoops = [&](auto &Self, const Stmt *S) -> void {
      if (!S)
        return;
      if (isa<ForStmt, WhileStmt, DoStmt>(S))
        H.LoopLines.insert(placeOf(S->getBeginLoc(), SM).Line);
      for (const Stmt *Kid : S->children())
        Self(Self, Kid);
    };
    addLoops(addLoops, F.Written->getBody());
    for (const FunctionDecl *Body : F.Bodies)
      addLoops(addLoops, Body->getBody());
    Out.HeaderFunctions.push_back(std::move(H));
  }
}

} // namespace kpipe
