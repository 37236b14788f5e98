// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is each stage as aligned as the code takes the array to be?
#include "AccessNames.h"
#include "Code/AstUtils.h"
#include "UseChecks.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace clang;

namespace kpipe {

namespace {

/// From one stage of the buffer to the next.
uint64_t stageBytes(const StagedBuffer &B, unsigned Pad,
                    const ASTContext &Context) {
  if (B.Block) // a multiple of 128, whatever it is
    return 128;
  uint64_t Elements = 1, Row = 1;
  QualType T = B.Var->getType().getNonReferenceType();
  while (const auto *A = Context.getAsConstantArrayType(T)) {
    Row = A->getZExtSize();
    Elements *= Row;
    T = A->getElementType();
  }
  return B.Bytes + (Pad ? Elements / Row * Pad *
                              Context.getTypeSizeInChars(T).getQuantity()
                        : 0);
}

/// Calls `__builtin_assume_aligned(p, Bytes)`, here and in what is called: the
/// compiler may widen every access by the result.
class Assumptions {
public:
  /// \param IsMeant is it the memory that is asked about?
  explicit Assumptions(llvm::function_ref<bool(const Storage &)> IsMeant)
      : IsMeant(IsMeant) {}
  uint64_t Most = 1;
  const CallExpr *At = nullptr;

  void in(const Stmt *S, const CallFrame &In) {
    if (const auto *C = dyn_cast_or_null<CallExpr>(S))
      call(C, In);
    if (S)
      for (const Stmt *Child : S->children())
        in(Child, In);
  }

private:
  llvm::function_ref<bool(const Storage &)> IsMeant;

  void call(const CallExpr *C, const CallFrame &In) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F)
      return;
    if (F->getBuiltinID() == Builtin::BI__builtin_assume_aligned) {
      Expr::EvalResult Bytes;
      bool Known = C->getArg(1)->EvaluateAsInt(Bytes, In.Index->context()) &&
                   Bytes.Val.getInt().isStrictlyPositive();
      uint64_t N = Known ? Bytes.Val.getInt().getZExtValue() : UINT64_MAX;
      if (N > Most && llvm::any_of(storageOfPointer(C->getArg(0), In), IsMeant))
        std::tie(Most, At) = std::pair(N, C);
    } else if (F->hasBody(Body) && !In.calls(Body) && !In.isTooDeep()) {
      const auto Args = argumentsOf(C);
      in(Body->getBody(),
         CallFrame{Body, &In, Args, objectOf(C), In.Index, In.Depth + 1});
    }
  }
};

} // namespace

std::optional<OrderViolation> UseChecks::checkAlignment() const {
  const ASTContext &Context = Of.Index.context();
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I) {
    const StagedBuffer &B = Loop.Buffers[I];
    const uint64_t Stage =
        stageBytes(B, I < Plan.Pads.size() ? Plan.Pads[I] : 0, Context);
    auto IsMeant = [&](const Storage &S) {
      return S.Where == Storage::Kind::Unknown ||
             (S.Where == Storage::Kind::Shared &&
              (!S.Var || S.Var == B.Var || Of.isGiven(B, S.Var)));
    };
    Assumptions All(IsMeant);
    All.in(Of.In.Function->getBody(), Of.In);
    if (Stage % All.Most != 0) {
      Access A;
      A.Outer = All.At;
      return Of.violation(A, A,
                          {msg::order_stage_misaligned,
                           "'" + B.Var->getNameAsString() + "'", All.Most,
                           Stage});
    }
  }
  for (const Use &U : Of.Uses) {
    const auto *E = dyn_cast_or_null<Expr>(U.A.At);
    if (!E || U.A.Where.Where != Storage::Kind::Shared ||
        !hasSize(E->getType()))
      continue;
    const uint64_t Width =
        Context.getTypeAlignInChars(E->getType()).getQuantity();
    for (unsigned I = 0; I != Loop.Buffers.size(); ++I) {
      const StagedBuffer &B = Loop.Buffers[I];
      const uint64_t Stage =
          stageBytes(B, I < Plan.Pads.size() ? Plan.Pads[I] : 0, Context);
      if ((U.A.Where.Var == B.Var || Of.isGiven(B, U.A.Where.Var)) &&
          Stage % Width != 0)
        return Of.violation(
            U.A, U.A,
            {msg::order_stage_misaligned, named(U.A.Where), Width, Stage});
    }
  }
  return std::nullopt;
}

} // namespace kpipe
