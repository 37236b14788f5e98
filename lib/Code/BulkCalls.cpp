// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcu++'s names for operations of the copy engine: cuda::barrier and what
// cuda::device has for it, cuda::device::experimental, cuda::ptx, and the C
// functions of cuda_awbarrier_primitives.h. Sources: CUDA C++ Programming Guide,
// "Asynchronous Data Copies using the Tensor Memory Accelerator"; libcu++,
// "Barrier", "PTX". What they do otherwise, such as arrivals for several threads,
// is Other.
#include "AstUtils.h"
#include "BulkInstructions.h"
#include "KnownFunctions.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// `barrier` of `cuda::barrier<...>`, behind pointers and references.
const ClassTemplateSpecializationDecl *toolkitsClass(QualType T,
                                                     llvm::StringRef Name) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
  return R && R->getIdentifier() && R->getName() == Name && isToolkits(R)
             ? R
             : nullptr;
}

/// cuda::barrier of a block: the only one that is an mbarrier.
bool isBlocksBarrier(QualType T) {
  const auto *R = toolkitsClass(T, "barrier");
  if (!R || R->getTemplateArgs().size() != 2 ||
      R->getTemplateArgs()[0].getKind() != TemplateArgument::Integral ||
      R->getTemplateArgs()[1].getKind() != TemplateArgument::Type)
    return false;
  // A function of the author's at the end of a phase is run by threads.
  const auto *Ends = R->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
  if (!Ends || !isToolkits(Ends))
    return false;
  // thread_scope's enumerators have other values in other headers.
  const auto Scope = R->getTemplateArgs()[0];
  const auto *E = Scope.getIntegralType()->getAsEnumDecl();
  for (const EnumConstantDecl *C : E ? E->enumerators()
                                     : EnumDecl::enumerator_range({}, {}))
    if (C->getName() == "thread_scope_block")
      return C->getInitVal().getExtValue() ==
             Scope.getAsIntegral().getExtValue();
  return false;
}

class LibraryCall {
public:
  LibraryCall(const CallExpr *C, const GivenPlaces &Places,
              const ASTContext &Context)
      : C(C), F(C->getDirectCallee()), Places(Places), Context(Context) {
    for (const Expr *A : givenTo(C))
      if (!isa<CXXDefaultArgExpr>(A))
        Given.push_back(A);
    if (F->getIdentifier())
      Name = F->getName();
    Op.Name = Name.str();
  }

  std::optional<BulkOp> read() {
    if (isa<CXXMethodDecl>(F)) {
      const Expr *On = calledOn(C);
      if (!On || Name.empty() || !toolkitsClass(On->getType(), "barrier"))
        return std::nullopt;
      if (isBlocksBarrier(On->getType()))
        method(On);
      return Op;
    }
    if (Name == "init" && !Given.empty() &&
        toolkitsClass(Given[0]->getType(), "barrier")) {
      if (Given.size() == 2 && isBlocksBarrier(Given[0]->getType()))
        counted(BulkKind::Init, 0, 1);
      return Op;
    }
    if (Name.starts_with("__mbarrier_")) {
      primitive();
      return Op;
    }
    switch (nameSpace()) {
    case Room::Device:
      return device() ? std::optional(Op) : std::nullopt;
    case Room::Experimental:
      experimental();
      return Op;
    case Room::Ptx:
      return ptx() ? std::optional(Op) : std::nullopt;
    case Room::None:
      return std::nullopt;
    }
    return std::nullopt;
  }

private:
  const CallExpr *C;
  const FunctionDecl *F;
  const GivenPlaces &Places;
  const ASTContext &Context;
  llvm::SmallVector<const Expr *, 6> Given;
  llvm::StringRef Name;
  BulkOp Op;

  enum class Room { None, Device, Experimental, Ptx };

  Room nameSpace() const {
    bool Cuda = false;
    Room Found = Room::None;
    for (const DeclContext *D = F->getDeclContext(); D; D = D->getParent()) {
      const auto *N = dyn_cast<NamespaceDecl>(D);
      if (!N)
        continue;
      Cuda |= N->getName() == "cuda";
      if (N->getName() == "experimental")
        Found = Room::Experimental;
      else if (N->getName() == "device" && Found == Room::None)
        Found = Room::Device;
      else if (N->getName() == "ptx")
        Found = Room::Ptx;
    }
    return Cuda ? Found : Room::None;
  }

  void counted(BulkKind Kind, unsigned Barrier, unsigned Number) {
    Op.Kind = Kind;
    Op.Barrier = Places.resolve(Given[Barrier]);
    number(Given[Number]);
  }

  void number(const Expr *E) {
    Op.Number = Places.resolve(E);
    if (Op.Number)
      Op.Value = constantValue(Op.Number, Context);
  }

  bool isOne(unsigned Argument) const {
    const Expr *E = Places.resolve(Given[Argument]);
    return E && constantValue(E, Context) == 1;
  }

  void token(const Expr *E) {
    Op.Kind = BulkKind::Wait;
    // `std::move(token)`
    const auto *Move = dyn_cast<CallExpr>(E->IgnoreParenCasts());
    const FunctionDecl *Of = Move ? Move->getDirectCallee() : nullptr;
    if (Of && Of->getIdentifier() && Of->getName() == "move" &&
        Of->isInStdNamespace() && Move->getNumArgs() == 1)
      E = Move->getArg(0);
    else if (Of && Of->getIdentifier() && Of->getName() == "move" &&
             isToolkits(Of) && Move->getNumArgs() == 1)
      E = Move->getArg(0);
    Op.Token = Places.resolve(E);
    if (!Op.Token)
      Op.Kind = BulkKind::Other;
  }

  void method(const Expr *On) {
    Op.Barrier = Places.resolve(On);
    if (Name == "arrive" && (Given.empty() || (Given.size() == 1 && isOne(0))))
      Op.Kind = BulkKind::Arrive;
    else if (Name == "wait" && Given.size() == 1)
      token(Given[0]);
    else if (Name == "wait_parity" && Given.size() == 1) {
      Op.Kind = BulkKind::Wait;
      number(Given[0]);
    }
  }

  void primitive() {
    if (Name == "__mbarrier_init" && Given.size() == 2)
      counted(BulkKind::Init, 0, 1);
    else if ((Name == "__mbarrier_test_wait_parity" ||
              Name == "__mbarrier_try_wait_parity") &&
             Given.size() >= 2)
      counted(BulkKind::Wait, 0, 1);
    else if (Name == "__mbarrier_arrive" && Given.size() == 1) {
      Op.Kind = BulkKind::Arrive;
      Op.Barrier = Places.resolve(Given[0]);
    }
  }

  /// The bytes of `cuda::aligned_size_t<16>(n)`.
  void alignedSize(const Expr *E) {
    for (unsigned Steps = 0; E && Steps != 8; ++Steps) {
      E = E->IgnoreParenImpCasts();
      if (!toolkitsClass(E->getType(), "aligned_size_t"))
        return number(E);
      if (const auto *Full = dyn_cast<FullExpr>(E))
        E = Full->getSubExpr();
      else if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
        E = T->getSubExpr();
      else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
        E = Cast->getSubExpr();
      else if (const auto *Made = dyn_cast<CXXConstructExpr>(E);
               Made && Made->getNumArgs() == 1)
        E = Made->getArg(0);
      else if (const auto *List = dyn_cast<InitListExpr>(E);
               List && List->getNumInits() == 1)
        E = List->getInit(0);
      else
        return;
    }
  }

  bool device() {
    if (Name == "barrier_native_handle")
      return false;
    if (Name == "barrier_arrive_tx" && Given.size() == 3) {
      if (isOne(1))
        counted(BulkKind::ArriveExpect, 0, 2);
    } else if (Name == "barrier_expect_tx" && Given.size() == 2) {
      counted(BulkKind::Expect, 0, 1);
    } else if (Name == "memcpy_async_tx" && Given.size() == 4) {
      Op.Kind = BulkKind::BulkCopy;
      Op.To = Places.resolve(Given[0]);
      alignedSize(Given[2]);
      Op.Barrier = Places.resolve(Given[3]);
    } else if (!Name.starts_with("barrier_") && !Name.starts_with("memcpy")) {
      return false;
    }
    return true;
  }

  void experimental() {
    if (Name == "fence_proxy_async_shared_cta")
      Op.Kind = BulkKind::Fence;
    else if (Name == "cp_async_bulk_global_to_shared" && Given.size() == 4) {
      Op.Kind = BulkKind::BulkCopy;
      Op.To = Places.resolve(Given[0]);
      number(Given[2]);
      Op.Barrier = Places.resolve(Given[3]);
    } else if (Name.starts_with("cp_async_bulk_tensor_") &&
               Name.ends_with("d_global_to_shared") && Given.size() >= 4) {
      Op.Kind = BulkKind::TensorCopy;
      Op.To = Places.resolve(Given[0]);
      Op.Barrier = Places.resolve(Given.back());
    }
  }

  /// `cuda::ptx::space_shared` and its kin.
  bool says(unsigned Argument, llvm::StringRef Word) const {
    const auto *D = dyn_cast<DeclRefExpr>(Given[Argument]->IgnoreParenCasts());
    if (!D) // a copy of it
      if (const auto *Copy =
              dyn_cast<CXXConstructExpr>(Given[Argument]->IgnoreImplicit());
          Copy && Copy->getNumArgs() == 1)
        D = dyn_cast<DeclRefExpr>(Copy->getArg(0)->IgnoreParenCasts());
    const ValueDecl *V = D ? D->getDecl() : nullptr;
    return V && V->getIdentifier() && V->getName() == Word && isToolkits(V);
  }

  bool ptx() {
    if (Name.starts_with("fence_proxy_async") ||
        Name.starts_with("fence_mbarrier_init")) {
      Op.Kind = BulkKind::Fence;
      return true;
    }
    if (Name.starts_with("mbarrier_"))
      ptxBarrier();
    else if (Name.starts_with("cp_async_bulk"))
      ptxCopy();
    else // what the copy engine does not hear of
      return Name.starts_with("cp_") || Name.starts_with("tcgen05_") ||
             Name.starts_with("st_async") || Name.starts_with("red_async");
    return true;
  }

  void ptxBarrier() {
    const size_t Count = Given.size();
    // (sem, scope, space, barrier, ...)
    const bool Own = Count >= 4 && says(2, "space_shared");
    if (Name == "mbarrier_init" && Count == 2) {
      counted(BulkKind::Init, 0, 1);
    } else if (Name == "mbarrier_arrive_expect_tx" && Count == 5 && Own) {
      counted(BulkKind::ArriveExpect, 3, 4);
    } else if (Name == "mbarrier_expect_tx" && Count == 5 && Own) {
      counted(BulkKind::Expect, 3, 4);
    } else if (Name == "mbarrier_arrive" &&
               (Count == 1 || (Count == 4 && Own) ||
                (Count == 5 && Own && isOne(4)))) {
      Op.Kind = BulkKind::Arrive;
      Op.Barrier = Places.resolve(Given[Count == 1 ? 0 : 3]);
    } else if (Name == "mbarrier_try_wait_parity" ||
               Name == "mbarrier_test_wait_parity") {
      // (barrier, parity[, hint]) or (sem, scope, barrier, parity[, hint])
      const unsigned At =
          Count && Given[0]->getType()->isPointerType() ? 0 : 2;
      if (Count >= At + 2)
        counted(BulkKind::Wait, At, At + 1);
    } else if (Name == "mbarrier_try_wait" || Name == "mbarrier_test_wait") {
      const unsigned At =
          Count && Given[0]->getType()->isPointerType() ? 0 : 2;
      if (Count >= At + 2) {
        Op.Barrier = Places.resolve(Given[At]);
        token(Given[At + 1]);
      }
    }
  }

  /// (space, space, to, from, bytes, barrier) and (space, space, to, map,
  /// coordinates, barrier): more arguments are copies to several blocks.
  void ptxCopy() {
    if (Given.size() != 6 || !says(1, "space_global") ||
        !(says(0, "space_shared") || says(0, "space_cluster")))
      return;
    if (Name == "cp_async_bulk") {
      Op.Kind = BulkKind::BulkCopy;
      number(Given[4]);
    } else if (Name == "cp_async_bulk_tensor") {
      Op.Kind = BulkKind::TensorCopy;
    } else {
      return;
    }
    Op.To = Places.resolve(Given[2]);
    Op.Barrier = Places.resolve(Given[5]);
  }
};

} // namespace

std::optional<BulkOp> bulkCall(const CallExpr *C, const GivenPlaces &Places,
                               const ASTContext &Context) {
  return LibraryCall(C, Places, Context).read();
}

std::optional<BulkOp> rowLoad(const CallExpr *C, const GivenPlaces &Places,
                              const ASTContext &Context) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || !F->getIdentifier() || F->getName() != "load_row" ||
      F->getQualifiedNameAsString() != "kpipe::load_row" ||
      C->getNumArgs() != 4)
    return std::nullopt;
  BulkOp Op;
  Op.Kind = BulkKind::BulkCopy;
  Op.Name = F->getName().str();
  Op.To = Places.resolve(C->getArg(0));
  Op.Number = Places.resolve(C->getArg(2));
  if (Op.Number)
    Op.Value = constantValue(Op.Number, Context);
  Op.Barrier = Places.resolve(C->getArg(3));
  return Op;
}

} // namespace kpipe
