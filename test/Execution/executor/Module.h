// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compiled program: a shared object with kernels, the cases of its harness
// and its section of shared memory, divided into arrays by the symbol table.
// Knows nothing of running it.
#pragma once

#include "SharedMemory.h"

#include <string>
#include <vector>

namespace kpipe::exec {

struct Case {
  std::string Name;
  void (*Body)();
};

class Module {
public:
  /// Loads the object at Path. On failure Error says why and the module is
  /// empty. Loaded modules stay loaded.
  bool load(const std::string &Path, std::string &Error);

  /// Offset of a return address into the object, as debug information counts.
  std::uint32_t offsetOf(const void *PC) const {
    return std::uint32_t(static_cast<const char *>(PC) - LoadBase);
  }

  std::string Path;
  std::vector<Case> Cases;
  std::vector<SharedArray> Arrays;
  char *SharedBegin = nullptr, *SharedEnd = nullptr;

  /// The module whose constructors are running, for registration.
  static Module *Loading;

private:
  bool readSymbols(std::string &Error);
  const char *LoadBase = nullptr;
};

} // namespace kpipe::exec
