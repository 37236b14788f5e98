// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the words of a directive ask for.
#ifndef KPIPE_OPTIONS_DIRECTIVEWORDS_H
#define KPIPE_OPTIONS_DIRECTIVEWORDS_H

#include "kpipe/LoopForm.h"
#include "kpipe/Message.h"
#include <string>
#include <vector>

namespace kpipe {

struct DirectiveWords {
  bool Off = false;
  /// Written by kpipe itself above a loop that it pipelined.
  bool Pipelined = false;
  bool AssumeNoAlias = false;
  /// The run's files hold all instances of a header's template.
  bool AssumeAllInstances = false;
  LoopForm Form;

  /// Adds what one word asks for: `off`, `stages=3`, `pad`. False, with nothing
  /// added, if it is no directive.
  bool add(llvm::StringRef Word);
};

/// The words of a directive, each with its place in Line; blanks may stand
/// around a `=`.
struct PlacedWord {
  size_t At = 0;
  std::string Text;
};
std::vector<PlacedWord> placedWords(llvm::StringRef Line);

/// Why add() does not take a word, with what it may be meant to be.
Message whyNoDirective(llvm::StringRef Word);

/// A loop's directives over its kernel's.
DirectiveWords overlay(const DirectiveWords &Kernel,
                       const DirectiveWords &Loop);

} // namespace kpipe

#endif // KPIPE_OPTIONS_DIRECTIVEWORDS_H
