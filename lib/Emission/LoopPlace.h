// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the author's loop stands in its file: the text that the pipeline takes
// the place of, its indentation, and the pragmas above it.
#ifndef KPIPE_EMISSION_LOOPPLACE_H
#define KPIPE_EMISSION_LOOPPLACE_H

#include "SourceText.h"
#include "kpipe/Plan.h"
#include "llvm/Support/Error.h"

namespace kpipe {

struct LoopPlace {
  Range Whole;        ///< with the pragmas above it
  std::string Indent; ///< of the loop
  std::string Unit;   ///< the step of indentation that the author uses in it
  /// Comment lines between the pragmas and the loop, without indentation.
  std::vector<std::string> Comments;
  /// The pragma lines that the plan keeps, each with its newline.
  std::string Pragma;
  bool AuthorUnrolls = false; ///< one of all the pragmas says how to unroll
};

/// Fails if the loop has an attribute that is no pragma.
llvm::Expected<LoopPlace> findLoopPlace(const TileLoop &Loop,
                                        const PipelinePlan &Plan,
                                        const SourceText &Source);

/// Text that is written line by line in the loop's place.
class Lines {
public:
  Lines(std::string Indent, std::string Unit)
      : Indent(std::move(Indent)), Unit(std::move(Unit)) {}

  /// One line at a depth below the loop's own indentation.
  void add(unsigned Depth, const llvm::Twine &Text);
  /// Whole lines as they are.
  void addText(llvm::StringRef Text) { Out += Text; }
  std::string indent(unsigned Depth) const;
  const std::string &text() const { return Out; }

private:
  std::string Indent, Unit, Out;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_LOOPPLACE_H
