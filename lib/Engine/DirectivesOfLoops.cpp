// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives and their mistakes, see DirectivesOfLoops.h.
#include "DirectivesOfLoops.h"
#include "Diagnostics.h"
#include "Legality/StrayDirectives.h"
#include "Support/PlaceOf.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

Directives DirectivesOfLoops::of(const CandidateLoop &C) const {
  return merge(directivesOf(C.Function, Context),
               directivesAbove(C.Loop->getBeginLoc(), Context));
}

void DirectivesOfLoops::reportUnknown(const Directives &Asked) {
  for (const Directives::Unknown &U : Asked.NotUnderstood)
    report(U.Where, U.Why);
}

void DirectivesOfLoops::findStray(llvm::ArrayRef<DeviceFunction> Functions) {
  const SourceManager &SM = Context.getSourceManager();
  std::set<FileID> Looked{SM.getMainFileID()};
  for (const DeviceFunction &F : Functions)
    Looked.insert(SM.getFileID(SM.getExpansionLoc(F.Written->getLocation())));
  for (FileID File : Looked)
    for (StrayDirective &S : strayDirectives(File, Context, Skipped))
      report(S.Where, std::move(S.Why));
}

/// Once: a kernel's directive is read for each of its loops.
void DirectivesOfLoops::report(SourceLocation Where, Message What) {
  Diagnostic D =
      about(RuleId::Directive, placeOf(Where, Context.getSourceManager()),
            std::move(What));
  if (Said.insert({D.Where.File, D.Where.Line, D.What.str()}).second)
    Out.push_back(std::move(D));
}

} // namespace kpipe
