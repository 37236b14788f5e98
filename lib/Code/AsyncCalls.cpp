// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of calls, see AsyncCalls.h.
#include "AsyncCalls.h"
#include "AstUtils.h"
#include "ComputesOnly.h"
#include "KnownFunctions.h"
#include "MbarrierOps.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

namespace {

const CXXRecordDecl *recordOf(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *R = T->getAsCXXRecordDecl();
  return R && R->getIdentifier() ? R : nullptr;
}

bool isCalled(const Expr *E, llvm::StringRef Name) {
  const CXXRecordDecl *R = recordOf(E->IgnoreParenImpCasts()->getType());
  return R && R->getName() == Name && isToolkits(R);
}

/// `cuda::pipeline<cuda::thread_scope_thread>`; any other is the block's.
bool isOfBlock(const VarDecl *V) {
  const auto *R =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(V->getType()));
  if (!R || R->getName() != "pipeline" || !R->getTemplateArgs().size())
    return true;
  const TemplateArgument &Scope = R->getTemplateArgs()[0];
  // thread_scope { system, device, block, thread = 10 }, see libcu++.
  return Scope.getKind() != TemplateArgument::Integral ||
         Scope.getAsIntegral().getExtValue() != 10;
}

/// What an object of one value is made of, one step; null if it is not seen.
const Expr *madeOf(const Expr *E) {
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return Full->getSubExpr();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return Temporary->getSubExpr();
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    return Cast->getSubExpr();
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return Bound->getSubExpr();
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    return Made->getNumArgs() == 1 ? Made->getArg(0) : nullptr;
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 1 ? List->getInit(0) : nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->getType().isConstQualified() ? V->getInit() : nullptr;
}

/// The bytes that a size says: a number, or `cuda::aligned_size_t<16>(n)`.
void readSize(AsyncOp &Op, const Expr *Size, const ASTContext &Context) {
  const Expr *E = Size->IgnoreParenImpCasts();
  while (const CXXRecordDecl *R = recordOf(E->getType())) {
    const auto *Aligned = dyn_cast<ClassTemplateSpecializationDecl>(R);
    if (!Aligned || !isCalled(E, "aligned_size_t"))
      return; // a size that something else made
    Op.Alignment = Aligned->getTemplateArgs()[0].getAsIntegral().getExtValue();
    E = madeOf(E);
    if (!E)
      return;
    E = E->IgnoreParenImpCasts();
  }
  Op.BytesGiven = E;
  if (std::optional<int64_t> N = constantValue(E, Context); N && *N >= 0)
    Op.Bytes = *N;
}

AsyncKind methodKind(llvm::StringRef Name) {
  return llvm::StringSwitch<AsyncKind>(Name)
      .Case("producer_acquire", AsyncKind::Acquire)
      .Case("producer_commit", AsyncKind::Commit)
      .Case("consumer_wait", AsyncKind::WaitOldest)
      .Case("consumer_release", AsyncKind::Release)
      .Case("quit", AsyncKind::Quit)
      .Case("arrive_and_wait", AsyncKind::ArriveAndWait)
      .Case("arrive", AsyncKind::Arrive)
      .Case("wait", AsyncKind::WaitForToken)
      .Default(AsyncKind::Other);
}

/// `cg::this_thread()`: a group without others.
bool isOneThread(const Expr *Group) {
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      recordOf(Group->IgnoreParenImpCasts()->getType()));
  return R && R->getName() == "thread_block_tile" && isToolkits(R) &&
         R->getTemplateArgs()[0].getKind() == TemplateArgument::Integral &&
         R->getTemplateArgs()[0].getAsIntegral() == 1;
}

/// The `0` of `wait_prior<0>`.
std::optional<unsigned> templateNumber(const FunctionDecl *F) {
  const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs();
  if (!Arguments || !Arguments->size() ||
      Arguments->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Arguments->get(0).getAsIntegral().getExtValue();
}

class Call {
public:
  Call(const CallExpr *C, const FunctionDecl *F, ASTContext &Context)
      : C(C), F(F), Context(Context) {
    Op.At = C;
    for (const Expr *A : givenTo(C))
      if (!isa<CXXDefaultArgExpr>(A))
        Given.push_back(A);
  }

  AsyncOp op() {
    llvm::StringRef Name = F->getIdentifier() ? F->getName() : "";
    if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && !M->isStatic())
      method(Name);
    else if (Name == "__pipeline_memcpy_async")
      primitive();
    else if (Name == "__pipeline_commit")
      Op.Kind = AsyncKind::Commit;
    else if (Name == "__pipeline_wait_prior" && Given.size() == 1)
      keeps(constantValue(Given[0], Context));
    else if (Name == "memcpy_async")
      copy();
    else if (Name == "__pipeline_arrive_on" && Given.size() == 1)
      atBarrier(AsyncKind::ArriveOn);
    else if (Name == "__mbarrier_arrive" && Given.size() == 1)
      atBarrier(AsyncKind::Arrive);
    else if ((Name == "__mbarrier_test_wait" && Given.size() == 2) ||
             (Name == "__mbarrier_try_wait" && Given.size() == 3)) {
      atBarrier(AsyncKind::WaitForToken); // where it is asked until it is so
      Op.Asks = true;
    } else if (Name == "pipeline_consumer_wait_prior" && Given.size() == 1 &&
               isObject(Given[0], "pipeline") && !Op.OfBlock)
      keeps(templateNumber(F));
    else if ((Name == "wait" || Name == "wait_prior") && Given.size() == 1) {
      const bool All = Name == "wait" || templateNumber(F) == 0u;
      if (All && isOneThread(Given[0])) {
        Op.Kind = AsyncKind::WaitAll;
      } else if (All) {
        Op.Group = Given[0];
        Op.Kind = AsyncKind::GroupWait;
      }
    }
    return Op;
  }

private:
  const CallExpr *C;
  const FunctionDecl *F;
  ASTContext &Context;
  llvm::SmallVector<const Expr *, 6> Given;
  AsyncOp Op;

  void keeps(std::optional<int64_t> N) {
    if (!N || *N < 0)
      return;
    Op.Kind = AsyncKind::Wait;
    Op.Keep = *N;
  }

  bool isObject(const Expr *E, llvm::StringRef Class) {
    if (!isCalled(E, Class))
      return false;
    Op.Object = namedBy(E);
    if (!Op.Object && Class == "barrier" && !namesElement(E))
      return false;
    if (Op.Object)
      Op.OfBlock = isOfBlock(Op.Object);
    return Op.Object;
  }

  bool namesElement(const Expr *E) {
    std::optional<unsigned> Element;
    Op.Object = namedBy(E, Element, Context);
    if (!Op.Object || !Element) {
      Op.Object = nullptr;
      return false;
    }
    Op.Element = *Element;
    return true;
  }

  /// `__mbarrier_arrive(&bar)` and others: the C form of a cuda::barrier.
  void atBarrier(AsyncKind Kind) {
    std::optional<unsigned> Element;
    Op.Object = barrierBehind(Given[0], Element, Context);
    if (!Op.Object || !Element || !Op.Object->hasAttr<CUDASharedAttr>()) {
      Op.Object = nullptr;
      return;
    }
    Op.Element = *Element;
    Op.OfBlock = true;
    Op.Kind = Kind;
  }

  void method(llvm::StringRef Name) {
    const Expr *On = calledOn(C);
    AsyncKind Kind = methodKind(Name);
    bool OfBarrier = Kind == AsyncKind::Arrive ||
                     Kind == AsyncKind::ArriveAndWait ||
                     Kind == AsyncKind::WaitForToken;
    // `arrive(2)` counts for others.
    bool Fits = Given.size() == (Kind == AsyncKind::WaitForToken);
    if (On && Fits && isObject(On, OfBarrier ? "barrier" : "pipeline"))
      Op.Kind = Kind;
  }

  void primitive() {
    if (Given.size() != 3 && Given.size() != 4)
      return;
    Op.To = Given[0];
    Op.From = Given[1];
    readSize(Op, Given[2], Context);
    if (Given.size() == 4 && constantValue(Given[3], Context) != 0)
      Op.Zeros = Given[3];
    if (!Op.Bytes || (*Op.Bytes != 4 && *Op.Bytes != 8 && *Op.Bytes != 16))
      return;
    Op.Alignment = *Op.Bytes;
    Op.Kind = AsyncKind::Copy;
  }

  /// `memcpy_async(group, to, elements, from, elements)`: the fewer of both.
  void copyOfLayouts(const Expr *To, const Expr *ToSize, const Expr *From,
                     const Expr *FromSize) {
    AsyncOp Other;
    readSize(Op, ToSize, Context);
    readSize(Other, FromSize, Context);
    const QualType T = To->getType()->isPointerType()
                           ? To->getType()->getPointeeType()
                           : QualType();
    if (T.isNull() || T->isIncompleteType() || T->isVoidType() ||
        !Op.BytesGiven || !Other.BytesGiven)
      return;
    llvm::FoldingSetNodeID One, Two;
    Op.BytesGiven->Profile(One, Context, true);
    Other.BytesGiven->Profile(Two, Context, true);
    Op.Unit = Context.getTypeSizeInChars(T).getQuantity();
    if (Op.Bytes && Other.Bytes)
      Op.Bytes = std::min(*Op.Bytes, *Other.Bytes) * Op.Unit;
    else if (One != Two || Op.Bytes || !computesOnly(Op.BytesGiven))
      return;
    Op.To = To;
    Op.From = From;
    Op.Kind = AsyncKind::Copy;
  }

  /// `memcpy_async([group,] to, from, size[, object])`.
  void copy() {
    llvm::ArrayRef<const Expr *> Rest = Given;
    if (!Rest.empty() && isObject(Rest.back(), "pipeline"))
      Rest = Rest.drop_back();
    else if (!Rest.empty() && isObject(Rest.back(), "barrier"))
      Rest = Rest.drop_back();
    const bool Grouped = Rest.size() == 4;
    if (Grouped) {
      Op.Group = isOneThread(Rest[0]) ? nullptr : Rest[0];
      Rest = Rest.drop_front();
    }
    bool ByGroup = !Op.Object; // cooperative_groups::memcpy_async
    if (ByGroup && Rest.size() == 5) {
      Op.Group = isOneThread(Rest[0]) ? nullptr : Rest[0];
      return copyOfLayouts(Rest[1], Rest[2], Rest[3], Rest[4]);
    }
    if (Rest.size() != 3 || (ByGroup && !Grouped))
      return;
    Op.To = Rest[0];
    Op.From = Rest[1];
    readSize(Op, Rest[2], Context);
    if (Op.BytesGiven)
      Op.Kind = AsyncKind::Copy;
  }
};

} // namespace

SomeOps opsOfCall(const CallExpr *C, AsyncCode &Code) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F)
    return {};
  if (!isToolkits(F))
    return opsOfWrapper(C, Code);
  llvm::StringRef Name = F->getIdentifier() ? F->getName() : "";
  const Expr *On = calledOn(C);
  bool OfObject = On && (isCalled(On, "barrier") || isCalled(On, "pipeline"));
  if (Name == "init" || Name == "make_pipeline" || Name == "__mbarrier_init" ||
      Name == "__mbarrier_maximum_count" ||
      (!OfObject && classifyCall(F) != CallKind::AsyncCopy))
    return {};
  AsyncOp Op = Call(C, F, Code.Context).op();
  if (Op.Kind == AsyncKind::Other)
    if (auto AtBarrier = opsAtMbarrier(C, Code.Context))
      return *AtBarrier;
  return {Op};
}

void readKept(AsyncOp &Op, const Expr *Bytes, bool OfZeros,
              const ASTContext &Context) {
  const Expr *E = Bytes->IgnoreParenImpCasts();
  const auto *D = dyn_cast<DeclRefExpr>(E);
  if (const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      V && V->getType().isConstQualified() && V->getInit())
    E = V->getInit()->IgnoreParenImpCasts();
  const auto *Choice = dyn_cast<ConditionalOperator>(E);
  if (!Choice || !Op.Bytes)
    return;
  auto Then = constantValue(Choice->getTrueExpr(), Context),
       Else = constantValue(Choice->getFalseExpr(), Context);
  const int64_t All = *Op.Bytes;
  bool AllThen = Then == All && Else == 0, AllElse = Then == 0 && Else == All;
  if (!AllThen && !AllElse)
    return;
  Op.KeptIf = Choice->getCond();
  Op.KeptUnless = OfZeros ? AllThen : AllElse;
}

} // namespace kpipe
