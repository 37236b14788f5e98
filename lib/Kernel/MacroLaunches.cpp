// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch can be edited if all of it is one argument of the macro, see
// MacroLaunches.h.
#include "MacroLaunches.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

/// Does a macro bring the text there? What it is given stands in the file, and
/// is edited once however often it is used.
static bool isOfMacro(SourceLocation At, const SourceManager &SM) {
  for (; At.isMacroID(); At = SM.getImmediateSpellingLoc(At))
    if (!SM.isMacroArgExpansion(At))
      return true;
  return false;
}

/// Is Other given to the same macros as At, as a part of the same argument? The
/// bytes alone, or the kernel's name, may mean something else there as well.
static bool isGivenWith(SourceLocation At, SourceLocation Other,
                        const SourceManager &SM) {
  for (; At.isMacroID(); At = SM.getImmediateSpellingLoc(At),
                         Other = SM.getImmediateSpellingLoc(Other))
    if (!Other.isMacroID() || !SM.isMacroArgExpansion(Other) ||
        SM.getImmediateExpansionRange(At).getBegin() !=
            SM.getImmediateExpansionRange(Other).getBegin())
      return false;
  return true;
}

bool isMadeByMacro(const Launch &L, const SourceManager &SM) {
  const SourceLocation Kernel = (L.Kernel ? L.Kernel : L.Holder)->getLocation();
  if (isOfMacro(Kernel, SM) ||
      (L.Bytes && L.Bytes->getBeginLoc().isMacroID() &&
       !isGivenWith(Kernel, L.Bytes->getBeginLoc(), SM)))
    return true;
  return L.Call && (isOfMacro(L.Call->getBeginLoc(), SM) ||
                    isOfMacro(L.Call->getEndLoc(), SM) ||
                    !isGivenWith(Kernel, L.Call->getBeginLoc(), SM) ||
                    !isGivenWith(Kernel, L.Call->getEndLoc(), SM));
}

bool launchesAnother(const Launch &L, const FunctionDecl *Written,
                     const LaunchIndex &Index, const SourceManager &SM) {
  if (!L.Kernel || !L.Kernel->getLocation().isMacroID())
    return false;
  const SourceLocation Text = SM.getFileLoc(L.Kernel->getLocation());
  for (const auto &[Launched, All] : Index.Of)
    if (writtenKernel(Launched) != Written)
      for (const Launch &Other : All)
        if (Other.Kernel && SM.getFileLoc(Other.Kernel->getLocation()) == Text)
          return true;
  return false;
}

} // namespace kpipe
