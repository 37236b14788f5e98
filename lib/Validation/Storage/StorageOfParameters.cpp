// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls give for the parameters of the outermost function, see
// StorageResolver.h.

#include "StorageResolver.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Does every call bind the reference to a variable of the caller's own that no
/// other argument reaches?
bool StorageResolver::isCallersLocal(const ParmVarDecl *P,
                                     const CallFrame &In) {
  const FunctionDecl *F = In.Function;
  if (In.Index->hidden(F) || In.Index->callsOf(F).empty() ||
      In.Index->keepsPointers() || In.Depth >= MaxDepth ||
      (In.Index->context().getLangOpts().GPURelocatableDeviceCode &&
       F->isExternallyVisible()))
    return false;
  const unsigned I = P->getFunctionScopeIndex();
  for (const CodeIndex::Call &C : In.Index->callsOf(F)) {
    auto Args = argumentsOf(C.At);
    if (!C.In || C.In == F || I >= Args.size())
      return false;
    CallFrame Outer;
    Outer.Function = C.In;
    Outer.Index = In.Index;
    Outer.Depth = In.Depth + 1;
    const Storages To = lvalue(Args[I], Outer);
    if (To.size() != 1 || To[0].Where != Storage::Kind::Local || !To[0].Var ||
        isa<ParmVarDecl>(To[0].Var))
      return false;
    if (!isHandedOnce(C.At, Args[I], To, Outer))
      return false;
  }
  return true;
}

Storages StorageResolver::parameter(const ParmVarDecl *V, const CallFrame &In) {
  Storage P;
  P.Where = Storage::Kind::Pointee;
  P.Var = V;
  P.Restrict = V->getType().isRestrictQualified();
  P.Global = true;
  const auto *F = In.Function;
  if (F->hasAttr<CUDAGlobalAttr>() || !In.Index)
    return {P};
  if (In.Index->hidden(F) || In.Depth >= MaxDepth)
    P.Global = false;
  Storages Found{P};
  if (In.Depth >= MaxDepth)
    return Found;
  // Where every call gives arrays, it is one of these and nothing else.
  bool OnlyArrays =
      !In.Index->hidden(F) && !In.Index->callsOf(F).empty() &&
      !(In.Index->context().getLangOpts().GPURelocatableDeviceCode &&
        F->isExternallyVisible());
  for (const CodeIndex::Call &C : In.Index->callsOf(F)) {
    auto Args = argumentsOf(C.At);
    unsigned I = V->getFunctionScopeIndex();
    if (!C.In || I >= Args.size() || C.In == F) {
      OnlyArrays = false;
      Found[0].Global = false;
      continue;
    }
    CallFrame Outer;
    Outer.Function = C.In;
    Outer.Index = In.Index;
    Outer.Depth = In.Depth + 1;
    const Storages To = Args[I]->getType()->isPointerType()
                            ? pointer(Args[I], Outer)
                            : lvalue(Args[I], Outer);
    OnlyArrays &= !To.empty() && llvm::all_of(To, [](const Storage &Q) {
      return Q.Where == Storage::Kind::Shared && Q.Var;
    });
    for (Storage Q : To)
      if (Q.Where == Storage::Kind::Shared)
        add(Found, {Q});
      else if (Q.Where != Storage::Kind::Device &&
               Q.Where != Storage::Kind::AnyGlobal && !Q.Global)
        Found[0].Global = false;
  }
  if (OnlyArrays)
    Found.erase(Found.begin());
  return Found;
}

} // namespace kpipe
