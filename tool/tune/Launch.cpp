// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scheduler may let a job wait for long: a file says when its work begins,
// and the time limit counts from then on.
#include "Launch.h"
#include "BuiltRegisters.h"
#include "support/ShellWords.h"

namespace kpipe {

/// \param Gpu its name; empty: none.
static Command launched(const LaunchRules &Rules, std::string Line,
                        llvm::StringRef Gpu, const llvm::Twine &Output,
                        const llvm::Twine &Log) {
  std::string Begin;
  if (Rules.Launcher) {
    Begin = (Log + ".begun").str();
    Line = Rules.Launcher->fill({{"gpu", Gpu}}) + " /bin/sh -c " +
           shellWord(": > " + shellWord(Begin) + "\n" + Line);
  }
  Command C = Command::shell(std::move(Line), Output.str(), Log.str());
  C.BeginFile = std::move(Begin);
  return C;
}

Command buildCommand(const LaunchRules &Rules, llvm::StringRef Source,
                     llvm::StringRef Program, llvm::StringRef Base) {
  std::string Line = Rules.Build.fill(
      {{"src", Source}, {"exe", Program}, {"dir", Rules.SourceFolder}});
  Command C = launched(Rules, std::move(Line),
                       Rules.Gpus.empty() ? "" : Rules.Gpus.front(),
                       Base + ".build-out", Base + ".build-log");
  C.Environment = {askForResourceUse()};
  return C;
}

Command runCommand(const LaunchRules &Rules, llvm::StringRef Program,
                   llvm::StringRef Base, size_t Gpu) {
  std::string Name = Rules.Gpus.empty() ? "" : Rules.Gpus[Gpu];
  // Runs of one program on several GPUs are side by side.
  std::string Own = (Base + (Gpu ? "." + std::to_string(Gpu) : "")).str();
  Command C = launched(
      Rules,
      Rules.Run.fill(
          {{"exe", Program}, {"dir", Rules.SourceFolder}, {"gpu", Name}}),
      Name, Own + ".out", Own + ".log");
  // A scheduler gives its jobs a GPU itself.
  if (!Name.empty() && !Rules.Launcher)
    C.Environment = {"CUDA_VISIBLE_DEVICES=" + Name};
  return C;
}

} // namespace kpipe
