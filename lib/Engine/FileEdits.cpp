// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of files, see FileEdits.h.
#include "FileEdits.h"
#include "Includes.h"
#include "kpipe/LineEndings.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

llvm::Error FileEdits::add(FileID File, llvm::ArrayRef<TextEdit> Edits,
                           llvm::ArrayRef<std::string> Primitives) {
  Edited &Known = Files[File];
  std::set<TextEdit> Together = Known.Edits;
  Together.insert(Edits.begin(), Edits.end());
  if (auto Apart = asChange(File, Together); !Apart)
    return Apart.takeError();
  Known.Edits = std::move(Together);
  for (const std::string &P : Primitives)
    if (!llvm::is_contained(Known.Primitives, P))
      Known.Primitives.push_back(P);
  return llvm::Error::success();
}

llvm::Expected<std::vector<tooling::AtomicChange>>
FileEdits::finish(bool Inline) {
  std::vector<tooling::AtomicChange> All;
  for (auto &[File, Known] : Files) {
    if (!Known.Primitives.empty())
      Known.Edits.insert(runtimeEdit(SM, File, Known.Primitives, Inline));
    auto Change = asChange(File, Known.Edits);
    if (!Change)
      return Change.takeError();
    All.push_back(std::move(*Change));
  }
  return All;
}

llvm::Expected<tooling::AtomicChange>
FileEdits::asChange(FileID File, const std::set<TextEdit> &Edits) {
  tooling::AtomicChange Change(SM, SM.getLocForStartOfFile(File));
  auto [Known, IsNew] = HasCrlf.try_emplace(File);
  if (IsNew)
    Known->second = endsLinesWithCrlf(SM.getBufferData(File));
  for (const TextEdit &E : Edits) {
    SourceLocation At = SM.getComposedLoc(File, E.Offset);
    const std::string New = Known->second ? withCrlf(E.Text) : E.Text;
    if (llvm::Error Failed = E.Length ? Change.replace(SM, At, E.Length, New)
                                      : Change.insert(SM, At, New))
      return std::move(Failed);
  }
  return std::move(Change);
}

} // namespace kpipe
