// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines between the threads of a block, and with its copy engine and tensor
// cores: rings of stages with a full and an empty barrier each, for kernels
// that are written by hand or warp-specialised. CUDA C++14 and newer, sm_80 on;
// TMA from sm_90 on, tcgen05 on sm_100a. Rewritten loops do not need it; see
// pipeline.h. docs/pipeline-classes.md has the contracts. Each header under
// async/ can be included alone.
#ifndef KPIPE_RUNTIME_PIPELINE_ASYNC_H
#define KPIPE_RUNTIME_PIPELINE_ASYNC_H

#include "async/arrivals.h"
#include "async/basic_pipeline.h"
#include "async/group.h"
#include "async/init_sync.h"
#include "async/participants.h"
#include "async/pipeline_start.h"
#include "async/pipeline_state.h"
#include "async/pipeline_state_simple.h"
#include "async/pipeline_storage.h"
#include "async/pipelines.h"
#include "async/ptx/cluster.h"
#include "async/ptx/copy_bulk.h"
#include "async/ptx/elect_one.h"
#include "async/ptx/fence.h"
#include "async/ptx/mbarrier.h"
#include "async/ptx/mbarrier_wait.h"
#include "async/ptx/named_barrier.h"
#include "async/ptx/set_registers.h"
#include "async/ptx/shared_address.h"
#include "async/ptx/tcgen05.h"
#include "async/thread_pipeline.h"
#include "async/token.h"

#endif // KPIPE_RUNTIME_PIPELINE_ASYNC_H
