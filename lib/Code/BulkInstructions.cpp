// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one PTX instruction is among the operations of the copy engine and the
// asynchronous tensor cores. What is not expected is Other: a reader that takes
// one thing for another would move it.
#include "BulkInstructions.h"
#include "AstUtils.h"

using namespace clang;

namespace kpipe {

bool isOfEngine(const PtxInstruction &I) {
  const llvm::StringRef Name = I.Opcode;
  auto is = [&](llvm::StringRef Start) { return Name.starts_with(Start); };
  return is("mbarrier.") || is("cp.async") || is("fence.proxy.async") ||
         is("fence.mbarrier_init") || is("wgmma.") || is("tcgen05.") ||
         is("cp.reduce") || is("st.async") || is("red.async");
}

namespace {

class Instructions {
public:
  Instructions(const GivenPlaces &Places, const ASTContext &Context)
      : Places(Places), Context(Context) {}

  void instruction(BulkOp &Op, const GCCAsmStmt *A, const PtxInstruction &I) {
    llvm::StringRef Name = I.Opcode;
    const size_t Count = I.Operands.size();
    auto is = [&](llvm::StringRef Start) { return Name.starts_with(Start); };
    if (I.Predicated)
      return; // Other: for some threads only
    if (is("fence."))
      Op.Kind = BulkKind::Fence;
    else if (is("mbarrier."))
      barrier(Op, A, I);
    else if (is("cp.async.mbarrier.arrive."))
      copyArrival(Op, A, I);
    else if (is("cp.async.bulk"))
      copy(Op, A, I);
    else if (Name == "wgmma.fence.sync.aligned")
      Op.Kind = BulkKind::MatrixFence;
    else if (Name == "wgmma.commit_group.sync.aligned")
      Op.Kind = BulkKind::MatrixCommit;
    else if (Name == "wgmma.wait_group.sync.aligned" && Count == 1) {
      Op.Kind = BulkKind::MatrixWait;
      number(Op, A, I.Operands[0]);
    } else if (is("wgmma.mma_async.sync.aligned") && Count >= 3) {
      Op.Kind = BulkKind::Matrix;
      for (unsigned N = 0; N != A->getNumOutputs(); ++N)
        Op.Sums.push_back(Places.objectOf(A->getOutputExpr(N)));
      Op.RegisterOperand = llvm::StringRef(I.Operands[1]).starts_with("{");
    }
  }

private:
  const GivenPlaces &Places;
  const ASTContext &Context;

  const Expr *operandOf(const GCCAsmStmt *A, llvm::StringRef Text) const {
    Text = Text.trim();
    if (!Text.consume_front("%"))
      return nullptr;
    unsigned N;
    if (Text.consume_front("[") && Text.consume_back("]")) {
      for (unsigned I = 0; I != A->getNumOutputs(); ++I)
        if (A->getOutputName(I) == Text)
          return A->getOutputExpr(I);
      for (unsigned I = 0; I != A->getNumInputs(); ++I)
        if (A->getInputName(I) == Text)
          return A->getInputExpr(I);
      return nullptr;
    }
    if (Text.getAsInteger(10, N))
      return nullptr;
    if (N < A->getNumOutputs())
      return A->getOutputExpr(N);
    N -= A->getNumOutputs();
    return N < A->getNumInputs() ? A->getInputExpr(N) : nullptr;
  }

  /// `[%0]`, without an offset.
  const Expr *placeOf(const GCCAsmStmt *A, llvm::StringRef Text) {
    Text = Text.trim();
    if (!Text.consume_front("[") || !Text.consume_back("]"))
      return nullptr;
    const Expr *E = operandOf(A, Text);
    return E ? Places.resolve(E) : nullptr;
  }

  void number(BulkOp &Op, const GCCAsmStmt *A, llvm::StringRef Text) {
    int64_t Literal;
    if (!Text.trim().getAsInteger(0, Literal)) {
      Op.Value = Literal;
      return;
    }
    const Expr *E = operandOf(A, Text);
    Op.Number = E ? Places.resolve(E) : nullptr;
    if (Op.Number)
      Op.Value = constantValue(Op.Number, Context);
  }

  void barrier(BulkOp &Op, const GCCAsmStmt *A, const PtxInstruction &I) {
    llvm::StringRef Name = I.Opcode;
    const auto &Of = I.Operands;
    auto at = [&](size_t N) { Op.Barrier = placeOf(A, Of[N]); };
    if (Name.contains(".shared::cluster") || Name.contains("noComplete"))
      return;
    if (Name.starts_with("mbarrier.init.") && Of.size() == 2) {
      Op.Kind = BulkKind::Init;
      at(0);
      number(Op, A, Of[1]);
    } else if (Name.starts_with("mbarrier.expect_tx.") && Of.size() == 2) {
      Op.Kind = BulkKind::Expect;
      at(0);
      number(Op, A, Of[1]);
    } else if (Name.starts_with("mbarrier.arrive.expect_tx.") &&
               Of.size() == 3) {
      Op.Kind = BulkKind::ArriveExpect;
      at(1);
      number(Op, A, Of[2]);
    } else if (Name.starts_with("mbarrier.arrive.") && Of.size() == 2 &&
               !Name.contains("expect_tx")) {
      Op.Kind = BulkKind::Arrive;
      at(1);
    } else if ((Name.starts_with("mbarrier.try_wait.parity.") ||
                Name.starts_with("mbarrier.test_wait.parity.")) &&
               Of.size() >= 3) {
      Op.Kind = BulkKind::Wait;
      at(1);
      number(Op, A, Of[2]);
    }
  }

  void copyArrival(BulkOp &Op, const GCCAsmStmt *A, const PtxInstruction &I) {
    llvm::StringRef Name = I.Opcode;
    Name.consume_front("cp.async.mbarrier.arrive.");
    const bool Counted = Name.consume_front("noinc.");
    if ((Name != "shared.b64" && Name != "shared::cta.b64" && Name != "b64") ||
        I.Operands.size() != 1)
      return;
    Op.Kind = Counted ? BulkKind::CopyArrive : BulkKind::CopyArriveOn;
    Op.Barrier = placeOf(A, I.Operands[0]);
  }

  void copy(BulkOp &Op, const GCCAsmStmt *A, const PtxInstruction &I) {
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
      Op.To = placeOf(A, Of[0]);
      Op.Barrier = placeOf(A, Of[2]);
    } else if (Name.starts_with("cp.async.bulk.shared") && Of.size() >= 4) {
      Op.Kind = BulkKind::BulkCopy;
      Op.To = placeOf(A, Of[0]);
      number(Op, A, Of[2]);
      Op.Barrier = placeOf(A, Of[3]);
    }
  }
};

} // namespace

void readInstructions(const GCCAsmStmt *A, const GivenPlaces &Places,
                      const ASTContext &Context,
                      llvm::SmallVectorImpl<BulkOp> &Found) {
  Instructions Reader(Places, Context);
  for (const PtxInstruction &I : readInstructions(A->getAsmString())) {
    if (!isOfEngine(I))
      continue;
    BulkOp Op;
    Op.Name = I.Opcode;
    Reader.instruction(Op, A, I);
    Found.push_back(std::move(Op));
  }
}

} // namespace kpipe
