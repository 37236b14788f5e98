// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statements around one instruction, see MbarrierOps.h: what a wait does
// that is one.
#include "MbarrierOps.h"
#include "AstUtils.h"
#include "BulkInstructions.h"
#include "BulkPlaces.h"
#include "ComputesOnly.h"
#include "InlineAssembly.h"
#include "KnownFunctions.h"
#include "WaitingAssembly.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// `mbarrier.try_wait.parity p, …; selp %0, 1, 0, p;`
bool asksOnce(const GCCAsmStmt *A) {
  auto All = readInstructions(A->getAsmString());
  return All.size() == 2 && !All[0].Predicated && !All[1].Predicated &&
         A->getNumOutputs() == 1 && All[0].Operands.size() >= 3 &&
         llvm::StringRef(All[1].Opcode).starts_with("selp.") &&
         All[1].Operands.size() == 4 && All[1].Operands[0] == "%0" &&
         All[1].Operands[1] == "1" && All[1].Operands[2] == "0" &&
         All[1].Operands[3] == All[0].Operands[0] &&
         (llvm::StringRef(All[0].Opcode)
              .starts_with("mbarrier.try_wait.pari") ||
          llvm::StringRef(All[0].Opcode).starts_with("mbarrier.test_wait.par"));
}

const VarDecl *variableIn(const Expr *E) {
  const auto *D = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()) : nullptr;
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// May what a call is given be evaluated as often as one likes?
bool isEvaluatedFreely(const Stmt *S, const ASTContext &Context) {
  const auto *C = dyn_cast<CallExpr>(S);
  return !C || llvm::all_of(C->arguments(), [&](const Expr *A) {
    GivenPlaces Places(Context);
    if (const auto *Kept = dyn_cast<MaterializeTemporaryExpr>(A))
      A = Kept->getSubExpr();
    const auto *Call = dyn_cast<CallExpr>(A->IgnoreParenCasts());
    const auto *Default = dyn_cast<CXXDefaultArgExpr>(A);
    return computesOnly(Default ? Default->getExpr() : A) ||
           (Call && Places.resolve(Call) != Call) ||
           // `cuda::ptx::space_shared`, which has nothing in it
           (A->getType()->getAsCXXRecordDecl() &&
            A->getType()->getAsCXXRecordDecl()->isEmpty());
  });
}

/// What a statement does at barriers, if that is all that it does.
class ShapeReader {
public:
  explicit ShapeReader(const ASTContext &Context) : Context(Context) {}

  enum class Shape {
    Nothing,
    One,  ///< an operation that is done once, or a wait
    Asks, ///< whether a phase has ended: its value, or that of Done
    Other
  };
  Shape read(const Stmt *S) {
    if (!S || isa<NullStmt>(S))
      return Shape::Nothing;
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return sequence(Block);
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return declares(D) ? Shape::Nothing : Shape::Other;
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      auto Live = If->isConstexpr() && !If->getInit()
                      ? If->getNondiscardedCase(Context)
                      : std::nullopt;
      return Live ? read(*Live) : Shape::Other;
    }
    if (const auto *W = dyn_cast<WhileStmt>(S))
      return W->getConditionVariable() ? Shape::Other
                                       : loop(W->getCond(), W->getBody(), true);
    if (const auto *D = dyn_cast<DoStmt>(S)) {
      bool Again = true;
      if (D->getCond()->EvaluateAsBooleanCondition(Again, Context) && !Again)
        return read(D->getBody());
      return loop(D->getCond(), D->getBody(), false);
    }
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return assembly(A);
    const auto *E = dyn_cast<Expr>(S);
    return E ? expression(E) : Shape::Other;
  }

private:
  const ASTContext &Context;
  llvm::SmallPtrSet<const VarDecl *, 4> Own;
  const VarDecl *Done = nullptr; ///< 1 where what was asked is so
  unsigned Depth = 0;

  Shape expression(const Expr *E) {
    for (;;) {
      const auto *Cast = dyn_cast<CastExpr>(E);
      if (const auto *Full = dyn_cast<FullExpr>(E))
        E = Full->getSubExpr();
      else if (const auto *P = dyn_cast<ParenExpr>(E))
        E = P->getSubExpr();
      else if (Cast && Cast->getCastKind() != CK_UserDefinedConversion)
        E = Cast->getSubExpr();
      else
        break;
    }
    const auto *C = dyn_cast<CallExpr>(E);
    return C ? call(C) : Shape::Other;
  }

  Shape sequence(const CompoundStmt *Block) {
    Shape All = Shape::Nothing;
    for (const Stmt *S : Block->body()) {
      if (const auto *R = dyn_cast<ReturnStmt>(S))
        return S == Block->body_back() ? returns(R->getRetValue(), All)
                                       : Shape::Other;
      const Shape Now = read(S);
      if (Now == Shape::Nothing)
        continue;
      if (Now == Shape::Other || All != Shape::Nothing)
        return Shape::Other;
      All = Now;
    }
    // Whoever asks and does not look has not waited.
    return All;
  }

  /// \param Before what is done in front of it.
  Shape returns(const Expr *Value, Shape Before) {
    if (!Value)
      return Before;
    if (Before == Shape::Nothing)
      return expression(Value);
    if (Before == Shape::One)
      return Own.count(variableIn(Value)) ? Shape::One : Shape::Other;
    const Expr *E = Value->IgnoreParenCasts();
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_NE &&
        constantValue(B->getRHS(), Context) == 0)
      E = B->getLHS();
    return Before == Shape::Asks && Done && variableIn(E) == Done
               ? Shape::Asks
               : Shape::Other;
  }

  bool declares(const DeclStmt *D) {
    return llvm::all_of(D->decls(), [&](const Decl *One) {
      const auto *V = dyn_cast<VarDecl>(One);
      if (!V || !V->hasLocalStorage() ||
          (V->getInit() && !isAddress(V->getInit())))
        return false;
      Own.insert(V);
      return true;
    });
  }

  bool isAddress(const Expr *E) const {
    const auto *C = dyn_cast<CallExpr>(E->IgnoreParenCasts());
    GivenPlaces Places(Context);
    return computesOnly(E) || (C && Places.resolve(C) != C);
  }

  /// `while (!asks) ;`, `while (!done) { asks; }`, `do { asks; } while
  /// (!done);`
  Shape loop(const Expr *Cond, const Stmt *Body, bool First) {
    const Expr *E = Cond->IgnoreParenImpCasts();
    const auto *U = dyn_cast<UnaryOperator>(E);
    const auto *B = dyn_cast<BinaryOperator>(E);
    const Expr *Asked = nullptr;
    if (U && U->getOpcode() == UO_LNot)
      Asked = U->getSubExpr();
    else if (B && B->getOpcode() == BO_EQ &&
             constantValue(B->getRHS(), Context) == 0)
      Asked = B->getLHS();
    if (!Asked)
      return Shape::Other;
    if (const VarDecl *V = variableIn(Asked)) {
      // What it holds at first must not say that it is so.
      const bool Asks = Own.count(V) &&
                        (!First || (V->getInit() &&
                                    constantValue(V->getInit(), Context) == 0));
      return Asks && read(Body) == Shape::Asks && Done == V ? Shape::One
                                                            : Shape::Other;
    }
    return read(Body) == Shape::Nothing && expression(Asked) == Shape::Asks
               ? Shape::One
               : Shape::Other;
  }

  Shape assembly(const GCCAsmStmt *A) {
    if (A->isAsmGoto())
      return Shape::Other;
    const std::string Text = A->getAsmString();
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (!Own.count(variableIn(A->getOutputExpr(I))))
        return Shape::Other;
    if (asksUntilItIs(Text))
      return Shape::One;
    if (asksOnce(A)) {
      Done = variableIn(A->getOutputExpr(0));
      return Shape::Asks;
    }
    auto All = readInstructions(llvm::StringRef(Text));
    if (All.size() != 1 || All[0].Predicated)
      return Shape::Other;
    llvm::StringRef Name = All[0].Opcode;
    if (Name.starts_with("nanosleep.") ||
        Name.starts_with("fence.mbarrier_init") ||
        Name.starts_with("fence.proxy.async"))
      return Shape::Nothing;
    return Name.starts_with("mbarrier.init.") ||
                   Name.starts_with("mbarrier.arrive.") ||
                   Name.starts_with("cp.async.mbarrier.arrive.")
               ? Shape::One
               : Shape::Other;
  }

  Shape call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->getIdentifier())
      return Shape::Other;
    llvm::StringRef Name = F->getName();
    if (isToolkits(F)) {
      if (Name == "__nanosleep" || Name.starts_with("fence_mbarrier_init") ||
          Name.starts_with("fence_proxy_async"))
        return Shape::Nothing;
      if (!bulkCall(C, GivenPlaces(Context), Context) ||
          !isEvaluatedFreely(C, Context))
        return Shape::Other;
      return Name.contains("test_wait") || Name.contains("try_wait")
                 ? Shape::Asks
                 : Shape::One;
    }
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (!F->hasBody(Body) || Depth == 6 || Body->isWeak() ||
        (M && (M->isVirtual() || M->getParent()->isLambda())) ||
        !llvm::all_of(C->arguments(), [&](const Expr *A) {
          const auto *Default = dyn_cast<CXXDefaultArgExpr>(A);
          return isAddress(Default ? Default->getExpr() : A);
        }))
      return Shape::Other;
    ++Depth;
    const VarDecl *Outer = std::exchange(Done, nullptr);
    const Shape Inside = read(Body->getBody());
    // What a function asked and did not return is lost.
    const bool Lost = Inside == Shape::Asks && F->getReturnType()->isVoidType();
    Done = Outer;
    --Depth;
    return Lost ? Shape::Other : Inside;
  }
};

bool isSharedLocal(const VarDecl *V) {
  return V->isLocalVarDecl() && V->hasAttr<CUDASharedAttr>();
}

} // namespace

bool holdsBarrier(const VarDecl *V, const ASTContext &Context) {
  const auto *F = V ? dyn_cast<FunctionDecl>(V->getDeclContext()) : nullptr;
  if (!F || !V->hasLocalStorage() || isa<ParmVarDecl>(V) || !V->getInit() ||
      V->getType()->isReferenceType() || V->getType().isVolatileQualified() ||
      !(V->getType()->isPointerType() ||
        (V->getType()->isIntegerType() &&
         Context.getIntWidth(V->getType()) >= 32)) ||
      givesNewValue(F->getBody(), V))
    return false;
  std::optional<unsigned> Element;
  const VarDecl *Of = barrierBehind(V->getInit(), Element, Context);
  return Of && Of != V && isSharedLocal(Of);
}

const VarDecl *barrierBehind(const Expr *E, std::optional<unsigned> &Element,
                             const ASTContext &Context) {
  const GivenPlaces Places(Context);
  for (unsigned Steps = 0; E && Steps != 8; ++Steps) {
    E = Places.resolve(E);
    const VarDecl *V = E ? variableIn(E) : nullptr;
    if (!V || isSharedLocal(V) || !holdsBarrier(V, Context))
      break;
    E = V->getInit();
  }
  return E ? namedBy(E, Element, Context) : nullptr;
}

std::optional<SomeOps> opsAtMbarrier(const Stmt *S, const ASTContext &Context) {
  auto All = bulkOpsOf(S, Context);
  if (All.empty())
    return std::nullopt;
  llvm::erase_if(All,
                 [](const BulkOp &Op) { return Op.Kind == BulkKind::Fence; });
  using Shape = ShapeReader::Shape;
  const Shape Is = ShapeReader(Context).read(S);
  if (All.empty() && Is == Shape::Nothing)
    return SomeOps();
  if (All.size() != 1 || (Is != Shape::One && Is != Shape::Asks) ||
      !isEvaluatedFreely(S, Context))
    return std::nullopt;
  const BulkOp &Of = All[0];
  std::optional<unsigned> Element;
  AsyncOp Op;
  Op.At = S;
  Op.Object =
      Of.Barrier ? barrierBehind(Of.Barrier, Element, Context) : nullptr;
  if (!Op.Object || !isSharedLocal(Op.Object))
    return std::nullopt;
  // Which of several is initialised its index says, in a loop.
  if (Of.Kind == BulkKind::Init)
    return Is == Shape::One ? std::optional(SomeOps()) : std::nullopt;
  if (!Element)
    return std::nullopt;
  Op.Element = *Element;
  Op.OfBlock = true;
  Op.Asks = Is == Shape::Asks;
  switch (Of.Kind) {
  case BulkKind::Arrive:
    Op.Kind = AsyncKind::Arrive;
    break;
  case BulkKind::CopyArrive:
    Op.Kind = AsyncKind::ArriveBehind;
    break;
  case BulkKind::CopyArriveOn:
    Op.Kind = AsyncKind::ArriveOn;
    break;
  case BulkKind::Wait:
    if (!Of.Number || Of.Token)
      return std::nullopt;
    Op.Kind = AsyncKind::WaitForParity;
    Op.Parity = Of.Number;
    if (const auto *Kept =
            dyn_cast<MaterializeTemporaryExpr>(Op.Parity->IgnoreParens()))
      Op.Parity = Kept->getSubExpr();
    break;
  default:
    return std::nullopt;
  }
  return SomeOps{Op};
}

const Expr *mbarrierCount(const Stmt *S, const VarDecl *V,
                          const ASTContext &Context) {
  if (!isa<GCCAsmStmt, CallExpr>(S))
    return nullptr;
  auto All = bulkOpsOf(S, Context);
  if (All.size() != 1 || All[0].Kind != BulkKind::Init || !All[0].Barrier ||
      !isEvaluatedFreely(S, Context) ||
      ShapeReader(Context).read(S) != ShapeReader::Shape::One)
    return nullptr;
  std::optional<unsigned> Element;
  return barrierBehind(All[0].Barrier, Element, Context) == V ? All[0].Number
                                                              : nullptr;
}

} // namespace kpipe
