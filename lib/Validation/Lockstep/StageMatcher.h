// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staged arrays and views in the lockstep. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_STAGEMATCHER_H
#define KPIPE_LIB_VALIDATION_STAGEMATCHER_H

#include "Matcher.h"

namespace kpipe {

class StageMatcher {
public:
  explicit StageMatcher(Matcher &M) : M(M) {}

  /// Fills Matcher::PaddedTypes.
  void findPaddedTypes();

  // Nodes that stand for a stage or for a padded row; nothing for all others.
  std::optional<bool> matchStaged(const Tree &A, const Tree &O);
  std::optional<bool> matchView(const Tree &A, const Tree &O);
  std::optional<bool> matchStride(const Tree &A, const Tree &O);

  /// What all stages of an array are called, or its own name.
  std::string nameOfStages(const Tree &A, const DeclaredLoop &L) const;
  bool bindStaged(const Tree &A, const Tree &O, const DeclaredLoop &L);
  /// A reference to a stage, declared where one is known.
  bool bindReference(const DeclaredLoop &L, const Tree &O);

  /// The name that an array keeps for its first stage, of which views are made.
  bool bindFirstStage(const Tree &O);
  /// `auto &xs = xs_stages[0];`, of which sizes of registers are made.
  bool isFirstStage(const Tree &O, const DeclaredLoop &L) const;

private:
  Matcher &M;

  const Tree *indexOfStage(const Tree &O, const clang::Decl *Array) const;
  bool isDistance(const Tree &O, const DeclaredLoop &L,
                  const DeclaredLoop::StagedVar &N) const;
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_STAGEMATCHER_H
