// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The harness on a GPU: a program of its own that runs its file's cases and
// prints one line for each buffer, with a hash of its contents. Two programs
// are equal if they print the same. See Kernels/harness.h, which alone includes
// this. KPIPE_STAGES gives S, KPIPE_CASE a part of the names of cases to run.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace harness::backend {

inline void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(2);
}

struct State {
  std::vector<std::pair<std::string, void (*)()>> Cases;
  std::map<void *, std::pair<std::string, std::size_t>> Buffers;
  std::string Case, Label;
};
inline State &state() {
  static State S;
  return S;
}

inline unsigned stages() {
  const char *S = std::getenv("KPIPE_STAGES");
  return S ? unsigned(std::atoi(S)) : 2;
}
inline void label(const char *Label) { state().Label = Label; }

inline void *allocate(const char *Name, std::size_t Bytes) {
  void *Device = nullptr;
  check(cudaMalloc(&Device, Bytes ? Bytes : 16), "cudaMalloc");
  state().Buffers[Device] = {Name, Bytes};
  return Device;
}
inline void fill(void *Device, const void *Host, std::size_t Bytes) {
  check(cudaMemcpy(Device, Host, Bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}
inline void release(void *Device) {
  auto [Name, Bytes] = state().Buffers[Device];
  state().Buffers.erase(Device);
  std::vector<unsigned char> Host(Bytes);
  check(cudaMemcpy(Host.data(), Device, Bytes, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  unsigned long long Hash = 14695981039346656037ull; // FNV-1a
  for (unsigned char Byte : Host)
    Hash = (Hash ^ Byte) * 1099511628211ull;
  std::printf("%s%s%s: %s %zu %016llx\n", state().Case.c_str(),
              state().Label.empty() ? "" : ", ", state().Label.c_str(),
              Name.c_str(), Bytes, Hash);
  check(cudaFree(Device), "cudaFree");
}
inline void registerCase(const char *Name, void (*Body)()) {
  state().Cases.push_back({Name, Body});
}

template <typename... Params>
void launch(dim3 Grid, dim3 Block, std::size_t Shared,
            void (*Kernel)(Params...), Params... Arguments) {
  if (Shared > 48 * 1024)
    check(cudaFuncSetAttribute(Kernel,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(Shared)),
          "cudaFuncSetAttribute");
  Kernel<<<Grid, Block, Shared>>>(Arguments...);
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
}

} // namespace harness::backend

int main() {
  const char *Only = std::getenv("KPIPE_CASE");
  for (auto &[Name, Body] : harness::backend::state().Cases) {
    if (Only && Name.find(Only) == std::string::npos)
      continue;
    harness::backend::state().Case = Name;
    harness::backend::state().Label.clear();
    Body();
  }
}
