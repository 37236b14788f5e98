// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's copies that complete on an mbarrier or in bulk groups: words,
// operands and what addresses must be. See Ptx.h.
#include "Machine.h"

using namespace kpipe::exec;

void Machine::requireBulk(std::uint64_t SharedEnd, const void *GlobalEnd,
                          std::uint64_t Bytes, void *PC) {
  const void *P = kx_generic_address(SharedEnd);
  std::string What = "bulk copy of " + std::to_string(Bytes) + " bytes";
  if (Bytes == 0 || Bytes % 16 || Bytes >= (1u << 20))
    fail(Hazard::BadCopy, PC, What + ": only multiples of 16 exist");
  if (!Shared->contains(P))
    fail(Hazard::BadCopy, PC, What + ": one end is not shared memory");
  std::size_t Offset = Shared->offset(P);
  if (!Shared->arrayAt(Offset, unsigned(Bytes)))
    fail(Hazard::SharedBounds, PC, What + " at " + Shared->describe(Offset));
  if (!Global.contains(GlobalEnd))
    fail(Hazard::BadCopy, PC, What + ": one end is not global memory");
  std::size_t At = Global.offset(GlobalEnd);
  if (!Global.covers(At, Bytes))
    fail(Hazard::GlobalBounds, PC, What + " at " + Global.describe(At));
  if (Offset % 16 || At % 16)
    fail(Hazard::Misaligned, PC,
         What + " between " + Shared->describe(Offset) + " and " +
             Global.describe(At) + " is not aligned to 16 bytes");
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
//   [to], [from], bytes, [mbarrier]
bool Machine::executeLoad(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.Operands.size() < 4 || I.has("multicast::cluster"))
    return false;
  std::uint64_t Dst = V.get(I.Operands[0]);
  auto *Src = reinterpret_cast<char *>(V.get(I.Operands[1]));
  std::uint64_t Bytes = std::uint32_t(V.get(I.Operands[2]));
  requireBulk(Dst, Src, Bytes, PC);
  BulkCopy C;
  C.Pieces.push_back(
      {Shared->offset(kx_generic_address(Dst)), Src, unsigned(Bytes)});
  C.Bytes = unsigned(Bytes);
  C.Barrier = mbarrier(V.get(I.Operands[3]), PC).At;
  issueBulk(std::move(C), PC);
  return true;
}

// cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes
bool Machine::executeStore(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.Operands.size() < 3)
    return false;
  auto *Dst = reinterpret_cast<char *>(V.get(I.Operands[0]));
  std::uint64_t Src = V.get(I.Operands[1]);
  std::uint64_t Bytes = std::uint32_t(V.get(I.Operands[2]));
  requireBulk(Src, Dst, Bytes, PC);
  BulkCopy C;
  C.Pieces.push_back(
      {Shared->offset(kx_generic_address(Src)), Dst, unsigned(Bytes)});
  C.Bytes = unsigned(Bytes);
  C.Store = true;
  issueBulk(std::move(C), PC);
  return true;
}

bool Machine::executeBulk(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (!I.is("cp.async.bulk.") && !I.is("cp.async.mbarrier.arrive."))
    return false;
  needClocks();
  std::size_t Count = I.Operands.size();
  if (I.is("cp.async.mbarrier.arrive.")) {
    if (Count != 1)
      return false;
    arriveAfterCopies(mbarrier(V.get(I.Operands[0]), PC), I.has("noinc"), PC);
    return true;
  }
  const std::string &What = I.Words[3];
  if (What == "commit_group") {
    commitStores();
    return true;
  }
  if (What == "wait_group" && Count == 1) {
    waitStores(unsigned(V.get(I.Operands[0])), I.has("read"));
    return true;
  }
  if (What == "tensor" && I.Words.size() > 5)
    return executeTensor(I, V, PC);
  if (What == "prefetch") // of a tensor or not
    return true;
  bool Loads = I.has("mbarrier::complete_tx::bytes");
  if (What == "shared::cluster" || What == "shared::cta")
    return Loads && I.Words[4] == "global" && executeLoad(I, V, PC);
  return What == "global" && I.has("bulk_group") && executeStore(I, V, PC);
}
