// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop as a pipeline, in text.
#ifndef KPIPE_EMISSION_PIPELINEWRITER_H
#define KPIPE_EMISSION_PIPELINEWRITER_H

#include "Names.h"
#include "SourceText.h"
#include "kpipe/Emission.h"

namespace kpipe {

/// The edits that make Loop the pipeline of Plan.
/// \param Fresh where names come from that the file does not use yet.
/// \returns a Refusal where text cannot be moved, an InternalError where the
/// schedule is wrong.
llvm::Expected<EmittedLoop> writePipeline(const TileLoop &Loop,
                                          const PipelinePlan &Plan,
                                          const SourceText &Source,
                                          Names Fresh);

} // namespace kpipe

#endif // KPIPE_EMISSION_PIPELINEWRITER_H
