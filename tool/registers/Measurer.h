// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas takes for the kernels of a file, for the text as it is and for
// others in its place: compiled side by side, or known from the cache. It must
// not know how the texts came about or what is made of the numbers.
#ifndef KPIPE_TOOL_REGISTERS_MEASURER_H
#define KPIPE_TOOL_REGISTERS_MEASURER_H

#include "Cache.h"
#include "kpipe/Verify.h"
#include "nvcc/Cubin.h"
#include "support/TemporaryFolder.h"
#include <map>

namespace kpipe {

/// The file whose texts are measured.
struct MeasuredFile {
  std::string Path;
  std::string Arch;
  /// Ways to give the file's flags to nvcc; the first that compiles the text as
  /// it is is kept.
  std::vector<std::vector<std::string>> Flags;
  /// All files that its text includes.
  std::vector<std::string> Dependencies;
};

/// What came of one text.
struct MeasuredText {
  /// Why nvcc does not compile it, one line; empty if it does.
  std::string Failure;
  /// nvcc was not asked to the end: the failure says nothing of the text.
  bool Unknown = false;
  llvm::StringMap<ResourceUse> Use; ///< by mangled names
  /// Of kernels that have one, once readCode() was asked.
  llvm::StringMap<InnerLoop> Inner;
  bool CodeIsRead = false;
  bool isRefused() const { return !Failure.empty() && !Unknown; }
  /// Of functions that are called: their use has no name.
  uint64_t calledSpills() const {
    ResourceUse Called = Use.lookup("");
    return Called.SpillStores + Called.SpillLoads;
  }
};

class Measurer {
public:
  /// \param Jobs compilations at once.
  /// \param Limit seconds for each. Behind the first that takes longer nothing
  /// is compiled any more.
  Measurer(const Toolchain &Tools, MeasuredFile File, unsigned Jobs,
           double Limit)
      : Tools(Tools), File(std::move(File)), Jobs(Jobs), Limit(Limit) {}

  /// Measures texts, each once. Before that, with Original, finds the flags.
  /// \returns an error of one line where a program cannot be run, or when
  /// interrupted.
  llvm::Error measure(llvm::ArrayRef<std::string> Texts);
  llvm::Error measureOriginal(const std::string &Text);

  /// Reads the machine code of texts that were measured, where there is a
  /// disassembler. What it does not understand has no inner loop.
  llvm::Error readCode(llvm::ArrayRef<std::string> Texts);

  /// Of a text that was measured.
  const MeasuredText &of(const std::string &Text) const {
    return Known.find(Text)->second;
  }
  bool knows(const std::string &Text) const { return Known.count(Text); }

  /// Texts that were measured, those that had to be compiled for that, and the
  /// time that it took.
  unsigned texts() const { return Known.size(); }
  unsigned Compiled = 0;
  double Seconds = 0;

private:
  const Toolchain &Tools;
  const MeasuredFile File;
  const unsigned Jobs;
  const double Limit;
  bool RanTooLong = false;
  RegisterCache Cache;
  std::optional<TemporaryFolder> Folder;
  std::map<std::string, MeasuredText> Known;
  size_t Way = 0; ///< of File.Flags
  std::vector<std::string> Surroundings;
  /// Of texts compiled here: files beside each other, without their endings.
  std::map<std::string, std::string> Bases;
  std::string ToolkitRoot; ///< of nvcc; empty: it is in none

  bool isToolkits(llvm::StringRef RealPath) const;
  std::vector<std::string> filesIn(const std::string &Depfile) const;
  llvm::Error readSurroundings();
  std::string keyOf(const std::string &Text) const;
  std::string keyOfCode(const std::string &Text) const;
  llvm::Error prepareFolder();
  std::vector<std::string> commandFor(llvm::StringRef Base) const;
  std::string tooLong() const;
  llvm::Error compile(llvm::ArrayRef<std::string> Texts);
  llvm::Error disassemble(llvm::ArrayRef<std::string> Texts);
};

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_MEASURER_H
