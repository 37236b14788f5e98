// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the user's command lines to commands: which program, on which GPU, here
// or through a scheduler. It must not know what is measured.
#ifndef KPIPE_TOOL_TUNE_LAUNCH_H
#define KPIPE_TOOL_TUNE_LAUNCH_H

#include "support/Command.h"
#include <optional>

namespace kpipe {

struct LaunchRules {
  CommandTemplate Build, Run;
  /// In front of both; empty: they run here.
  std::optional<CommandTemplate> Launcher = std::nullopt;
  /// Names of GPUs, each for one run at a time; empty: one, which has no name.
  std::vector<std::string> Gpus = {};
  /// Folder of the original, for `{dir}`.
  std::string SourceFolder = "";

  size_t gpus() const { return std::max<size_t>(1, Gpus.size()); }
};

/// \param Base path of its output and its log, without their suffixes.
Command buildCommand(const LaunchRules &Rules, llvm::StringRef Source,
                     llvm::StringRef Program, llvm::StringRef Base);

/// \param Gpu index.
Command runCommand(const LaunchRules &Rules, llvm::StringRef Program,
                   llvm::StringRef Base, size_t Gpu);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_LAUNCH_H
