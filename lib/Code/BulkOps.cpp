// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions and the functions around them, see BulkOps.h. What is not
// expected is Other: a reader that takes one thing for another would move it.
#include "BulkOps.h"
#include "AstUtils.h"
#include "BulkAssembly.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is a variable or parameter given another value in the function?
bool changes(const Stmt *S, const VarDecl *V) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && updatedVariable(E) == V)
    return true;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    if (const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
        D && D->getDecl() == V)
      return true;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (const auto *D =
              dyn_cast<DeclRefExpr>(A->getOutputExpr(I)->IgnoreParens());
          D && D->getDecl() == V)
        return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Kid) { return changes(Kid, V); });
}

class Reader {
public:
  explicit Reader(const ASTContext &Context) : Context(Context) {}
  llvm::SmallVector<BulkOp, 8> Found;

  void read(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    const bool Control = decides(S);
    Controls += Control;
    for (const Stmt *Kid : S->children())
      read(Kid);
    Controls -= Control;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return assembly(A);
    if (const auto *C = dyn_cast<CallExpr>(S))
      call(C);
  }

private:
  const ASTContext &Context;
  /// The call that is entered, and what its function's parameters are given,
  /// as expressions of the code that was asked about; null: cannot be told.
  const CallExpr *Outer = nullptr;
  const FunctionDecl *In = nullptr;
  llvm::DenseMap<const VarDecl *, const Expr *> Given;
  unsigned Depth = 0, Controls = 0;

  static bool decides(const Stmt *S) {
    const auto *B = dyn_cast<BinaryOperator>(S);
    return isa<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt,
               AbstractConditionalOperator>(S) ||
           (B && B->isLogicalOp());
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->hasBody(Body) || Depth == 6)
      return;
    const auto *M = dyn_cast<CXXMethodDecl>(Body);
    if (M && !M->isStatic())
      return object(C, Body);
    const auto Before = Given;
    const FunctionDecl *Around = In;
    const size_t First = Found.size();
    llvm::DenseMap<const VarDecl *, const Expr *> Now;
    for (unsigned I = 0; I != Body->getNumParams(); ++I)
      Now[Body->getParamDecl(I)] =
          I < C->getNumArgs() && !changes(Body->getBody(), Body->getParamDecl(I))
              ? resolve(C->getArg(I))
              : nullptr;
    Given = std::move(Now);
    if (!Depth)
      Outer = C;
    In = Body;
    ++Depth;
    read(Body->getBody());
    --Depth;
    In = Around;
    Given = Before;
    if (!Depth)
      for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First))
        Op.Name = F->getNameAsString();
  }

  /// What a member function does to its object is not followed.
  void object(const CallExpr *C, const FunctionDecl *Body) {
    Reader Inner(Context);
    Inner.Depth = Depth + 1;
    Inner.In = Body;
    Inner.read(Body->getBody());
    if (Inner.Found.empty())
      return;
    BulkOp Op;
    Op.At = Outer && Depth ? Outer : C;
    Op.Name = Body->getNameAsString();
    Found.push_back(Op);
  }

  const Expr *argumentOf(const Expr *E) {
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
    if (!F || C->getNumArgs() != 1)
      return nullptr;
    if (F->getIdentifier() && F->getName() == "__cvta_generic_to_shared")
      return C->getArg(0);
    // A function of the author's that does no more than that.
    if (!F->hasBody(Body) || Depth > 6)
      return nullptr;
    const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
    const auto *Return =
        Block && Block->size() == 1 ? dyn_cast<ReturnStmt>(Block->body_front())
                                    : nullptr;
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    Value = Value ? Value->IgnoreParenCasts() : nullptr;
    const auto *Inner = dyn_cast_or_null<CallExpr>(Value);
    const Expr *Of = Inner ? argumentOf(Inner) : nullptr;
    const auto *D =
        Of ? dyn_cast<DeclRefExpr>(Of->IgnoreParenCasts()) : nullptr;
    return D && D->getDecl() == Body->getParamDecl(0) ? C->getArg(0) : nullptr;
  }

  /// The same value or place as an expression of the code that was asked about.
  const Expr *resolve(const Expr *E) {
    for (unsigned Steps = 0; E && Steps != 16; ++Steps) {
      E = E->IgnoreParenCasts();
      if (const Expr *Of = argumentOf(E)) {
        E = Of;
        continue;
      }
      if (!In)
        return E;
      const auto *D = dyn_cast<DeclRefExpr>(E);
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      if (V && isa<ParmVarDecl>(V))
        return Given.lookup(V);
      // The address of what a reference was given for.
      const auto *U = dyn_cast<UnaryOperator>(E);
      if (U && U->getOpcode() == UO_AddrOf) {
        const auto *Of =
            dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParenCasts());
        if (!Of || !Of->getDecl()->getType()->isReferenceType())
          return nullptr;
        E = Of;
        continue;
      }
      if (V && V->hasLocalStorage() && V->getInit() &&
          !changes(In->getBody(), V)) {
        E = V->getInit();
        continue;
      }
      return constantValue(E, Context) ? E : nullptr;
    }
    return nullptr;
  }

  /// The object that an element or a member belongs to.
  const Expr *sumOf(const Expr *E) {
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
        E = S->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    if (!In || !D)
      return D;
    const Expr *Of = Given.lookup(dyn_cast<VarDecl>(D->getDecl()));
    if (!Of)
      return nullptr;
    for (Of = Of->IgnoreParenCasts(); !isa<DeclRefExpr>(Of);
         Of = Of->IgnoreParenCasts())
      if (const auto *S = dyn_cast<ArraySubscriptExpr>(Of))
        Of = S->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(Of); M && !M->isArrow())
        Of = M->getBase();
      else
        return nullptr;
    return Of;
  }

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
    return E ? resolve(E) : nullptr;
  }

  void number(BulkOp &Op, const GCCAsmStmt *A, llvm::StringRef Text) {
    int64_t Literal;
    if (!Text.trim().getAsInteger(0, Literal)) {
      Op.Value = Literal;
      return;
    }
    const Expr *E = operandOf(A, Text);
    Op.Number = E ? resolve(E) : nullptr;
    if (Op.Number)
      Op.Value = constantValue(Op.Number, Context);
  }

  void assembly(const GCCAsmStmt *A) {
    for (const PtxInstruction &I : readInstructions(A->getAsmString())) {
      BulkOp Op;
      Op.At = Outer && Depth ? static_cast<const Stmt *>(Outer) : A;
      Op.Name = I.Opcode;
      Op.Conditional = Controls != 0;
      if (instruction(Op, A, I))
        Found.push_back(std::move(Op));
    }
  }

  /// \returns false for what the copy engine and the tensor cores do not hear of.
  bool instruction(BulkOp &Op, const GCCAsmStmt *A, const PtxInstruction &I) {
    llvm::StringRef Name = I.Opcode;
    const size_t Count = I.Operands.size();
    auto is = [&](llvm::StringRef Start) { return Name.starts_with(Start); };
    if (is("prefetch.tensormap"))
      return false;
    if (!is("mbarrier.") && !is("cp.async") && !is("fence.proxy.async") &&
        !is("fence.mbarrier_init") && !is("wgmma.") && !is("tcgen05.") &&
        !is("cp.reduce") && !is("st.async") && !is("red.async"))
      return false;
    if (I.Predicated)
      return true; // Other: for some threads only
    if (is("fence."))
      Op.Kind = BulkKind::Fence;
    else if (is("mbarrier."))
      barrier(Op, A, I);
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
        Op.Sums.push_back(sumOf(A->getOutputExpr(N)));
      Op.RegisterOperand = llvm::StringRef(I.Operands[1]).starts_with("{");
    }
    return true;
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

llvm::SmallVector<BulkOp, 8> bulkOpsOf(const Stmt *S,
                                       const ASTContext &Context) {
  Reader All(Context);
  All.read(S);
  return std::move(All.Found);
}

const VarDecl *variableAt(const Expr *E, const ASTContext &Context,
                          bool *Whole) {
  if (Whole)
    *Whole = true;
  for (unsigned Steps = 0; E && Steps != 16; ++Steps) {
    E = E->IgnoreParenCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(D->getDecl());
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      const Expr *Sub = U->getSubExpr()->IgnoreParens();
      // Where a pointer variable itself stands is no place in the buffer.
      if (U->getOpcode() != UO_AddrOf || Sub->getType()->isPointerType())
        return nullptr;
      E = Sub;
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      if (Whole && constantValue(S->getIdx(), Context) != 0)
        *Whole = false;
      E = S->getBase();
    } else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->getOpcode() == BO_Add) {
      if (Whole)
        *Whole = false;
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
      if (!E->getType()->isPointerType())
        return nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

} // namespace kpipe
