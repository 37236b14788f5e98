// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row begins, in shared and in global memory, as text in the loop.
#ifndef KPIPE_TMA_ROWTEXT_H
#define KPIPE_TMA_ROWTEXT_H

#include "Boxes/Offsets.h"
#include "Emission/SourceText.h"
#include "kpipe/Message.h"

namespace kpipe {

class RowText {
public:
  RowText(const LoopFacts &Facts, Offsets &At, const SourceText &Source)
      : Facts(Facts), At(At), Source(Source) {}

  /// `As[3][0]`. Nothing, with Why, where no element begins there.
  std::optional<std::string> shared(const clang::VarDecl *Array,
                                    uint64_t Bytes);
  /// `&A[3LL * n + k0]`, computed in 64 bits, and converted to As if that is no
  /// empty name. Nothing, with Why, where that cannot be written.
  std::optional<std::string> global(unsigned Base, const Polynomial &Bytes,
                                    llvm::StringRef As);
  Message Why;

private:
  const LoopFacts &Facts;
  Offsets &At;
  const SourceText &Source;

  std::optional<std::string> no(Message M) {
    Why = std::move(M);
    return std::nullopt;
  }
  std::optional<std::string> index(const Polynomial &Elements);
};

} // namespace kpipe

#endif // KPIPE_TMA_ROWTEXT_H
