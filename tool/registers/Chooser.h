// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of a file, in the forms that keep registers and blocks per SM as
// nvcc says. Where there is no nvcc, or where it does not compile the file, the
// planner's estimates have to do, and the result says so. It must not know
// nvcc's words or write the user's files.
#ifndef KPIPE_TOOL_REGISTERS_CHOOSER_H
#define KPIPE_TOOL_REGISTERS_CHOOSER_H

#include "nvcc/Toolchain.h"
#include "rewrite/Rewriter.h"

namespace kpipe {

/// How registers are found for the files of a run.
class RegisterSearch {
public:
  /// Looks for nvcc, once, if any of the files wants it.
  /// \param Jobs compilations of one file at once.
  /// \returns an error of one line where nvcc was asked for and there is none,
  /// or where $KPIPE_NVCC_TIMEOUT is no number.
  static llvm::Expected<RegisterSearch> make(llvm::ArrayRef<FileRequest> Files,
                                             unsigned Jobs);

  /// Does anything of this run start other programs?
  bool runsNvcc() const { return !Tools.Nvcc.empty(); }

  /// rewriteFile() with registers as nvcc says. For several architectures one
  /// form, or with Each what each would get alone, and registers estimated.
  llvm::Expected<FileResult> rewrite(FileRequest Request, bool Alone,
                                     bool Each = false) const;

  /// The same for a unit that processUnit() made of the request.
  llvm::Expected<FileResult> result(const FileRequest &Request,
                                    UnitResult &Unit) const;

private:
  Toolchain Tools;
  unsigned Jobs = 1;
  /// Seconds for one run of nvcc.
  double Limit = 0;
};

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_CHOOSER_H
