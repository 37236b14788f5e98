// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known functions and PTX opcodes, see KnownFunctions.h.

#include "KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace clang;

namespace kpipe {

namespace {

/// `nvcuda::wmma::load_matrix_sync` gives {"load_matrix_sync", "wmma"}: the
/// name and the namespaces around it, innermost first.
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

bool takesPointers(const FunctionDecl *F) {
  return llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
    return P->getType()->isPointerType() || P->getType()->isReferenceType();
  });
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
  if (inNamespace(F, "cooperative_groups"))
    return classifyCooperative(F, Name);
  if (inNamespace(F, "wmma"))
    return classifyWmma(Name);
  if (inNamespace(F, "kpipe"))
    return CallKind::KpipePrimitive;
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
                  "abort", "__builtin_trap", "__builtin_unreachable"},
                 CallKind::Assertion)
          .Cases({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"},
                 CallKind::ReadOnlyLoad)
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
  // Built-ins and declared-only functions that take values only can do nothing
  // but compute: libdevice, conversions, bit tricks, special registers.
  bool Declared = !F->hasBody();
  if (Declared && !takesPointers(F) &&
      (F->getBuiltinID() || Name.starts_with("__") ||
       F->getASTContext().getSourceManager().isInSystemHeader(
           F->getLocation())) &&
      !F->getReturnType()->isVoidType())
    return CallKind::Pure;
  // The toolkit-less declarations of kpipe have no bodies for math either.
  if (Declared && !takesPointers(F) && F->isExternC() &&
      !F->getReturnType()->isVoidType())
    return CallKind::Pure;
  if (F->hasAttr<ConstAttr>())
    return CallKind::Pure;
  return CallKind::Ordinary;
}

AsmEffect classifyAsm(llvm::StringRef Text, bool Volatile,
                      bool ClobbersMemory) {
  AsmEffect Worst;
  Worst.Kind = CallKind::Pure;
  llvm::SmallVector<llvm::StringRef, 8> Statements;
  Text.split(Statements, ';');
  for (llvm::StringRef S : Statements) {
    S = S.trim(" \t\r\n{}");
    while (S.starts_with("//"))
      S = S.split('\n').second.trim(" \t\r\n{}");
    // Declarations, labels' colons and predicates come before the opcode.
    if (S.empty() || S.starts_with(".reg") || S.starts_with(".pred"))
      continue;
    if (S.starts_with("@"))
      S = S.drop_until([](char C) { return C == ' ' || C == '\t'; }).trim();
    llvm::StringRef Op =
        S.take_until([](char C) { return C == ' ' || C == '\t' || C == '\n'; });
    AsmEffect E;
    E.Opcode = Op.str();
    llvm::StringRef Base = Op.split('.').first;
    if (Op.starts_with("bar.sync") || Op.starts_with("barrier.sync") ||
        Op.starts_with("barrier.cta.sync")) {
      llvm::StringRef Operand = S.drop_front(Op.size()).trim();
      E.Kind = Operand == "0" ? CallKind::BlockBarrier : CallKind::NamedBarrier;
    } else if (Base == "bar" || Base == "barrier") {
      E.Kind = CallKind::NamedBarrier;
    } else if (Base == "membar" || Base == "fence") {
      E.Kind = CallKind::Fence;
    } else if (Op.starts_with("cp.async") || Base == "mbarrier") {
      E.Kind = CallKind::AsyncCopy;
    } else if (Base == "griddepcontrol") {
      E.Kind = CallKind::GridSync;
    } else if (Base == "atom" || Base == "red") {
      E.Kind = CallKind::Atomic;
    } else if (Base == "shfl" || Base == "vote" || Base == "match" ||
               Base == "redux" || Base == "activemask") {
      E.Kind = CallKind::WarpSync;
    } else if (Base == "ldmatrix" || Op.starts_with("ld.shared") ||
               Op.starts_with("wmma.load")) {
      E.Kind = CallKind::Pure;
      E.ReadsMemory = true;
    } else if (Op.starts_with("ld.global") || Op.starts_with("ld.const") ||
               Op.starts_with("ld.param") || Op.starts_with("ldu")) {
      E.Kind = CallKind::Pure;
      E.ReadsGlobal = true;
    } else if (Base == "stmatrix" || Base == "st" ||
               Op.starts_with("wmma.store")) {
      E.Kind = CallKind::Pure;
      E.WritesMemory = true;
    } else {
      bool Known =
          llvm::StringSwitch<bool>(Base)
              .Cases({"mma", "wmma", "cvta", "cvt", "mov", "add", "sub", "mul",
                      "mad"},
                     true)
              .Cases({"fma", "lop3", "and", "or", "xor", "not", "shl", "shr",
                      "shf"},
                     true)
              .Cases({"prmt", "selp", "setp", "set", "min", "max", "abs",
                      "neg", "dp4a"},
                     true)
              .Cases({"dp2a", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2",
                      "ex2", "tanh"},
                     true)
              .Cases({"bfe", "bfi", "bfind", "brev", "clz", "popc", "fns",
                      "div", "rem"},
                     true)
              .Cases({"mul24", "mad24", "sad", "szext", "bmsk", "copysign",
                      "testp", "slct", "addc"},
                     true)
              .Cases({"subc", "madc", "elect", "isspacep", "vadd", "vmin",
                      "vmax"},
                     true)
              .Default(false);
      // Without volatile and a memory clobber, the compiler itself is told
      // that nothing but the outputs changes.
      E.Kind = Known || (!Volatile && !ClobbersMemory) ? CallKind::Pure
                                                       : CallKind::Ordinary;
    }
    Worst.ReadsMemory |= E.ReadsMemory;
    Worst.ReadsGlobal |= E.ReadsGlobal;
    Worst.WritesMemory |= E.WritesMemory;
    if (E.Kind != CallKind::Pure && Worst.Kind == CallKind::Pure) {
      Worst.Kind = E.Kind;
      Worst.Opcode = E.Opcode;
    }
    if (Worst.Opcode.empty())
      Worst.Opcode = E.Opcode;
  }
  return Worst;
}

} // namespace kpipe
