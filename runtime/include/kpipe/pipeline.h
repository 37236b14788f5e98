// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the output of kpipe needs, and all it needs: primitives for
// software-pipelined loops that stage tiles in shared memory. Each header here
// holds one primitive, includes nothing and can be used alone. CUDA C++14 and
// newer, with nvcc or with Clang; correct, if synchronous, below sm_80. Names
// that emitted code does not call are reserved ones (_Tp, __bytes): no macro of
// the user's can mean them.
#ifndef KPIPE_RUNTIME_PIPELINE_H
#define KPIPE_RUNTIME_PIPELINE_H

#include "advance_bytes.h"
#include "bytes_per_stage.h"
#include "ceil_div.h"
#include "commit.h"
#include "copy_async.h"
#include "copy_async_zfill.h"
#include "expect_tile.h"
#include "fence_proxy_async.h"
#include "free_stage.h"
#include "give_registers.h"
#include "init_full.h"
#include "load_box.h"
#include "load_row.h"
#include "matrix_wait.h"
#include "next_stage.h"
#include "opt_in_shared.h"
#include "previous_stage.h"
#include "release_tile.h"
#include "staged_bytes.h"
#include "start_stages.h"
#include "swizzled.h"
#include "sync_threads.h"
#include "take_registers.h"
#include "to_all_stages.h"
#include "to_first_stage.h"
#include "trip_count.h"
#include "wait_empty.h"
#include "wait_full.h"
#include "wait_prior.h"
#include "with_producer.h"

#endif // KPIPE_RUNTIME_PIPELINE_H
