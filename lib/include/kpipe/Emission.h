// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission: the text edits that turn one tile loop into the pipeline of a plan.
// Knows neither why the plan was chosen nor any architecture.
#ifndef KPIPE_EMISSION_H
#define KPIPE_EMISSION_H

#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// Replaces Length bytes at Offset of the file that holds the loop.
struct TextEdit {
  unsigned Offset = 0, Length = 0;
  std::string Text;
};

struct EmittedLoop {
  clang::FileID File;
  std::vector<TextEdit> Edits; ///< sorted, without overlap
  /// Primitives of the runtime header that the edits mention, sorted.
  std::vector<std::string> Primitives;
};

/// kpipe contradicts itself: nothing may be written, and the user is asked to
/// report it.
class InternalError : public llvm::ErrorInfo<InternalError> {
public:
  static char ID;
  explicit InternalError(std::string What) : What(std::move(What)) {}
  void log(llvm::raw_ostream &OS) const override { OS << What; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string What;
};

/// Writes the pipeline. Fails with the reason if a part of the loop that has to
/// change is spelled in a macro's own text, and with an InternalError if the
/// schedule that is to be written does not hold what it must.
llvm::Expected<EmittedLoop> emitPipeline(const TileLoop &Loop,
                                         const PipelinePlan &Plan,
                                         const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_EMISSION_H
