// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From name to name: a function's mentions of the reference member, the callees
// that it is handed to, and the reference members that it is bound to in turn.
// See ReferenceUses.h.

#include "ReferenceUses.h"
#include "Code/AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

class Uses {
public:
  explicit Uses(const CodeIndex &Index) : Index(Index) {}

  bool quiet(const FieldDecl *Reference) {
    if (Index.context().getSourceManager().isInSystemHeader(
            Reference->getLocation()))
      return false;
    return llvm::all_of(Index.naming(Reference), [&](const FunctionDecl *F) {
      // Whoever calls a function that returns it has a name for it.
      return F && F->getBody() &&
             !Index.namesOf(F).Returned.count(Reference) &&
             quiet(Reference, F);
    });
  }

private:
  const CodeIndex &Index;
  std::set<std::pair<const ValueDecl *, const FunctionDecl *>> Seen;

  /// \param Name what the object is called in F; null: `*this`.
  bool quiet(const ValueDecl *Name, const FunctionDecl *F) {
    if (!Seen.insert({Name, F}).second)
      return true;
    const FunctionNames &Names = Index.namesOf(F);
    if (Names.Escaped.count(Name) || Names.Holds.count(Name))
      return false;
    if (auto It = Names.BoundTo.find(Name); It != Names.BoundTo.end())
      if (!llvm::all_of(It->second,
                        [&](const FieldDecl *To) { return quiet(To); }))
        return false;
    auto It = Names.Handed.find(Name);
    return It == Names.Handed.end() ||
           llvm::all_of(It->second, [&](const FunctionNames::Handing &H) {
             return quietCall(H, Names);
           });
  }

  bool quietCall(const FunctionNames::Handing &H, const FunctionNames &In) {
    const auto *Call = dyn_cast<CallExpr>(H.At);
    const auto *Made = dyn_cast<CXXConstructExpr>(H.At);
    const FunctionDecl *To =
        Call ? Call->getDirectCallee() : constructorOf(Made);
    const FunctionDecl *Definition = nullptr;
    if (!To)
      return false;
    if (const auto *M = dyn_cast<CXXMethodDecl>(To); M && M->isTrivial())
      return true; // what is assigned is noted where it stands
    if (!To->hasBody(Definition))
      return false;
    const ValueDecl *As =
        H.Parameter < 0 ? nullptr : Definition->getParamDecl(H.Parameter);
    if (Index.namesOf(Definition).Returned.count(As) && !In.Dropped.count(H.At))
      return false;
    return quiet(As, Definition);
  }
};

} // namespace

bool givesNothing(const FieldDecl *Reference, const CodeIndex &Index) {
  return Uses(Index).quiet(Reference);
}

} // namespace kpipe
