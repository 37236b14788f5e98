// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists in a text, see ArgumentLists.h.
#include "ArgumentLists.h"
#include "Code/AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Looks at what stands between the items.
static void judge(TextList &List, const SourceText &Source) {
  unsigned At = List.Open;
  for (const Range &R : List.Items) {
    if (R.Begin < At || R.End < R.Begin || R.End > List.Close) {
      List.Plain = false;
      return;
    }
    const bool First = &R == List.Items.data();
    List.Plain &= Source.at({At, R.Begin}).trim() == (First ? "" : ",");
    At = R.End;
  }
  List.Plain &= At <= List.Close && Source.at({At, List.Close}).trim().empty();
  const llvm::StringRef All = Source.at({List.Open, List.Close});
  // Within an item they go with it, but may be said of all.
  List.Plain &= !All.contains("//") && !All.contains("/*") &&
                !All.contains('#') && !All.contains('\\');
}

std::optional<TextList> parameterList(const FunctionDecl *Written,
                                      const SourceText &Its) {
  const FunctionTypeLoc L = Written->getFunctionTypeLoc();
  if (!L)
    return std::nullopt;
  auto Open = Its.offset(L.getLParenLoc()),
       Close = Its.offset(L.getRParenLoc());
  if (!Open || !Close)
    return std::nullopt;
  TextList List;
  List.Open = *Open + 1;
  List.Close = *Close;
  List.Plain = !Written->isVariadic() &&
               !Written->hasCXXExplicitFunctionObjectParameter();
  for (const ParmVarDecl *P : Written->parameters()) {
    List.Plain &= !P->getBeginLoc().isMacroID() &&
                  !P->getEndLoc().isMacroID() && !P->isParameterPack();
    List.Items.push_back({Its.expansionOffset(P->getBeginLoc()),
                          Its.tokenEnd(Its.expansionOffset(P->getEndLoc()))});
  }
  judge(List, Its);
  return List;
}

std::optional<TextList> argumentList(const CallExpr *Call,
                                     const SourceText &Source) {
  auto Close = Source.offset(Call->getRParenLoc());
  if (!Close)
    return std::nullopt;
  TextList List;
  List.Close = *Close;
  for (const Expr *A : givenTo(Call)) {
    if (isa<CXXDefaultArgExpr>(A))
      break;
    auto R = Source.expression(A);
    List.Plain &= R.has_value();
    const unsigned Begin = Source.expansionOffset(A->getBeginLoc());
    List.Items.push_back(R.value_or(Range{Begin, Begin}));
  }
  // Nothing tells where the bracket of a call is.
  List.Open = List.Items.empty() ? List.Close : List.Items.front().Begin;
  judge(List, Source);
  return List;
}

std::vector<Edit> editList(const TextList &List, llvm::ArrayRef<unsigned> Gone,
                           unsigned At, llvm::StringRef New) {
  std::vector<Edit> Edits;
  std::vector<unsigned> Kept;
  for (unsigned I = 0; I != List.Items.size(); ++I)
    if (!llvm::is_contained(Gone, I))
      Kept.push_back(I);
  // What follows takes the place of those that go; the last take the comma in
  // front with them.
  for (unsigned I = 0; I != List.Items.size(); ++I) {
    if (!llvm::is_contained(Gone, I))
      continue;
    auto Next = llvm::find_if(Kept, [&](unsigned K) { return K > I; });
    if (Next != Kept.end()) {
      Edits.push_back({List.Items[I].Begin,
                       List.Items[*Next].Begin - List.Items[I].Begin, ""});
      I = *Next;
      continue;
    }
    const unsigned From =
        Kept.empty() ? List.Items.front().Begin : List.Items[Kept.back()].End;
    Edits.push_back({From, List.Close - From, ""});
    break;
  }
  if (New.empty())
    return Edits;
  auto Behind = llvm::find_if(Kept, [&](unsigned K) { return K >= At; });
  if (Behind != Kept.end())
    Edits.push_back({List.Items[*Behind].Begin, 0, (New + ", ").str()});
  else
    Edits.push_back({List.Close, 0, ((Kept.empty() ? "" : ", ") + New).str()});
  return Edits;
}

} // namespace kpipe
