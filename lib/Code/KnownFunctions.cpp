// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known functions, see KnownFunctions.h.

#include "KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

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

/// Is an argument a callable of somebody else than the toolkit? The toolkit's
/// own (`plus`, `less`, `bit_and` and so on) compute and do no more.
bool runsCallable(const FunctionDecl *F) {
  return llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
    QualType T = P->getType().getNonReferenceType();
    if (T->isPointerType() || T->isMemberPointerType())
      return true;
    const auto *R = T->getAsCXXRecordDecl();
    return R && (R->isLambda() || !isToolkits(R));
  });
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
      Name == "ballot" || Name.starts_with("match"))
    return CallKind::WarpSync;
  if (Name == "reduce" || Name == "inclusive_scan" || Name == "exclusive_scan")
    return runsCallable(F) ? CallKind::Unknown : CallKind::WarpSync;
  return llvm::StringSwitch<CallKind>(Name)
      .Cases({"thread_rank", "size", "num_threads", "group_size"},
             CallKind::Pure)
      .Cases({"meta_group_size", "meta_group_rank", "is_valid", "get_type"},
             CallKind::Pure)
      .Cases({"group_index", "thread_index", "group_dim", "dim_threads"},
             CallKind::Pure)
      .Cases({"block_rank", "num_blocks", "dim_blocks", "block_index"},
             CallKind::Pure)
      .Cases({"grid_rank", "num_grids", "map_shared_rank", "query_shared_rank"},
             CallKind::Pure)
      .Cases({"this_thread_block", "this_grid", "this_cluster",
              "this_multi_grid", "this_thread", "tiled_partition"},
             CallKind::Pure)
      .Cases({"cluster_size", "dim_cluster", "cluster_index", "cluster_rank",
              "num_clusters", "dim_clusters"},
             CallKind::Pure)
      // Who takes part is asked among the threads.
      .Cases({"coalesced_threads", "binary_partition", "labeled_partition"},
             CallKind::WarpSync)
      .Default(CallKind::Unknown); // invoke_one and what comes after it
}

CallKind classifyWmma(llvm::StringRef Name) {
  return llvm::StringSwitch<CallKind>(Name)
      .Case("load_matrix_sync", CallKind::WmmaLoad)
      .Case("store_matrix_sync", CallKind::WmmaStore)
      .Cases({"mma_sync", "bmma_sync", "fill_fragment"}, CallKind::WmmaCompute)
      .Case("__float_to_tf32", CallKind::Pure)
      .Default(CallKind::Unknown);
}

/// Where a declaration stands, symbolic links resolved.
llvm::StringRef fileOf(const Decl *D) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  OptionalFileEntryRef File =
      SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(D->getLocation())));
  return File ? SM.getFileManager().getCanonicalName(*File) : llvm::StringRef();
}

/// The folder of the header that declares Name at the top of the unit, if the
/// compiler holds it for a system header.
llvm::StringRef folderOf(ASTContext &Context, llvm::StringRef Name) {
  auto Found = Context.getTranslationUnitDecl()->lookup(
      DeclarationName(&Context.Idents.get(Name)));
  if (Found.empty() || !Context.getSourceManager().isInSystemHeader(
                           Found.front()->getLocation()))
    return {};
  return llvm::sys::path::parent_path(fileOf(Found.front()));
}

/// Namespaces and classes of the toolkit count as its own; so does a name only
/// where it is the compiler's, the toolkit's or kpipe's own declaration of it:
/// people write helpers called `__reduce_tile` or `atomicMaxFloat`, namespaces
/// called `wmma`, and bodies for what the toolkit declares.
bool usersOwn(const FunctionDecl *F) {
  if (F->getBuiltinID())
    return false;
  if (F->isImplicit()) {
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    return M && !isToolkits(M->getParent());
  }
  bool Declared = false;
  for (const FunctionDecl *D : F->redecls()) {
    bool Toolkits = isToolkits(D);
    if (!Toolkits && D->isThisDeclarationADefinition())
      return true;
    Declared |= Toolkits;
  }
  return !Declared;
}

/// Methods of cuda::pipeline and cuda::barrier order asynchronous copies.
bool isAsyncObject(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (!M || !inNamespace(F, "cuda") || !M->getParent()->getIdentifier())
    return false;
  llvm::StringRef Name = M->getParent()->getName();
  return Name.starts_with("pipeline") || Name == "barrier";
}

/// cuda::device, cuda::device::experimental and cuda::ptx, as far as they are
/// about mbarriers and bulk copies.
CallKind classifyCopyEngine(const FunctionDecl *F, llvm::StringRef Name) {
  const bool Ptx = inNamespace(F, "ptx");
  if (!Ptx && !inNamespace(F, "device"))
    return CallKind::Ordinary;
  if (Name.starts_with("fence_"))
    return CallKind::Fence;
  const bool Engine =
      Name.starts_with("cp_async_bulk") || Name.starts_with("cp_reduce_async") ||
      Name.starts_with("mbarrier_") || Name.starts_with("st_async") ||
      Name.starts_with("red_async") || Name == "barrier_arrive_tx" ||
      Name == "barrier_expect_tx" || Name == "memcpy_async_tx";
  return Engine ? CallKind::AsyncCopy : CallKind::Ordinary;
}

bool takesPointers(const FunctionDecl *F) {
  return F->isVariadic() || llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
    return P->getType()->isPointerType() || P->getType()->isReferenceType();
  });
}

/// Changes what other threads or the host see without being given a pointer to
/// it: surfaces, the heap, the runtime API.
bool reachesFurther(llvm::StringRef Name) {
  return Name.starts_with("surf") || Name.starts_with("__nvvm_su") ||
         Name.starts_with("cuda") || Name.starts_with("__cudaCDP") ||
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

/// Primitives that the text of a loop may have before it is pipelined: their
/// bodies say what they do.
static bool isReadAsCode(const Decl *D) {
  const auto *F = dyn_cast<FunctionDecl>(D);
  return F && F->getIdentifier() && inNamespace(F, "kpipe") &&
         llvm::is_contained({"expect_tile", "fence_proxy_async", "init_full",
                             "load_box", "load_row", "swizzled", "wait_full"},
                            F->getName());
}

bool isToolkits(const Decl *D) {
  llvm::StringRef File = fileOf(D);
  if (File.empty())
    return D->isImplicit() || D->getLocation().isInvalid();
  auto Within = [&](llvm::StringRef Folder) {
    return !Folder.empty() && File.starts_with(Folder) &&
           File.substr(Folder.size()).starts_with("/");
  };
  ASTContext &Context = D->getASTContext();
  // kpipe's files in memory; then the folders of the toolkit and of the
  // compiler, told by what only they declare.
  return (Within("/__kpipe__") && !isReadAsCode(D)) ||
         Within(folderOf(Context, "dim3")) ||
         Within(folderOf(Context, "__cuda_builtin_threadIdx_t"));
}

bool isSpecialRegister(const PseudoObjectExpr *P) {
  const auto *Property =
      dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
  return Property && isToolkits(Property->getPropertyDecl());
}

/// Functions that one name stands for.
static CallKind classifyName(llvm::StringRef Name) {
  return llvm::StringSwitch<CallKind>(Name)
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
      .Cases({"__atomic_thread_fence", "__c11_atomic_thread_fence",
              "__scoped_atomic_thread_fence", "__sync_synchronize"},
             CallKind::Fence)
      .Cases({"cudaGridDependencySynchronize",
              "cudaTriggerProgrammaticLaunchCompletion",
              "cudaDeviceSynchronize"},
             CallKind::GridSync)
      .Cases({"printf", "vprintf", "puts", "clock", "clock64"},
             CallKind::Output)
      .Cases({"__assert_fail", "__assertfail", "_wassert", "__trap",
              "abort", "__brkpt", "__builtin_trap", "__builtin_unreachable"},
             CallKind::Assertion)
      .Case("__ldg", CallKind::ReadOnlyLoad)
      .Cases({"__ldca", "__ldcg", "__ldcs", "__ldlu"},
             CallKind::CachedLoad)
      .Case("__ldcv", CallKind::VolatileLoad)
      .Cases({"__builtin_assume", "__builtin_expect",
              "__builtin_assume_aligned"},
             CallKind::Pure)
      .Default(CallKind::Ordinary);
}

bool isBlockBarrierCall(const Stmt *S) {
  const auto *C = dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && classifyCall(F) == CallKind::BlockBarrier;
}

bool isTextureFetch(const FunctionDecl *F) {
  return F->getIdentifier() && F->getName().starts_with("tex") &&
         F->getNumParams() != 0 &&
         F->getParamDecl(0)->getType().getAsString() == "cudaTextureObject_t" &&
         // Sparse fetches say by a pointer whether the texel is there.
         llvm::none_of(F->parameters(),
                       [](const ParmVarDecl *P) {
                         return P->getType()->isPointerType() ||
                                P->getType()->isReferenceType();
                       }) &&
         isToolkits(F);
}

/// Another function of the toolkit that reads or writes one, such as a sparse
/// fetch.
static bool takesTexture(const FunctionDecl *F) {
  return llvm::any_of(F->parameters(),
                      [](const ParmVarDecl *P) {
                        const std::string Type = P->getType().getAsString();
                        return Type == "cudaTextureObject_t" ||
                               Type == "cudaSurfaceObject_t";
                      }) &&
         isToolkits(F);
}

CallKind classifyCall(const FunctionDecl *F) {
  if (!F->getIdentifier())
    return CallKind::Ordinary;
  llvm::StringRef Name = F->getName();
  // What a kernel writes meanwhile is not what its textures are read for.
  if (isTextureFetch(F))
    return CallKind::Pure;
  if (takesTexture(F))
    return CallKind::Unknown;
  // The runtime's header may be pasted into the file.
  if (inNamespace(F, "kpipe"))
    return isReadAsCode(F) ? CallKind::Ordinary : CallKind::KpipePrimitive;
  if (F->hasAttr<CUDAGlobalAttr>())
    return CallKind::Unknown; // a launch from the device
  if (usersOwn(F))
    return F->hasAttr<ConstAttr>() ? CallKind::Pure : CallKind::Ordinary;
  if (inNamespace(F, "cooperative_groups"))
    return inNamespace(F, "details") ? CallKind::Ordinary
                                     : classifyCooperative(F, Name);
  if (inNamespace(F, "wmma"))
    return classifyWmma(Name);
  if (isAsyncObject(F))
    return CallKind::AsyncCopy;
  if (inNamespace(F, "cuda"))
    if (CallKind Kind = classifyCopyEngine(F, Name); Kind != CallKind::Ordinary)
      return Kind;
  if (Name.starts_with("__nvvm_"))
    if (CallKind Kind = classifyNvvm(Name); Kind != CallKind::Ordinary)
      return Kind;
  if (CallKind Kind = classifyName(Name); Kind != CallKind::Ordinary)
    return Kind;
  if (Name.starts_with("atomic") || Name.starts_with("__iAtomic") ||
      Name.starts_with("__fAtomic") || Name.starts_with("__uAtomic"))
    return CallKind::Atomic;
  if (Name.starts_with("__shfl") || Name.starts_with("__match") ||
      Name.starts_with("__reduce"))
    return CallKind::WarpSync;
  if (Name.starts_with("__pipeline_") || Name.starts_with("__mbarrier_") ||
      Name == "memcpy_async" || Name == "pipeline_consumer_wait_prior" ||
      Name == "pipeline_producer_commit" ||
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
  // How the toolkit's pipelines turn an address of shared memory into a number.
  if (F->getName() == "__nvvm_get_smem_pointer")
    return true;
  return !reachesFurther(F->getName()) && !F->getName().starts_with("__nvvm_");
}

} // namespace kpipe
