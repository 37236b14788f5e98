// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the unit itself puts into pointers that outlive a kernel.
#ifndef KPIPE_LIB_CODE_INITIALISERS_H
#define KPIPE_LIB_CODE_INITIALISERS_H

namespace clang {
class VarDecl;
}

namespace kpipe {

/// Does what a variable without local storage is initialised with name constant
/// or shared memory: `constexpr const float *name = table;`? A pointer that the
/// host puts there later points to global memory.
bool isInitialisedElsewhere(const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_LIB_CODE_INITIALISERS_H
