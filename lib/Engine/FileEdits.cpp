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
  std::vector<FileEdits::Edits::iterator> New;
  for (const TextEdit &E : Edits)
    if (auto [At, IsNew] = Known.Edits.insert(E); IsNew)
      New.push_back(At);
  for (FileEdits::Edits::iterator Added : New)
    if (llvm::Error Clash = apart(File, Known.Edits, Added)) {
      for (FileEdits::Edits::iterator Other : New)
        Known.Edits.erase(Other);
      return Clash;
    }
  for (const std::string &P : Primitives)
    if (!llvm::is_contained(Known.Primitives, P))
      Known.Primitives.push_back(P);
  return llvm::Error::success();
}

/// An error if an edit does not go with those that it touches.
llvm::Error FileEdits::apart(FileID File, const Edits &All,
                             Edits::iterator Added) {
  auto End = [](const TextEdit &E) { return E.Offset + E.Length; };
  Edits::const_iterator First = Added, Last = std::next(Added);
  while (First != All.begin() && End(*std::prev(First)) >= First->Offset)
    --First;
  unsigned Reached = End(*Added);
  for (auto I = First; I != Last; ++I)
    Reached = std::max(Reached, End(*I));
  for (; Last != All.end() && Last->Offset <= Reached; ++Last)
    Reached = std::max(Reached, End(*Last));
  if (std::next(First) == Last)
    return llvm::Error::success();
  auto Change = asChange(File, First, Last);
  return Change ? llvm::Error::success() : Change.takeError();
}

llvm::Expected<std::vector<tooling::AtomicChange>>
FileEdits::finish(bool Inline) {
  std::vector<tooling::AtomicChange> All;
  for (auto &[File, Known] : Files) {
    if (!Known.Primitives.empty())
      Known.Edits.insert(runtimeEdit(SM, File, Known.Primitives, Inline));
    auto Change = asChange(File, Known.Edits.begin(), Known.Edits.end());
    if (!Change)
      return Change.takeError();
    All.push_back(std::move(*Change));
  }
  return All;
}

llvm::Expected<tooling::AtomicChange>
FileEdits::asChange(FileID File, Edits::const_iterator Begin,
                    Edits::const_iterator End) {
  tooling::AtomicChange Change(SM, SM.getLocForStartOfFile(File));
  auto [Known, IsNew] = HasCrlf.try_emplace(File);
  if (IsNew)
    Known->second = endsLinesWithCrlf(SM.getBufferData(File));
  for (const TextEdit &E : llvm::make_range(Begin, End)) {
    SourceLocation At = SM.getComposedLoc(File, E.Offset);
    const std::string New = Known->second ? withCrlf(E.Text) : E.Text;
    if (llvm::Error Failed = E.Length ? Change.replace(SM, At, E.Length, New)
                                      : Change.insert(SM, At, New))
      return std::move(Failed);
  }
  return std::move(Change);
}

} // namespace kpipe
