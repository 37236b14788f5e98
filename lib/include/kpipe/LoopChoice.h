// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form that one loop is to get, and the name under which the loop is found
// again: in another run, in another checkout, after its file has grown. Nothing
// here knows how a form was chosen or where choices are kept.
#ifndef KPIPE_LOOPCHOICE_H
#define KPIPE_LOOPCHOICE_H

#include "kpipe/LoopForm.h"
#include <string>

namespace kpipe {

/// What is left in a loop, to measure what it would take at least. Only the
/// whole loop computes what the input did.
enum class LoopPart {
  All,
  Loads,  ///< the tiles are loaded, and nothing is computed on them
  Compute ///< the first tile is loaded and computed on again and again
};

/// A loop, named so that neither paths nor line numbers matter.
struct LoopKey {
  /// Qualified name of the function that holds it, without template arguments.
  std::string Function;
  /// Its place among the function's loops with a block barrier, from 1.
  unsigned Ordinal = 0;
  /// Hash of its text, in which any white space is one blank: 16 hexadecimal
  /// digits.
  std::string Text;

  bool operator==(const LoopKey &O) const {
    return Function == O.Function && Ordinal == O.Ordinal && Text == O.Text;
  }
};

/// What was chosen for one loop.
struct ChosenForm {
  /// The loop is left as it is; the rest does not matter.
  bool Original = false;
  LoopForm Form;
  LoopPart Part = LoopPart::All;

  static ChosenForm original() {
    ChosenForm F;
    F.Original = true;
    return F;
  }

  bool operator==(const ChosenForm &O) const {
    return Original == O.Original && Form == O.Form && Part == O.Part;
  }
};

/// A loop's form on one architecture.
struct LoopChoice {
  LoopKey Loop;
  std::string Arch; ///< "sm_86" form
  ChosenForm Chosen;
};

} // namespace kpipe

#endif // KPIPE_LOOPCHOICE_H
