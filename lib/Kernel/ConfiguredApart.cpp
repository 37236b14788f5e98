// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConfiguredApart.h"
#include "LaunchConfigs.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

void keepConfiguredApart(llvm::ArrayRef<const Launch *> Launches,
                         const LaunchIndex &Index, const FunctionDecl *Written,
                         const ASTContext &Context, DynamicSharedGrowth &R) {
  auto Set = Index.Settings.find(Written->getCanonicalDecl());
  unsigned Raised = 0;
  // Instances of a host template share their texts.
  llvm::DenseSet<SourceLocation> Limits, Texts;
  if (Set != Index.Settings.end())
    for (const KernelSetting &S : Set->second)
      if (S.MostBytes)
        Limits.insert(S.Kernel->getLocation());
  for (const LaunchBytes &B : R.Counts) {
    Raised += !B.Kernel && B.Count;
    if (B.Kernel)
      Texts.insert(B.Kernel->getLocation());
  }
  for (const Launch *L : Launches)
    if (L->Configured && R.NotOptingIn.empty() &&
        (Texts.size() != 1 || Limits.size() != Raised ||
         !meansTheSameAbove(L->Kernel ? L->Kernel : L->Holder, L->Bytes,
                            Context))) {
      R.NotOptingIn = {
          msg::launch_is_configured_apart,
          Context.getSourceManager().getExpansionLineNumber(L->Where)};
      R.OptInCure = msg::launch_by_chevrons;
    }
}

} // namespace kpipe
