// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user may set in more than one place: on the command line, or for a
// folder in a `.kpipe` file.
#ifndef KPIPE_TOOL_OPTIONS_SETTINGS_H
#define KPIPE_TOOL_OPTIONS_SETTINGS_H

#include "kpipe/LoopForm.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// One member for each option that may stand in a `.kpipe` file; what is not
/// set is empty. The keys of the file are the options' names.
struct Settings {
  std::optional<std::vector<std::string>> Arch, Instantiate, ExtraArgs;
  std::optional<std::string> DynamicShared, Launches, HeaderFilter, Kernel,
      Block, CudaPath, Profile, Registers;
  std::optional<bool> InlineRuntime, LineDirectives, Strict, Verbose;
  /// Its fields are keys as well.
  LoopForm Form;

  /// Takes from Other what is not set here.
  void addMissing(const Settings &Other);
};

/// The `.kpipe` files that hold for a source: its folder's and those of the
/// folders above, nearest first.
std::vector<std::string> findSettingsFiles(llvm::StringRef Source);

/// Reads a `.kpipe` file. Relative paths in it are meant from its folder.
/// \returns an error of one line with the place when it is no YAML or holds an
/// unknown key.
llvm::Expected<Settings> readSettingsFile(llvm::StringRef Path);

/// What a `.kpipe` file with these settings looks like.
std::string toYaml(const Settings &S);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_SETTINGS_H
