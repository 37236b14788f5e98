// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which static staged arrays can become parts of dynamic shared memory: those
// whose type can be spelled in front of the kernel, where the bytes are counted
// that its launches ask for. What the launches are is another matter.

#include "Movable.h"
#include "Blocks.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Bytes to which dynamic shared memory is aligned in any case.
constexpr unsigned LeastAlignment = 16;

/// The statement that declares V, if a block of F holds it.
const DeclStmt *declarationOf(const VarDecl *V, const FunctionDecl *F) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    const DeclStmt *Found = nullptr;
    bool VisitCompoundStmt(const CompoundStmt *C) override {
      for (const Stmt *S : C->body())
        if (const auto *D = dyn_cast<DeclStmt>(S);
            D && llvm::is_contained(D->decls(), V))
          Found = D;
      return !Found;
    }
  } Find;
  Find.V = V;
  Find.TraverseStmt(F->getBody());
  return Find.Found;
}

/// Not by a macro of the author's; `__shared__` and `__align__` are CUDA's.
bool spelledOut(const DeclStmt *D, const VarDecl *V) {
  const SourceManager &SM = V->getASTContext().getSourceManager();
  SourceLocation Begin = D->getBeginLoc();
  bool Invalid = false;
  llvm::StringRef Text =
      SM.getCharacterData(SM.getExpansionLoc(Begin), &Invalid);
  bool Known = !Invalid && (Text.starts_with("__shared__") ||
                            Text.starts_with("__align__"));
  return (!Begin.isMacroID() || Known) && !D->getEndLoc().isMacroID() &&
         !V->getLocation().isMacroID();
}

/// `const int Pad = 8;`: in front of the function the number can stand for it.
bool isNumber(const NamedDecl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && V->hasInit() && V->getType().isConstQualified() &&
         V->getType()->isSpecificBuiltinType(BuiltinType::Int) &&
         !V->getLocation().isMacroID() &&
         isa<IntegerLiteral>(V->getInit()->IgnoreParens());
}

/// A name in the extents or the element type that only the function knows.
const NamedDecl *localName(const VarDecl *V) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const NamedDecl *Found = nullptr;
    void look(const NamedDecl *D) {
      if (D && D->getDeclContext()->isFunctionOrMethod() &&
          !isa<NonTypeTemplateParmDecl, TemplateTypeParmDecl>(D) &&
          !isNumber(D))
        Found = D;
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      look(D->getDecl());
      return !Found;
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
      look(T.getDecl());
      return !Found;
    }
    bool VisitTagTypeLoc(TagTypeLoc T) override {
      look(T.getDecl());
      return !Found;
    }
  } Find;
  if (const TypeSourceInfo *T = V->getTypeSourceInfo())
    Find.TraverseTypeLoc(T->getTypeLoc());
  return Find.Found;
}

Message whyNot(const LoopFacts &Facts, const StagedBuffer &B) {
  const VarDecl *V = B.Var;
  auto is = [&](msg::Id What) { return Message(What, quoted(V)); };
  if (isa<ParmVarDecl>(V) || V->hasExternalStorage() || !B.Bytes)
    return is(msg::is_not_static);
  if (B.DeclaredInLoop)
    return is(msg::declared_in_loop);
  const DeclStmt *D = declarationOf(V, Facts.Tile.Function);
  if (!D || !spelledOut(D, V))
    return is(msg::declared_by_macro_or_condition);
  for (const Decl *Other : D->decls())
    if (llvm::none_of(Facts.Tile.Buffers,
                      [&](const StagedBuffer &X) { return X.Var == Other; }))
      return is(msg::declared_with_others);
  // The name of all stages would be a reference, of which a closure copies what
  // it refers to.
  if (!B.CopiedMentions.empty() ||
      (!B.Views.empty() && !B.MentionsAfter.empty()))
    return is(msg::copied_by_lambda);
  if (const NamedDecl *Local = localName(V))
    return {msg::type_is_local, quoted(V), quoted(Local)};
  return {};
}

/// An mbarrier behind all tiles: what follows it in the block, if anything
/// does, are others.
bool standsLast(const LoopFacts &Facts, const StagedBuffer &B) {
  const auto &Bulk = Facts.Tile.Bulk;
  if (!Bulk || !Bulk->barrier(B.Var))
    return false;
  const SourceManager &SM = Facts.In->context().getSourceManager();
  return llvm::all_of(Facts.Tile.Buffers, [&](const StagedBuffer &X) {
    return Bulk->barrier(X.Var) ||
           SM.isBeforeInTranslationUnit(X.Var->getLocation(),
                                        B.Var->getLocation());
  });
}

} // namespace

void findMovable(LoopFacts &Facts) {
  unsigned Widest = LeastAlignment;
  for (const StagedBuffer &B : Facts.Tile.Buffers)
    Widest = std::max(Widest, B.Alignment);
  const Message Asked = ruleIsSwitchedOff("dynamic-size")
                            ? Message()
                            : whyNotDynamic(Facts.Tile.Function);
  for (StagedBuffer &B : Facts.Tile.Buffers) {
    B.NotDynamic = whyNot(Facts, B);
    if (B.NotDynamic.empty())
      B.NotDynamic = Asked;
    if (B.NotDynamic.empty() && B.Bytes % Widest && !standsLast(Facts, B))
      B.NotDynamic = {msg::size_is_odd, quoted(B.Var), Widest};
  }
}

} // namespace kpipe
