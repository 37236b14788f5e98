// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the author's that load a tile with asynchronous copies, for
// loops that wait at once. They become plain where they stand, so nobody else
// may call them: a loop that is staged by hand would lose its overlap.
#ifndef KPIPE_LOWERING_LOADHELPERS_H
#define KPIPE_LOWERING_LOADHELPERS_H

#include "LoweredBody.h"
#include "Recognition/Loops/DeviceFunctions.h"
#include <map>

namespace kpipe {

class LoadHelpers {
public:
  LoadHelpers(llvm::ArrayRef<DeviceFunction> Functions, AsyncCode &Code,
              UnitCalls &Calls, FileTexts &Files);

  /// A function with its body, and the loops in it that become plain.
  struct User {
    const clang::FunctionDecl *Body;
    const LoweredBody *Lowered;
  };

  /// \param Users all functions of the unit.
  /// \returns whether a helper turned out that cannot become plain; then the
  /// loops that need it are not lowered either, and it is to be asked again.
  bool refuse(llvm::ArrayRef<User> Users);

  bool mayBePlain(const clang::FunctionDecl *Body) const {
    return !Refused.count(Body);
  }

  /// Of the helpers that the users need.
  std::map<clang::FileID, std::set<Edit>> Edits;

private:
  llvm::ArrayRef<DeviceFunction> Functions;
  AsyncCode &Code;
  UnitCalls &Calls;
  FileTexts &Files;
  llvm::DenseMap<const clang::FunctionDecl *, const DeviceFunction *> Written;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Refused;
  llvm::SmallSetVector<const DeviceFunction *, 4> Needed;

  bool refuse(const DeviceFunction &Helper);
  bool makePlain(const DeviceFunction &Helper);
  bool isOnlyCalledBy(const DeviceFunction &Helper,
                      llvm::ArrayRef<User> Users) const;
  bool isNamedUnseen(const DeviceFunction &Helper) const;
};

} // namespace kpipe

#endif // KPIPE_LOWERING_LOADHELPERS_H
