// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares kpipe's occupancy with that of the toolkit's cuda_occupancy.h, over
// a sweep of architectures, registers, shared memory and threads. The header
// brings no limits of devices with it, so both sides read kpipe's table; what
// is compared is the model, and those limits that the header does know (blocks
// per SM, granularities). Exits 0 if every point agrees.
//
// REQUIRES: cuda-toolkit
// RUN: %target-sweep-build %s -o %t
// RUN: %t | FileCheck %s
//
// CHECK: {{[1-9][0-9][0-9][0-9][0-9][0-9]*}} points compared, 0 differ
#include "kpipe/Target.h"
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <cuda_occupancy.h>
#include <vector>

static cudaOccDeviceProp deviceOf(const kpipe::ArchLimits &Arch) {
  cudaOccDeviceProp Device;
  Device.computeMajor = Arch.Major;
  Device.computeMinor = Arch.Minor;
  Device.maxThreadsPerBlock = kpipe::ArchLimits::ThreadsPerBlock;
  Device.maxThreadsPerMultiprocessor = Arch.ThreadsPerSM;
  Device.regsPerBlock = kpipe::ArchLimits::RegistersPerBlock;
  Device.regsPerMultiprocessor = kpipe::ArchLimits::RegistersPerSM;
  Device.warpSize = kpipe::ArchLimits::ThreadsPerWarp;
  Device.sharedMemPerBlock = kpipe::ArchLimits::StaticSharedPerBlock;
  Device.sharedMemPerMultiprocessor = Arch.SharedPerSM;
  Device.numSms = 1;
  Device.sharedMemPerBlockOptin = Arch.SharedPerBlockOptIn;
  Device.reservedSharedMemPerBlock = Arch.ReservedSharedPerBlock;
  return Device;
}

/// The resources that the header calls limiting, as a mask of kpipe's.
static bool names(unsigned Factors, kpipe::Limiter L) {
  switch (L) {
  case kpipe::Limiter::SharedMemory:
    return Factors & OCC_LIMIT_SHARED_MEMORY;
  case kpipe::Limiter::Registers:
    return Factors & OCC_LIMIT_REGISTERS;
  case kpipe::Limiter::Threads:
    return Factors & OCC_LIMIT_WARPS;
  case kpipe::Limiter::Blocks:
    return Factors & OCC_LIMIT_BLOCKS;
  }
  return false;
}

static bool sameLimit(std::optional<unsigned> Ours, int Theirs) {
  return Ours ? int(*Ours) == Theirs : Theirs == INT_MAX;
}

/// Compares one point; prints it if the two sides differ.
static bool agrees(const kpipe::ArchLimits &Arch,
                   const kpipe::LaunchShape &Launch) {
  cudaOccDeviceProp Device = deviceOf(Arch);
  cudaOccFuncAttributes Function;
  Function.maxThreadsPerBlock = INT_MAX;
  Function.numRegs = Launch.Registers.value_or(0);
  Function.sharedSizeBytes = Launch.StaticShared;
  Function.partitionedGCConfig = PARTITIONED_GC_OFF;
  Function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  Function.maxDynamicSharedSizeBytes = Launch.DynamicShared;
  Function.numBlockBarriers = 1;
  cudaOccDeviceState State;
  cudaOccResult Theirs;
  memset(&Theirs, 0, sizeof(Theirs));
  cudaOccError Status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &Theirs, &Device, &Function, &State, Launch.ThreadsPerBlock,
      Launch.DynamicShared);

  kpipe::Occupancy Ours = kpipe::occupancy(Arch, Launch);
  bool Same = Status == CUDA_OCC_SUCCESS &&
              int(Ours.BlocksPerSM) == Theirs.activeBlocksPerMultiprocessor &&
              sameLimit(Ours.ByShared, Theirs.blockLimitSharedMem) &&
              sameLimit(Ours.ByRegisters, Theirs.blockLimitRegs) &&
              int(Ours.ByThreads) == Theirs.blockLimitWarps &&
              int(Ours.ByBlocks) == Theirs.blockLimitBlocks &&
              names(Theirs.limitingFactors, Ours.Limit);
  if (Same && Ours.BlocksPerSM > 0) {
    // Growing to the cliff keeps the blocks in the header's eyes as well; one
    // byte further loses one.
    for (unsigned Beyond : {0u, 1u}) {
      size_t Dynamic = Ours.CliffBytes + Beyond - Launch.StaticShared;
      Function.maxDynamicSharedSizeBytes = Dynamic;
      Status = cudaOccMaxActiveBlocksPerMultiprocessor(
          &Theirs, &Device, &Function, &State, Launch.ThreadsPerBlock, Dynamic);
      int Blocks = Theirs.activeBlocksPerMultiprocessor;
      Same &= Status == CUDA_OCC_SUCCESS &&
              (Beyond ? Blocks < int(Ours.BlocksPerSM)
                      : Blocks == int(Ours.BlocksPerSM));
    }
  }
  if (!Same)
    printf("%s: %u threads, %u registers, %llu + %llu bytes: kpipe %u, "
           "cuda_occupancy.h %d (status %d)\n",
           Arch.Name, Launch.ThreadsPerBlock, Launch.Registers.value_or(0),
           static_cast<unsigned long long>(Launch.StaticShared),
           static_cast<unsigned long long>(Launch.DynamicShared),
           Ours.BlocksPerSM, Theirs.activeBlocksPerMultiprocessor, int(Status));
  return Same;
}

int main() {
  // Steps that are no multiples of any granularity, and both sides of some
  // that are; registers 0 stands for unknown, as the header takes it.
  const unsigned Threads[] = {1,   31,  32,  33,  64,  96,  128,  160, 192,
                              256, 288, 384, 512, 640, 768, 1024, 1025};
  std::vector<unsigned> Registers = {0, 1, 8, 9, 255};
  for (unsigned R = 16; R < 255; R += 13)
    Registers.push_back(R);
  const unsigned Statics[] = {0, 1, 1024, 8192, 16640, 32768, 48 * 1024};

  unsigned Points = 0, Different = 0;
  for (const kpipe::ArchLimits &Arch : kpipe::allArchs()) {
    std::vector<unsigned> Dynamics = {0, 127, 128, 129, 255, 256, 257};
    for (unsigned D = 1000; D < Arch.SharedPerSM; D += 7919)
      Dynamics.push_back(D);
    for (unsigned Blocks = 1; Blocks <= 6; ++Blocks)
      for (unsigned Beyond : {0u, 1u})
        Dynamics.push_back(*kpipe::maxSharedForBlocks(Arch, Blocks) + Beyond);
    for (unsigned T : Threads)
      for (unsigned R : Registers)
        for (unsigned S : Statics)
          for (unsigned D : Dynamics) {
            std::optional<unsigned> Known;
            if (R != 0)
              Known = R;
            ++Points;
            Different += !agrees(Arch, {T, S, D, Known});
          }
  }
  printf("%u points compared, %u differ\n", Points, Different);
  return Different != 0;
}
