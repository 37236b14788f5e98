// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commits and waits of a thread beside the copies of a turn. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_RESTAGED_TURNWAITS_H
#define KPIPE_LIB_VALIDATION_RESTAGED_TURNWAITS_H

#include "BufferRuns.h"
#include "Validation/Trees/Addresses.h"

namespace kpipe {

/// Statements without the commits and waits at their end, which are added to
/// Behind.
TreeList withoutWaits(const TreeList &All, const Frame &F,
                      std::vector<BufferEvent> &Behind);
/// Is a branch nothing but commits and waits?
bool waitsAlone(const Tree &Branch, const Frame &F,
                std::vector<BufferEvent> &To);
/// Does a commit end the statements? One in front of a copy does not cover it.
bool endsWithCommit(const TreeList &S, const Frame &F);
/// Adds events of turns that another one follows, or of the last turn.
void addTo(std::vector<BufferEvent> &To, llvm::ArrayRef<BufferEvent> Some,
           bool IfMore);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_RESTAGED_TURNWAITS_H
