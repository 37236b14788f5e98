// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known functions, see KnownFunctions.h.

#include "KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is F declared in a namespace of that name, at any depth?
bool inNamespace(const FunctionDecl *F, llvm::StringRef Name) {
  for (const DeclContext *C = F->getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C))
      if (N->getName() == Name)
        return true;
  return false;
}

llvm::StringRef recordName(QualType T) {
  T = T.getNonReferenceType();
  if (const auto *R = T->getAsCXXRecordDecl())
    if (R->getIdentifier())
      return R->getName();
  return {};
}

CallKind cooperativeSync(llvm::StringRef Group) {
  if (Group == "thread_block")
    return CallKind::BlockBarrier;
  if (Group == "grid_group" || Group == "multi_grid_group")
    return CallKind::GridSync;
  if (Group == "cluster_group" || Group.empty())
    return CallKind::NamedBarrier;
  return CallKind::WarpSync; // tiles and coalesced groups
}

CallKind classifyCooperative(const FunctionDecl *F, llvm::StringRef Name) {
  if (Name == "memcpy_async" || Name == "wait" || Name == "wait_prior")
    return CallKind::AsyncCopy;
  if (Name == "sync") {
    if (const auto *M = dyn_cast<CXXMethodDecl>(F))
      return cooperativeSync(recordName(
          F->getASTContext().getCanonicalTagType(M->getParent())));
    if (F->getNumParams() == 1)
      return cooperativeSync(recordName(F->getParamDecl(0)->getType()));
    return CallKind::NamedBarrier;
  }
  if (Name.starts_with("barrier_"))
    return CallKind::NamedBarrier;
  if (Name.starts_with("shfl") || Name == "any" || Name == "all" ||
      Name == "ballot" || Name.starts_with("match") || Name == "reduce" ||
      Name.ends_with("_scan"))
    return CallKind::WarpSync;
  return CallKind::Pure; // ranks, sizes, partitions
}

CallKind classifyWmma(llvm::StringRef Name) {
  return llvm::StringSwitch<CallKind>(Name)
      .Case("load_matrix_sync", CallKind::WmmaLoad)
      .Case("store_matrix_sync", CallKind::WmmaStore)
      .Cases({"mma_sync", "bmma_sync", "fill_fragment"}, CallKind::WmmaCompute)
      .Default(CallKind::Pure);
}

/// A name says what a function does only where it is the compiler's, the
/// toolkit's or kpipe's own declaration of it: people write helpers called
/// `__reduce_tile` or `atomicMaxFloat`, and namespaces called `wmma`.
bool usersOwn(const FunctionDecl *F) {
  const SourceManager &SM = F->getASTContext().getSourceManager();
  return !F->getBuiltinID() && !F->isImplicit() &&
         llvm::none_of(F->redecls(), [&](const FunctionDecl *D) {
           return SM.isInSystemHeader(D->getLocation());
         });
}

/// Methods of cuda::pipeline and cuda::barrier order asynchronous copies.
bool isAsyncObject(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (!M || !inNamespace(F, "cuda") || !M->getParent()->getIdentifier())
    return false;
  llvm::StringRef Name = M->getParent()->getName();
  return Name.starts_with("pipeline") || Name == "barrier";
}

bool takesPointers(const FunctionDecl *F) {
  return llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
    return P->getType()->isPointerType() || P->getType()->isReferenceType();
  });
}

/// Changes what other threads or the host see without being given a pointer to
/// it: surfaces, the heap, the runtime API.
bool reachesFurther(llvm::StringRef Name) {
  return (Name.starts_with("surf") && Name.contains("write")) ||
         Name.starts_with("cuda") ||
         llvm::is_contained({"malloc", "calloc", "realloc", "free", "exit"},
                            Name);
}

CallKind classifyNvvm(llvm::StringRef Name) {
  if (Name == "__nvvm_barrier0" || Name == "__nvvm_barrier_cta_sync_aligned_all")
    return CallKind::BlockBarrier;
  if (Name.starts_with("__nvvm_bar0_"))
    return CallKind::ValueBarrier;
  if (Name.starts_with("__nvvm_bar_warp") || Name.starts_with("__nvvm_shfl") ||
      Name.starts_with("__nvvm_vote") || Name.starts_with("__nvvm_match") ||
      Name.starts_with("__nvvm_redux") || Name.starts_with("__nvvm_activemask"))
    return CallKind::WarpSync;
  if (Name.starts_with("__nvvm_bar"))
    return CallKind::NamedBarrier;
  if (Name.starts_with("__nvvm_membar") || Name.starts_with("__nvvm_fence"))
    return CallKind::Fence;
  if (Name.starts_with("__nvvm_cp_async") || Name.starts_with("__nvvm_mbarrier"))
    return CallKind::AsyncCopy;
  if (Name.starts_with("__nvvm_atom"))
    return CallKind::Atomic;
  if (Name.starts_with("__nvvm_ldg") || Name.starts_with("__nvvm_ldu"))
    return CallKind::ReadOnlyLoad;
  if (Name.contains("mma") && Name.contains("_ld_"))
    return CallKind::WmmaLoad;
  if (Name.contains("mma") && Name.contains("_st_"))
    return CallKind::WmmaStore;
  if (Name.contains("mma"))
    return CallKind::WmmaCompute;
  return CallKind::Ordinary;
}

} // namespace

CallKind classifyCall(const FunctionDecl *F) {
  if (!F->getIdentifier())
    return CallKind::Ordinary;
  llvm::StringRef Name = F->getName();
  // The runtime's header may be pasted into the file.
  if (inNamespace(F, "kpipe"))
    return CallKind::KpipePrimitive;
  if (usersOwn(F))
    return F->hasAttr<ConstAttr>() ? CallKind::Pure : CallKind::Ordinary;
  if (inNamespace(F, "cooperative_groups"))
    return classifyCooperative(F, Name);
  if (inNamespace(F, "wmma"))
    return classifyWmma(Name);
  if (isAsyncObject(F))
    return CallKind::AsyncCopy;
  if (Name.starts_with("__nvvm_"))
    if (CallKind Kind = classifyNvvm(Name); Kind != CallKind::Ordinary)
      return Kind;
  CallKind Kind =
      llvm::StringSwitch<CallKind>(Name)
          .Case("__syncthreads", CallKind::BlockBarrier)
          .Cases({"__syncthreads_count", "__syncthreads_and",
                  "__syncthreads_or"},
                 CallKind::ValueBarrier)
          .Cases({"__barrier_sync", "__barrier_sync_count"},
                 CallKind::NamedBarrier)
          .StartsWith("__cluster_barrier", CallKind::NamedBarrier)
          .StartsWith("__mbarrier", CallKind::AsyncCopy)
          .Case("__nv_atomic_thread_fence", CallKind::Fence)
          .StartsWith("__nv_atomic", CallKind::Atomic)
          .Cases({"__stwb", "__stcg", "__stcs", "__stwt"},
                 CallKind::CachedStore)
          .Cases({"__syncwarp", "__any", "__all", "__ballot", "__any_sync",
                  "__all_sync", "__ballot_sync", "__activemask"},
                 CallKind::WarpSync)
          .Cases({"__threadfence", "__threadfence_block",
                  "__threadfence_system"},
                 CallKind::Fence)
          .Cases({"cudaGridDependencySynchronize",
                  "cudaTriggerProgrammaticLaunchCompletion",
                  "cudaDeviceSynchronize"},
                 CallKind::GridSync)
          .Cases({"printf", "vprintf", "puts"}, CallKind::Output)
          .Cases({"__assert_fail", "__assertfail", "_wassert", "__trap",
                  "abort", "__brkpt", "__builtin_trap", "__builtin_unreachable"},
                 CallKind::Assertion)
          .Case("__ldg", CallKind::ReadOnlyLoad)
          .Cases({"__ldca", "__ldcg", "__ldcs", "__ldlu"},
                 CallKind::CachedLoad)
          .Case("__ldcv", CallKind::VolatileLoad)
          .Cases({"__builtin_assume", "__builtin_expect",
                  "__builtin_assume_aligned", "clock", "clock64"},
                 CallKind::Pure)
          .Default(CallKind::Ordinary);
  if (Kind != CallKind::Ordinary)
    return Kind;
  if (Name.starts_with("atomic") || Name.starts_with("__iAtomic") ||
      Name.starts_with("__fAtomic") || Name.starts_with("__uAtomic"))
    return CallKind::Atomic;
  if (Name.starts_with("__shfl") || Name.starts_with("__match") ||
      Name.starts_with("__reduce"))
    return CallKind::WarpSync;
  if (Name.starts_with("__pipeline_") || Name == "memcpy_async" ||
      inNamespace(F, "pipeline"))
    return CallKind::AsyncCopy;
  if (Name.starts_with("__mma_") || Name.starts_with("__hmma_") ||
      Name.starts_with("__imma_") || Name.starts_with("__dmma_") ||
      Name.starts_with("__bmma_"))
    return classifyNvvm(("__nvvm_mma" + Name).str());
  // Built-ins and declared-only functions of the toolkit that take and return
  // values can do nothing but compute: libdevice, conversions, bit tricks,
  // special registers.
  if (!F->hasBody() && !takesPointers(F) && !reachesFurther(Name) &&
      !F->getReturnType()->isVoidType())
    return CallKind::Pure;
  if (F->hasAttr<ConstAttr>())
    return CallKind::Pure;
  return CallKind::Ordinary;
}

bool touchesOnlyArguments(const FunctionDecl *F) {
  if (F->hasBody() || usersOwn(F))
    return false;
  // Operators and constructors of the toolkit's number types have no name.
  if (!F->getIdentifier())
    return true;
  return !reachesFurther(F->getName()) && !F->getName().starts_with("__nvvm_");
}

} // namespace kpipe
