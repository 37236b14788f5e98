// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of an array by their distance from its beginning, whatever names
// them: `xs[r][c]`, `(&xs[0][0])[i]`, `reinterpret_cast<float4 *>(xs)[i]`, or a
// pointer that has been made of one of these.
#ifndef KPIPE_RECOGNITION_FLATPLACES_H
#define KPIPE_RECOGNITION_FLATPLACES_H

#include "Code/Values.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// The sum of indices, each so many elements far, and how many elements are
/// named at once: 0 if that is not known.
struct FlatPlace {
  llvm::SmallVector<std::pair<const clang::Expr *, int64_t>, 4> Parts;
  int64_t Width = 0;
};

class FlatPlaces {
public:
  FlatPlaces(const clang::VarDecl *Array, const clang::ASTContext &Context);

  FlatPlace of(const clang::Expr *Place);
  /// Is V a local pointer to a constant place of the array, for good?
  bool isName(const clang::VarDecl *V);
  /// How many elements the array has; 0 if nobody knows.
  int64_t elements() const { return Elements; }

private:
  const clang::VarDecl *Array;
  const clang::ASTContext &Context;
  Values Known;
  clang::QualType Element;
  int64_t Elements = 0;
  unsigned Depth = 0;

  int64_t widthOf(clang::QualType T) const;
  bool lvalue(const clang::Expr *E, FlatPlace &To);
  bool pointer(const clang::Expr *E, FlatPlace &To);
  bool isConstant(const FlatPlace &P);
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_FLATPLACES_H
