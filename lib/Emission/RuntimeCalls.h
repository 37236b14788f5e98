// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primitives of the runtime header that emitted text calls, noted where the
// call is written: a file includes, or is given, what its text uses.
#ifndef KPIPE_EMISSION_RUNTIMECALLS_H
#define KPIPE_EMISSION_RUNTIMECALLS_H

#include <set>
#include <string>
#include <vector>

namespace kpipe {

/// The functions of <kpipe/pipeline.h> that emission calls.
enum class Primitive {
  AdvanceBytes,
  BytesPerStage,
  CeilDiv,
  Commit,
  CopyAsync,
  CopyAsyncZfill,
  FenceProxyAsync,
  FreeStage,
  GiveRegisters,
  NextStage,
  OptInShared,
  MatrixWait,
  PreviousStage,
  ReleaseTile,
  StagedBytes,
  StartStages,
  SyncThreads,
  TakeRegisters,
  ToAllStages,
  ToFirstStage,
  WaitEmpty,
  WaitFull,
  WaitPrior,
  WithProducer
};

class RuntimeCalls {
public:
  /// How a call begins, `kpipe::copy_async`, for text that is emitted.
  std::string to(Primitive P);
  /// The names of what was called, without namespace, sorted.
  std::vector<std::string> names() const;

private:
  std::set<Primitive> Called;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_RUNTIMECALLS_H
