// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured of a text, numbers for each kernel, kept by content in a
// folder of the user's: a second run compiles nothing. A folder that cannot be
// used is no error. It must not know what a text is for.
#ifndef KPIPE_TOOL_REGISTERS_CACHE_H
#define KPIPE_TOOL_REGISTERS_CACHE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>

namespace kpipe {

class RegisterCache {
public:
  /// In $KPIPE_CACHE_DIR, else in kpipe of $XDG_CACHE_HOME, else of ~/.cache.
  /// An empty $KPIPE_CACHE_DIR stands for no cache.
  RegisterCache();

  bool isUsed() const { return !Folder.empty(); }

  /// By kernels.
  using Numbers = llvm::StringMap<llvm::SmallVector<uint64_t, 5>>;
  /// \param Key see keyOf(). \returns nothing if it is not known, if the entry
  /// is damaged, or if one of its files is not what it was.
  std::optional<Numbers> find(llvm::StringRef Key) const;
  /// \param Files that were read, beside what the key stands for.
  void put(llvm::StringRef Key, const Numbers &Known,
           llvm::ArrayRef<std::string> Files = {}) const;

  /// A name for all that Parts say, in this version of kpipe.
  static std::string keyOf(llvm::ArrayRef<std::string> Parts);

private:
  std::string Folder; ///< empty: none
  std::string fileOf(llvm::StringRef Key) const;
};

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_CACHE_H
