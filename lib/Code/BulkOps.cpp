// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions around instructions, and what these are given, see BulkOps.h.
#include "BulkOps.h"
#include "AstUtils.h"
#include "BulkAssembly.h"
#include "BulkInstructions.h"
#include "BulkPlaces.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

class Reader {
public:
  explicit Reader(const ASTContext &Context) : Context(Context) {}
  llvm::SmallVector<BulkOp, 8> Found;

  void read(const Stmt *S) {
    if (!S)
      return;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const Expr *Init : L->capture_inits())
        read(Init);
      return;
    }
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return read(D->getExpr());
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
      return read(D->getExpr());
    const bool Control = decides(S);
    const size_t Before = Jumps.size();
    for (const Stmt *Kid : S->children()) {
      if (Control)
        Around.push_back(Kid);
      read(Kid);
      if (Control)
        Around.pop_back();
    }
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(S))
      Jumps.erase(std::remove_if(Jumps.begin() + Before, Jumps.end(),
                                 [](const Stmt *J) {
                                   return isa<BreakStmt, ContinueStmt>(J);
                                 }),
                  Jumps.end());
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, BreakStmt,
            ContinueStmt>(S))
      Jumps.push_back(S);
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return assembly(A);
    if (const auto *C = dyn_cast<CallExpr>(S))
      call(C);
    else if (const auto *N = dyn_cast<CXXConstructExpr>(S))
      object(N, N->getConstructor());
  }

private:
  const ASTContext &Context;
  /// The call that is entered, and what its function's parameters are given,
  /// as expressions of the code that was asked about; null: cannot be told.
  const CallExpr *Outer = nullptr;
  const FunctionDecl *In = nullptr;
  llvm::DenseMap<const VarDecl *, const Expr *> Given;
  unsigned Depth = 0;
  llvm::SmallVector<const Stmt *, 2> Around, Jumps; ///< as in BulkOp

  bool decides(const Stmt *S) const {
    const auto *B = dyn_cast<BinaryOperator>(S);
    bool Again = true;
    if (const auto *Once = dyn_cast<DoStmt>(S);
        Once && !Once->getCond()->isValueDependent() &&
        Once->getCond()->EvaluateAsBooleanCondition(Again, Context) && !Again)
      return false;
    return isa<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt,
               AbstractConditionalOperator>(S) ||
           (B && B->isLogicalOp());
  }

  /// Is there anything of these kinds in a function, at whatever depth?
  static bool hasAny(const Stmt *S,
                     llvm::SmallPtrSetImpl<const FunctionDecl *> &Seen) {
    if (!S)
      return false;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return llvm::any_of(readInstructions(A->getAsmString()), isOfEngine);
    const FunctionDecl *F = nullptr, *Body = nullptr;
    if (const auto *C = dyn_cast<CallExpr>(S))
      F = C->getDirectCallee();
    else if (const auto *N = dyn_cast<CXXConstructExpr>(S))
      F = N->getConstructor();
    else if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return hasAny(D->getExpr(), Seen);
    else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
      return hasAny(D->getExpr(), Seen);
    return (F && F->hasBody(Body) && Seen.insert(Body).second &&
            hasAny(Body, Seen)) ||
           llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return hasAny(Kid, Seen);
           });
  }

  static bool hasAny(const FunctionDecl *Body,
                     llvm::SmallPtrSetImpl<const FunctionDecl *> &Seen) {
    if (const auto *N = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *Init : N->inits())
        if (hasAny(Init->getInit(), Seen))
          return true;
    return hasAny(Body->getBody(), Seen);
  }

  void notFollowed(const Expr *C, const FunctionDecl *Body) {
    BulkOp Op;
    Op.At = Outer && Depth ? Outer : C;
    Op.Name = Body->getNameAsString();
    Found.push_back(Op);
  }

  void tooDeep(const Expr *C, const FunctionDecl *Body) {
    llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
    if (hasAny(Body, Seen))
      notFollowed(C, Body);
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->hasBody(Body))
      return;
    const auto *M = dyn_cast<CXXMethodDecl>(Body);
    if (M && !M->isStatic())
      return object(C, Body);
    if (Depth == 6)
      return tooDeep(C, Body);
    const auto Before = Given;
    const FunctionDecl *Caller = In;
    const size_t First = Found.size();
    llvm::DenseMap<const VarDecl *, const Expr *> Now;
    for (unsigned I = 0; I != Body->getNumParams(); ++I)
      Now[Body->getParamDecl(I)] =
          I < C->getNumArgs() && !givesNewValue(Body->getBody(), Body->getParamDecl(I))
              ? resolve(C->getArg(I))
              : nullptr;
    Given = std::move(Now);
    if (!Depth)
      Outer = C;
    const size_t JumpsBefore = Jumps.size();
    In = Body;
    ++Depth;
    read(Body->getBody());
    --Depth;
    In = Caller;
    Jumps.truncate(JumpsBefore);
    Given = Before;
    if (!Depth)
      for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First))
        Op.Name = F->getNameAsString();
  }

  /// What a member function does to its object is not followed; wgmma and what
  /// belongs to it says enough where its sums are not known.
  void object(const Expr *C, const FunctionDecl *F) {
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body))
      return;
    if (Depth == 6)
      return tooDeep(C, Body);
    Reader Inner(Context);
    Inner.Depth = Depth + 1;
    Inner.Around = Around;
    Inner.Jumps = Jumps;
    Inner.In = Body;
    if (const auto *N = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *Init : N->inits())
        Inner.read(Init->getInit());
    Inner.read(Body->getBody());
    if (Inner.Found.empty())
      return;
    if (llvm::any_of(Inner.Found, [](const BulkOp &Op) {
          return Op.Kind != BulkKind::Fence && !isMatrix(Op.Kind);
        }))
      return notFollowed(C, Body);
    for (BulkOp &Op : Inner.Found) {
      Op.At = Outer && Depth ? Outer : C;
      if (!Depth)
        Op.Name = Body->getNameAsString();
      Op.Barrier = Op.Number = nullptr;
      // Of a member or of a parameter; locals of the function are no sums.
      for (const Expr *&Sum : Op.Sums)
        Sum = nullptr;
      Found.push_back(Op);
    }
  }

  static bool isMatrix(BulkKind K) {
    return K == BulkKind::Matrix || K == BulkKind::MatrixFence ||
           K == BulkKind::MatrixCommit || K == BulkKind::MatrixWait;
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
          !givesNewValue(In->getBody(), V)) {
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
      Op.Around = Around;
      Op.Jumps = Jumps;
      if (!isOfEngine(I))
        continue;
      readInstruction(Op, I,
                      {[&](llvm::StringRef Of) { return placeOf(A, Of); },
                       [&](BulkOp &Op, llvm::StringRef Of) {
                         number(Op, A, Of);
                       }});
      if (Op.Kind == BulkKind::Matrix)
        for (unsigned N = 0; N != A->getNumOutputs(); ++N)
          Op.Sums.push_back(sumOf(A->getOutputExpr(N)));
      Found.push_back(std::move(Op));
    }
  }
};

} // namespace

bool BulkOp::follows(const BulkOp &Other) const {
  auto within = [](llvm::ArrayRef<const Stmt *> Mine,
                   llvm::ArrayRef<const Stmt *> Its) {
    return Mine.size() <= Its.size() && Its.take_front(Mine.size()) == Mine;
  };
  return within(Around, Other.Around) && within(Jumps, Other.Jumps);
}

llvm::SmallVector<BulkOp, 8> bulkOpsOf(const Stmt *S,
                                       const ASTContext &Context) {
  Reader All(Context);
  All.read(S);
  return std::move(All.Found);
}

} // namespace kpipe
