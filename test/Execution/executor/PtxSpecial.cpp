// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's special registers: where a thread is. See Ptx.h.
#include "Machine.h"

using namespace kpipe::exec;

/// Of "%%tid.x" the last letter.
static unsigned component(const std::string &Register, uint3 Of) {
  char Which = Register.back();
  return Which == 'x' ? Of.x : Which == 'y' ? Of.y : Of.z;
}

bool Machine::readSpecial(const PtxInstruction &I, PtxOperands &V) {
  const Thread &T = *Sched.Current;
  std::string Name = I.Operands[1].substr(2);
  std::string Kind = Name.substr(0, Name.find('.'));
  std::uint64_t Value;
  if (Name == "dynamic_smem_size")
    Value = Shared->dynamicBytes();
  else if (Name == "laneid")
    Value = T.lane();
  else if (Name == "warpid")
    Value = T.warp();
  else if (Name == "lanemask_lt")
    Value = (1u << T.lane()) - 1;
  else if (Name == "lanemask_eq")
    Value = 1u << T.lane();
  else if (Kind == "tid")
    Value = component(Name, T.Index);
  else if (Kind == "ntid")
    Value = component(Name, BlockDim);
  else if (Kind == "ctaid")
    Value = component(Name, BlockIndex);
  else if (Kind == "nctaid")
    Value = component(Name, GridDim);
  else if (Kind == "cluster_ctarank" || Kind == "cluster_ctaid")
    Value = 0;
  else if (Kind == "cluster_nctarank" || Kind == "cluster_nctaid")
    Value = 1;
  else
    return false; // may be a register of the text's own
  V.set(I.Operands[0], Value);
  return true;
}
