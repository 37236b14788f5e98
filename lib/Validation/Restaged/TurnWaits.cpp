// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TurnWaits.h"
#include "TurnFacts.h"
#include "Validation/Trees/JumpMeaning.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TreeList withoutWaits(const TreeList &All, const Frame &F,
                      std::vector<BufferEvent> &Behind) {
  size_t End = All.size();
  std::vector<BufferEvent> Any;
  while (End && (All[End - 1]->is("NullStmt") ||
                 threadWaitsOnly(*All[End - 1], F, Any)))
    --End;
  for (const Tree *S : llvm::ArrayRef(All).drop_front(End))
    threadWaitsOnly(*S, F, Behind);
  return TreeList(All.begin(), All.begin() + End);
}

bool waitsAlone(const Tree &Branch, const Frame &F,
                std::vector<BufferEvent> &To) {
  return withoutWaits(statementsIn(Branch), F, To).empty();
}

bool endsWithCommit(const TreeList &S, const Frame &F) {
  auto Last = llvm::find_if(llvm::reverse(S),
                            [](const Tree *T) { return !T->is("NullStmt"); });
  return Last != S.rend() && isCommitStatement(**Last, F);
}

void addTo(std::vector<BufferEvent> &To, llvm::ArrayRef<BufferEvent> Some,
           bool IfMore) {
  for (BufferEvent E : Some) {
    (IfMore ? E.IfMore : E.IfLast) = true;
    To.push_back(E);
  }
}

} // namespace kpipe
