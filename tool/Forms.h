// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form that kpipe can give to the loops of a file: what is legal, each
// text once. It must not know how forms are measured.
#ifndef KPIPE_TOOL_FORMS_H
#define KPIPE_TOOL_FORMS_H

#include "Session.h"

namespace kpipe {

/// One form of a loop, unlike its others.
struct PossibleForm {
  LoopForm Form;
  /// As it comes out: "registers", "cp.async" or "mixed".
  std::string Variant;
  /// Buffers per staged array.
  unsigned Stages = 0;
  /// kpipe makes this one when nothing is asked.
  bool Planned = false;
};

/// A loop that can be pipelined.
struct TunableLoop {
  LoopKey Key;
  Place Where;
  /// In the order in which they are asked for, simple ones first; never empty.
  std::vector<PossibleForm> Forms;
};

/// \param Unit the parsed file, as processUnit gives it.
/// \param MostStages that are asked for, from 1.
std::vector<TunableLoop> findForms(UnitResult &Unit, const FileRequest &Request,
                                   unsigned MostStages);

} // namespace kpipe

#endif // KPIPE_TOOL_FORMS_H
