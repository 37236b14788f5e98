// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission: the text edits that turn one tile loop into the pipeline of a plan.
// Knows neither why the plan was chosen nor any architecture.
#ifndef KPIPE_EMISSION_H
#define KPIPE_EMISSION_H

#include "kpipe/Plan.h"
#include "kpipe/TextEdit.h"
#include "kpipe/TileLoop.h"
#include "kpipe/Timeline.h"
#include "kpipe/Validation.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace kpipe {

/// A clone of a helper function that the loop calls.
struct EmittedClone {
  std::vector<std::string> Names; ///< that it introduces
  std::string Text;               ///< of all its parts
  std::string Struct; ///< the first of them, if it is what one thread holds
  /// What it is a clone of, as written, where it stands behind that.
  const clang::FunctionDecl *Behind = nullptr;
};

struct EmittedLoop {
  clang::FileID File;
  std::vector<TextEdit> Edits; ///< sorted, without overlap
  std::vector<EmittedClone> Clones;
  /// Names that the loop declares beside its block, where others may do so.
  std::vector<std::string> Beside;
  /// Primitives of the runtime header that the edits mention, sorted.
  std::vector<std::string> Primitives;
  bool AuthorUnrolls = false; ///< a pragma of the author's is above the loop
  /// The schedule that the edits write, run for a few tiles.
  Timeline Run;
  /// What the edits are said to do, for the check of the result.
  DeclaredLoop Declared;
};

/// kpipe contradicts itself: nothing may be written, and the user is asked to
/// report it.
class InternalError : public llvm::ErrorInfo<InternalError> {
public:
  static char ID;
  explicit InternalError(Message What) : What(std::move(What)) {}
  void log(llvm::raw_ostream &OS) const override { OS << What; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  Message What;
};

/// Takes an InternalError out of an error that is one.
InternalError takeInternalError(llvm::Error Why);

/// Writes the pipelines of one translation unit, one loop after the other.
class Emitter {
public:
  explicit Emitter(const clang::ASTContext &Context) : Context(Context) {}

  /// Fails with the reason if a part of the loop that has to change is spelled
  /// in a macro's own text, and with an InternalError if the schedule that is
  /// to be written does not hold what it must.
  llvm::Expected<EmittedLoop> emit(const TileLoop &Loop,
                                   const PipelinePlan &Plan);

private:
  /// What is known of one file.
  struct File {
    llvm::StringSet<> Words; ///< names that mean something in it already
    /// What loops declare beside their blocks, by the function and the loop.
    std::map<unsigned, std::map<unsigned, std::vector<std::string>>> Beside;
  };
  const clang::ASTContext &Context;
  std::map<clang::FileID, File> Files;
  /// File and text of the clones of helper functions by each name: loops share
  /// a clone, or get one with a name of its own where theirs is different.
  llvm::StringMap<std::pair<clang::FileID, std::string>> Clones;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_H
