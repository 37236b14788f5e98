// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an assembly statement does asynchronously, see AsyncCalls.h: operands of
// AsyncAssembly as expressions.
#include "AstUtils.h"
#include "AsyncAssembly.h"
#include "AsyncCalls.h"
#include "MbarrierOps.h"

using namespace clang;

namespace kpipe {

SomeOps opsOfAssembly(const GCCAsmStmt *A, const ASTContext &Context) {
  std::string Text = A->getAsmString();
  auto Read = readAsyncAssembly(Text);
  AsyncOp Op;
  Op.At = A;
  if (auto AtBarrier = opsAtMbarrier(A, Context))
    return *AtBarrier;
  if (!Read || A->getNumOutputs() || A->isAsmGoto()) {
    bool Known = !llvm::StringRef(Text).contains("cp.async") &&
                 !llvm::StringRef(Text).contains("mbarrier");
    return Known ? SomeOps() : SomeOps{Op};
  }
  auto Input = [&](unsigned N) {
    return N < A->getNumInputs() ? A->getInputExpr(N) : nullptr;
  };
  auto Value = [&](const AsmNumber &N) -> std::optional<int64_t> {
    if (!N.Operand)
      return N.Value;
    const Expr *E = Input(*N.Operand);
    return E ? constantValue(E, Context) : std::nullopt;
  };
  SomeOps All;
  for (const AsyncInstruction &I : *Read) {
    AsyncOp One = Op;
    std::optional<int64_t> Groups = Value(I.Groups), Bytes = Value(I.Bytes);
    switch (I.What) {
    case AsyncInstruction::Kind::Commit:
      One.Kind = AsyncKind::Commit;
      break;
    case AsyncInstruction::Kind::WaitAll:
      One.Kind = AsyncKind::WaitAll;
      break;
    case AsyncInstruction::Kind::WaitGroup:
      if (Groups && *Groups >= 0) {
        One.Kind = AsyncKind::Wait;
        One.Keep = *Groups;
      }
      break;
    case AsyncInstruction::Kind::Copy:
      One.To = Input(I.To);
      One.From = Input(I.From);
      // All of it, as a constant, is not asked for.
      if (I.Kept && I.Kept->Operand && (!Bytes || Value(*I.Kept) != Bytes))
        One.Kept = Input(*I.Kept->Operand);
      if (I.Predicate)
        One.Predicate = Input(*I.Predicate);
      if (!One.To || !One.From || !Bytes ||
          (I.Kept && !One.Kept && Value(*I.Kept) != *Bytes) ||
          (*Bytes != 4 && *Bytes != 8 && *Bytes != 16))
        break;
      One.Bytes = One.Alignment = *Bytes;
      One.Kind = AsyncKind::Copy;
      break;
    }
    All.push_back(One);
  }
  return All;
}

} // namespace kpipe
