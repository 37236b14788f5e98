// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the clones of a helper go: behind the original, or, where that is in
// another file, in front of the first function of the loop's file that calls
// it.
#ifndef KPIPE_EMISSION_HELPERPLACE_H
#define KPIPE_EMISSION_HELPERPLACE_H

#include "SourceTexts.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"

namespace kpipe {

struct ClonePlace {
  unsigned Offset = 0; ///< in the loop's file
  /// The clones stand behind what they are made of, in its own scope.
  bool Behind = false;
  /// Lines that open and close the helper's namespaces where the place is
  /// outside of them, so that every name means what it meant.
  std::string Open, Close;
  std::string Indent;      ///< of the declaration behind
  bool AfterBlank = false; ///< a blank line is in front
};

/// \returns a Refusal where a helper of another file would not mean the same
/// here.
llvm::Expected<ClonePlace> clonePlace(const clang::FunctionDecl *Helper,
                                      SourceTexts &Texts);

/// Where a declaration begins with the comments and pragmas that stand right
/// above it.
unsigned beginWithComments(unsigned Declaration, const SourceText &Source);

/// The text of a helper with its template head.
Range wholeText(const clang::FunctionDecl *Helper, const SourceText &Its);

} // namespace kpipe

#endif // KPIPE_EMISSION_HELPERPLACE_H
