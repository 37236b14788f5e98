// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that a loop is taken from: its own file, and those of the helpers
// that it calls.
#ifndef KPIPE_EMISSION_SOURCETEXTS_H
#define KPIPE_EMISSION_SOURCETEXTS_H

#include "Code/AstUtils.h"
#include "SourceText.h"
#include "clang/AST/Decl.h"
#include <map>

namespace kpipe {

/// Where the clones of a helper have their tile among the parameters: behind
/// the last one that has no default.
inline unsigned tileParameter(const clang::FunctionDecl *Helper) {
  unsigned At = 0;
  for (const clang::ParmVarDecl *P : written(Helper)->parameters()) {
    if (P->hasDefaultArg() && !P->hasInheritedDefaultArg())
      break;
    ++At;
  }
  return At;
}

class SourceTexts {
public:
  /// \param Own of the loop; outlives this.
  explicit SourceTexts(const SourceText &Own) : Own(Own) {}
  SourceTexts(const SourceTexts &) = delete;

  const SourceText &own() const { return Own; }
  /// The text that a helper stands in; the loop's own for null.
  const SourceText &of(const clang::FunctionDecl *Helper);
  /// Does it stand in another file than the loop?
  bool isElsewhere(const clang::FunctionDecl *Helper) {
    return &of(Helper) != &Own;
  }

private:
  const SourceText &Own;
  std::map<clang::FileID, SourceText> Others;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_SOURCETEXTS_H
