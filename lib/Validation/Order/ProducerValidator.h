// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do the threads of a producer's warp leave alone, in front of the loop, what the
// author's threads work on? Asked of the validators' own accesses.
#ifndef KPIPE_VALIDATION_PRODUCERVALIDATOR_H
#define KPIPE_VALIDATION_PRODUCERVALIDATOR_H

#include "OrderViolation.h"
#include "Validation/Storage/CodeIndex.h"
#include "kpipe/Plan.h"
#include <optional>

namespace kpipe {

/// \returns a statement that they would run and that others notice.
std::optional<OrderViolation> findProducersWork(const TileLoop &Loop,
                                                const PipelinePlan &Plan,
                                                const CodeIndex &Index);

} // namespace kpipe

#endif // KPIPE_VALIDATION_PRODUCERVALIDATOR_H
