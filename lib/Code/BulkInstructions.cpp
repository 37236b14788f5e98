// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opcodes and their operands, see BulkInstructions.h. What is not expected is
// Other: a reader that takes one thing for another would move it.
#include "BulkInstructions.h"

namespace kpipe {

bool isOfEngine(const PtxInstruction &I) {
  const llvm::StringRef Name = I.Opcode;
  auto is = [&](llvm::StringRef Start) { return Name.starts_with(Start); };
  return is("mbarrier.") || is("cp.async") || is("fence.proxy.async") ||
         is("fence.mbarrier_init") || is("wgmma.") || is("tcgen05.") ||
         is("cp.reduce") || is("st.async") || is("red.async");
}

static void barrier(BulkOp &Op, const PtxInstruction &I, const BulkOperands &Operands) {
  llvm::StringRef Name = I.Opcode;
  const auto &Of = I.Operands;
  auto at = [&](size_t N) { Op.Barrier = Operands.Place(Of[N]); };
  if (Name.contains(".shared::cluster") || Name.contains("noComplete"))
    return;
  if (Name.starts_with("mbarrier.init.") && Of.size() == 2) {
    Op.Kind = BulkKind::Init;
    at(0);
    Operands.Number(Op, Of[1]);
  } else if (Name.starts_with("mbarrier.expect_tx.") && Of.size() == 2) {
    Op.Kind = BulkKind::Expect;
    at(0);
    Operands.Number(Op, Of[1]);
  } else if (Name.starts_with("mbarrier.arrive.expect_tx.") &&
             Of.size() == 3) {
    Op.Kind = BulkKind::ArriveExpect;
    at(1);
    Operands.Number(Op, Of[2]);
  } else if (Name.starts_with("mbarrier.arrive.") && Of.size() == 2 &&
             !Name.contains("expect_tx")) {
    Op.Kind = BulkKind::Arrive;
    at(1);
  } else if ((Name.starts_with("mbarrier.try_wait.parity.") ||
              Name.starts_with("mbarrier.test_wait.parity.")) &&
             Of.size() >= 3) {
    Op.Kind = BulkKind::Wait;
    at(1);
    Operands.Number(Op, Of[2]);
  }
}

static void copy(BulkOp &Op, const PtxInstruction &I, const BulkOperands &Operands) {
  llvm::StringRef Name = I.Opcode;
  const auto &Of = I.Operands;
  const bool Plain = !Name.contains("multicast") && !Name.contains("im2col") &&
                     !Name.contains("gather") &&
                     Name.contains(".mbarrier::complete_tx::bytes");
  const bool In = Name.contains(".shared::cluster.global") ||
                  Name.contains(".shared::cta.global");
  if (!Plain || !In)
    return;
  if (Name.starts_with("cp.async.bulk.tensor.") && Of.size() >= 3) {
    Op.Kind = BulkKind::TensorCopy;
    Op.To = Operands.Place(Of[0]);
    Op.Barrier = Operands.Place(Of[2]);
  } else if (Name.starts_with("cp.async.bulk.shared") && Of.size() >= 4) {
    Op.Kind = BulkKind::BulkCopy;
    Op.To = Operands.Place(Of[0]);
    Operands.Number(Op, Of[2]);
    Op.Barrier = Operands.Place(Of[3]);
  }
}

void readInstruction(BulkOp &Op, const PtxInstruction &I, BulkOperands Of) {
  const llvm::StringRef Name = I.Opcode;
  if (I.Predicated)
    return; // for some threads only
  if (Name.starts_with("fence."))
    Op.Kind = BulkKind::Fence;
  else if (Name.starts_with("mbarrier."))
    barrier(Op, I, Of);
  else if (Name.starts_with("cp.async.bulk"))
    copy(Op, I, Of);
  else if (Name == "wgmma.fence.sync.aligned")
    Op.Kind = BulkKind::MatrixFence;
  else if (Name == "wgmma.commit_group.sync.aligned")
    Op.Kind = BulkKind::MatrixCommit;
  else if (Name == "wgmma.wait_group.sync.aligned" && I.Operands.size() == 1) {
    Op.Kind = BulkKind::MatrixWait;
    Of.Number(Op, I.Operands[0]);
  } else if (Name.starts_with("wgmma.mma_async.sync.aligned") &&
             I.Operands.size() >= 3) {
    Op.Kind = BulkKind::Matrix;
    Op.RegisterOperand = llvm::StringRef(I.Operands[1]).starts_with("{");
  }
}

} // namespace kpipe
