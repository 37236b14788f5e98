// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's thread pool; its threads' stacks are too small to parse on, so each
// file gets a thread of its own from there.
#include "Parallel.h"
#include "CrashGuard.h"
#include "Progress.h"
#include "Waiting.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <optional>

namespace kpipe {
unsigned jobsFor(unsigned Asked, size_t Files) {
  unsigned Most = llvm::hardware_concurrency(Asked).compute_thread_count();
  return std::max<size_t>(1, std::min<size_t>(Asked ? Asked : Most, Files));
}

void forEachFile(llvm::ArrayRef<std::string> Files, unsigned Jobs,
                 llvm::function_ref<void(size_t)> Work) {
  std::optional<Waiting> Alone;
  if (Files.size() == 1)
    Alone.emplace(Files.front());
  Progress Shown(Files.size());
  if (Jobs == 1) {
    for (size_t I = 0; I != Files.size(); ++I) {
      Work(I);
      Shown.finished(Files[I]);
    }
    return;
  }
  llvm::ThreadPoolStrategy Strategy;
  Strategy.ThreadsRequested = Jobs;
  llvm::DefaultThreadPool Pool(Strategy);
  for (size_t I = 0; I != Files.size(); ++I)
    Pool.async([&, I] {
      runGuarded([&] {
        Work(I);
        return 0;
      });
      Shown.finished(Files[I]);
    });
  Pool.wait();
}

} // namespace kpipe
