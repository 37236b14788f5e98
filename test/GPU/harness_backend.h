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

namespace harness::backend {

inline void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(2);
}

/// Cases and buffers are lists: containers would be most of what is compiled.
struct Case {
  const char *Name;
  void (*Body)();
  Case *Next;
};
struct Buffer {
  void *Device;
  char *Name;
  std::size_t Bytes;
  Buffer *Next;
};
struct State {
  Case *Cases = nullptr, **End = &Cases;
  Buffer *Buffers = nullptr;
  const char *Case = "";
  char Label[64] = "";
};
inline State &state() {
  static State S;
  return S;
}

inline unsigned stages() {
  const char *S = std::getenv("KPIPE_STAGES");
  return S ? unsigned(std::atoi(S)) : 2;
}
inline void label(const char *Label) {
  std::snprintf(state().Label, sizeof state().Label, "%s", Label);
}

inline void *allocate(const char *Name, std::size_t Bytes) {
  void *Device = nullptr;
  check(cudaMalloc(&Device, Bytes ? Bytes : 16), "cudaMalloc");
  char *Copy = new char[std::strlen(Name) + 1];
  std::strcpy(Copy, Name);
  state().Buffers = new Buffer{Device, Copy, Bytes, state().Buffers};
  return Device;
}
inline void fill(void *Device, const void *Host, std::size_t Bytes) {
  check(cudaMemcpy(Device, Host, Bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}
inline void release(void *Device) {
  Buffer **At = &state().Buffers;
  while ((*At)->Device != Device)
    At = &(*At)->Next;
  Buffer *B = *At;
  *At = B->Next;
  unsigned char *Host = new unsigned char[B->Bytes];
  check(cudaMemcpy(Host, Device, B->Bytes, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  unsigned long long Hash = 14695981039346656037ull; // FNV-1a
  for (std::size_t I = 0; I < B->Bytes; ++I)
    Hash = (Hash ^ Host[I]) * 1099511628211ull;
  std::printf("%s%s%s: %s %zu %016llx\n", state().Case,
              *state().Label ? ", " : "", state().Label, B->Name, B->Bytes,
              Hash);
  check(cudaFree(Device), "cudaFree");
  delete[] Host;
  delete[] B->Name;
  delete B;
}
inline void registerCase(const char *Name, void (*Body)()) {
  *state().End = new Case{Name, Body, nullptr};
  state().End = &(*state().End)->Next;
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
  for (auto *C = harness::backend::state().Cases; C; C = C->Next) {
    if (Only && !std::strstr(C->Name, Only))
      continue;
    harness::backend::state().Case = C->Name;
    harness::backend::label("");
    C->Body();
  }
}
