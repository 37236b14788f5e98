// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form that kpipe can give to the loops of a file: what is legal, each
// text once. It must not know how forms are measured.
#ifndef KPIPE_TOOL_TUNE_CANDIDATES_H
#define KPIPE_TOOL_TUNE_CANDIDATES_H

#include "options/Profile.h"
#include "rewrite/Session.h"

namespace kpipe {

/// A loop that can be pipelined.
struct TunableLoop {
  LoopKey Key;
  Place Where;
  /// In the order in which they are asked for, simple ones first; never empty.
  std::vector<MadeForm> Forms;
};

/// \param Unit the parsed file, as processUnit gives it.
/// \param MostStages that are asked for, from 1.
std::vector<TunableLoop> findForms(UnitResult &Unit, const FileRequest &Request,
                                   unsigned MostStages);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_CANDIDATES_H
