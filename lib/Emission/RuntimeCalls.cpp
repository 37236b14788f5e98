// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the runtime's primitives, see RuntimeCalls.h.
#include "RuntimeCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace kpipe {

static const char *nameOf(Primitive P) {
  switch (P) {
  case Primitive::AdvanceBytes:
    return "advance_bytes";
  case Primitive::BytesPerStage:
    return "bytes_per_stage";
  case Primitive::CeilDiv:
    return "ceil_div";
  case Primitive::Commit:
    return "commit";
  case Primitive::CopyAsync:
    return "copy_async";
  case Primitive::CopyAsyncZfill:
    return "copy_async_zfill";
  case Primitive::FenceProxyAsync:
    return "fence_proxy_async";
  case Primitive::FreeStage:
    return "free_stage";
  case Primitive::GiveRegisters:
    return "give_registers";
  case Primitive::MatrixWait:
    return "matrix_wait";
  case Primitive::NextStage:
    return "next_stage";
  case Primitive::OptInShared:
    return "opt_in_shared";
  case Primitive::PreviousStage:
    return "previous_stage";
  case Primitive::ReleaseTile:
    return "release_tile";
  case Primitive::StagedBytes:
    return "staged_bytes";
  case Primitive::StartStages:
    return "start_stages";
  case Primitive::SyncThreads:
    return "sync_threads";
  case Primitive::TakeRegisters:
    return "take_registers";
  case Primitive::ToAllStages:
    return "to_all_stages";
  case Primitive::ToFirstStage:
    return "to_first_stage";
  case Primitive::WaitEmpty:
    return "wait_empty";
  case Primitive::WaitFull:
    return "wait_full";
  case Primitive::WaitPrior:
    return "wait_prior";
  case Primitive::WithProducer:
    return "with_producer";
  }
  llvm_unreachable("a primitive without a name");
}

std::string RuntimeCalls::to(Primitive P) {
  Called.insert(P);
  return std::string("kpipe::") + nameOf(P);
}

std::vector<std::string> RuntimeCalls::names() const {
  std::vector<std::string> Names;
  for (Primitive P : Called)
    Names.push_back(nameOf(P));
  llvm::sort(Names);
  return Names;
}

} // namespace kpipe
