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
  llvm::DenseSet<SourceLocation> Limits, Texts, Counts;
  llvm::DenseSet<const Decl *> Named;
  if (Set != Index.Settings.end())
    for (const KernelSetting &S : Set->second)
      if (S.MostBytes)
        Limits.insert(S.Kernel->getLocation());
  for (const LaunchBytes &B : R.Counts) {
    Raised += !B.Kernel && B.Count;
    if (!B.Kernel)
      continue;
    Texts.insert(B.Kernel->getLocation());
    Counts.insert(B.Count->getBeginLoc());
    Named.insert(B.Kernel->getDecl());
  }
  // Several launches by one configuration, of one kernel by its name.
  const bool Once =
      Texts.size() == 1 || (Counts.size() == 1 && Named.size() == 1);
  for (const Launch *L : Launches)
    if (L->Configured && R.NotOptingIn.empty() &&
        (!Once || Limits.size() != Raised ||
         !meansTheSameAbove(L->Kernel ? L->Kernel : L->Holder, L->Bytes,
                            Context))) {
      R.NotOptingIn = {
          msg::launch_is_configured_apart,
          Context.getSourceManager().getExpansionLineNumber(L->Where)};
      R.OptInCure = msg::launch_by_chevrons;
    }
}

} // namespace kpipe
