// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of loops that are not analysed any further.
#ifndef KPIPE_RECOGNITION_UNREADABLECODE_H
#define KPIPE_RECOGNITION_UNREADABLECODE_H

#include "Code/Effects.h"
#include "LoopFacts.h"
#include <optional>

namespace kpipe {

/// What does not parse, or a statement without the parts that others of its kind
/// have, such as `if consteval`; nothing if there is none.
std::optional<Obstacle> whyUnreadable(const Effects &Body);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_UNREADABLECODE_H
