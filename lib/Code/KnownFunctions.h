// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions do whose bodies say nothing (CUDA's built-ins, libdevice) or
// too much (wmma, cooperative groups). Sources: CUDA C++ Programming Guide ("C++
// Language Extensions", "Warp Matrix Functions", "Cooperative Groups").
#ifndef KPIPE_CODE_KNOWNFUNCTIONS_H
#define KPIPE_CODE_KNOWNFUNCTIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <string>

namespace kpipe {

enum class CallKind {
  Ordinary,      ///< analyse the body; unknown if there is none
  Pure,          ///< reads its arguments and global tables only
  ReadOnlyLoad,  ///< __ldg: argument 0 points to what no thread writes
  CachedLoad,    ///< __ldcg and its kin: an ordinary load with a cache hint
  VolatileLoad,  ///< __ldcv: may not be cached, repeated or moved
  CachedStore,   ///< __stcg and its kin: stores through argument 0
  BlockBarrier,  ///< every thread of the block, nothing else
  ValueBarrier,  ///< __syncthreads_count and kin
  NamedBarrier,  ///< barriers of a part of the block, cluster barriers
  WarpSync,      ///< __syncwarp, shuffles, votes, tile sync
  Fence,         ///< __threadfence and kin
  GridSync,      ///< grid sync, programmatic launch wait
  Atomic,        ///< read-modify-write through argument 0
  Output,        ///< printf, and the clock: once, where it stands
  Assertion,     ///< assert's failure branch, __trap
  AsyncCopy,     ///< cp.async, cuda::pipeline, mbarrier of the author's own
  KpipePrimitive,///< something of kpipe's runtime header
  WmmaLoad,      ///< writes argument 0, reads memory at argument 1
  WmmaStore,     ///< writes memory at argument 0, reads argument 1
  WmmaCompute,   ///< writes argument 0, reads the others
  Unknown        ///< may do anything, such as run a callable that it is given
};

/// Is D declared by the compiler's own headers, by the CUDA toolkit or by
/// kpipe's declarations of it? Only those are believed by name: other headers
/// that the compiler calls system headers (`-isystem`) are somebody's library.
bool isToolkits(const clang::Decl *D);

/// `threadIdx.x` and its kin as the compiler's header makes them; any other
/// property is a call.
bool isSpecialRegister(const clang::PseudoObjectExpr *P);

/// Classifies a called function by name, namespace and attributes. A function
/// that neither the compiler nor the toolkit declares is Ordinary whatever it
/// is called.
CallKind classifyCall(const clang::FunctionDecl *F);

/// Is S a call of `__syncthreads()` or of what is the same by another name?
bool isBlockBarrierCall(const clang::Stmt *S);

/// A function of the toolkit that reads a texture object and gives the value
/// back. It is Pure: a kernel that writes what its textures read has no say in
/// what it gets.
bool isTextureFetch(const clang::FunctionDecl *F);

/// True for functions of the compiler and the toolkit that have no body to look
/// into and that touch no memory but what their arguments point or refer to.
bool touchesOnlyArguments(const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_CODE_KNOWNFUNCTIONS_H
