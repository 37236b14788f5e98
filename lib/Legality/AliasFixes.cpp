// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a promise is written, see AliasFixes.h. A place in a macro, or behind
// text that is no ASCII, is not offered: nobody could say what stands there.

#include "AliasFixes.h"
#include "Support/PlaceOf.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What stands before a place in its line, if an edit can name the place.
std::optional<llvm::StringRef> lineBefore(SourceLocation At,
                                          const SourceManager &SM) {
  if (At.isInvalid() || At.isMacroID())
    return std::nullopt;
  auto [File, Offset] = SM.getDecomposedLoc(At);
  llvm::StringRef Text = SM.getBufferData(File).take_front(Offset);
  llvm::StringRef Line = Text.drop_front(Text.rfind('\n') + 1);
  // What ends in a backslash goes on: the line is not one of its own.
  if (Text.drop_back(Line.size()).rtrim("\r\n").ends_with("\\") ||
      !llvm::all_of(Line, [](char C) { return C == '\t' || llvm::isPrint(C); }))
    return std::nullopt;
  return Line;
}

std::optional<Fix> promise(const LoopFacts &F, const SourceManager &SM) {
  SourceLocation At = F.Tile.Loop->getBeginLoc();
  std::optional<llvm::StringRef> Line = lineBefore(At, SM);
  if (!Line)
    return std::nullopt;
  Place Where = placeOf(At, SM);
  Where.Column = 1;
  llvm::StringRef Indent =
      Line->take_while([](char C) { return C == ' ' || C == '\t'; });
  return Fix{msg::fix_promise,
             {{Where, (Indent + "// kpipe: assume(no-alias)\n").str()}}};
}

/// `__restrict__` for a parameter that is spelled as a pointer.
std::optional<Insertion> restricted(const ParmVarDecl *P,
                                    const SourceManager &SM) {
  TypeLoc Spelled = P->getTypeSourceInfo()
                        ? P->getTypeSourceInfo()->getTypeLoc()
                        : TypeLoc();
  if (!Spelled || Spelled.getUnqualifiedLoc().getAs<PointerTypeLoc>().isNull() ||
      !lineBefore(P->getLocation(), SM))
    return std::nullopt;
  return Insertion{placeOf(P->getLocation(), SM), "__restrict__ "};
}

/// Is the pointer at the end of this mention only loaded through? Cases that
/// are not known are none.
bool onlyLoads(const Expr *E, ASTContext &Context) {
  for (;;) {
    const DynTypedNodeList Above = Context.getParents(*E);
    if (Above.size() != 1)
      return false;
    const auto *Next = Above[0].get<Expr>();
    if (const auto *C = dyn_cast_or_null<ImplicitCastExpr>(Next);
        C && C->getCastKind() == CK_LValueToRValue &&
        !C->getType()->isPointerType())
      return true;
    if (const auto *C = dyn_cast_or_null<ImplicitCastExpr>(Next);
        C && C->getCastKind() == CK_NoOp && C->getType()->isPointerType())
      return C->getType()->getPointeeType().isConstQualified();
    const auto *B = dyn_cast_or_null<BinaryOperator>(Next);
    const auto *U = dyn_cast_or_null<UnaryOperator>(Next);
    const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(Next);
    if (!(isa_and_nonnull<ParenExpr, ImplicitCastExpr>(Next) ||
          (Element && Element->getBase() == E) ||
          (B && B->isAdditiveOp() && B->getType()->isPointerType()) ||
          (U && U->getOpcode() == UO_Deref)))
      return false;
    E = Next;
  }
}

bool onlyLoads(const Stmt *S, const ParmVarDecl *P, ASTContext &Context) {
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S);
      Ref && Ref->getDecl() == P && !onlyLoads(Ref, Context))
    return false;
  return !S || llvm::all_of(S->children(), [&](const Stmt *Child) {
           return onlyLoads(Child, P, Context);
         });
}

/// `const` for what the parameter points to, where that changes nothing else:
/// the function has no other declaration, and only loads through it.
std::optional<Insertion> readOnly(const ParmVarDecl *P, const FunctionDecl *F,
                                  const SourceManager &SM) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  const FunctionDecl *Written = Pattern ? Pattern : F;
  QualType To = P->getType()->getPointeeType();
  SourceLocation Begin = P->getBeginLoc();
  if (To.isConstQualified() || To->isPointerType() || To->isFunctionType() ||
      To->isArrayType() || !Written->isFirstDecl() ||
      Written->getMostRecentDecl() != Written ||
      isTemplateExplicitInstantiationOrSpecialization(
          F->getTemplateSpecializationKind()) ||
      !lineBefore(Begin, SM) || !onlyLoads(F->getBody(), P, F->getASTContext()))
    return std::nullopt;
  return Insertion{placeOf(Begin, SM), "const "};
}

std::optional<Fix> restrictBoth(const LoopFacts &F, const VarDecl *Stored,
                                const VarDecl *Loaded,
                                const SourceManager &SM) {
  Fix Both;
  std::vector<std::string> Names;
  for (const VarDecl *V : {Stored, Loaded}) {
    const auto *P = dyn_cast<ParmVarDecl>(V);
    if (!P || P->getDeclContext() != F.Tile.Function)
      return std::nullopt;
    if (P->getType().isRestrictQualified())
      continue;
    std::optional<Insertion> Edit = restricted(P, SM);
    if (!Edit)
      return std::nullopt;
    Both.Edits.push_back(*Edit);
    Names.push_back(V->getNameAsString());
  }
  if (Names.empty())
    return std::nullopt;
  Both.What = Names.size() == 2
                  ? Message(msg::fix_restrict_both, Names[0], Names[1])
                  : Message(msg::fix_restrict, Names[0]);
  if (Names.size() == 2)
    if (std::optional<Insertion> Const =
            readOnly(cast<ParmVarDecl>(Loaded), F.Tile.Function, SM)) {
      Both.What = {msg::fix_restrict_const, Names[0], Names[1]};
      Both.Edits.push_back(*Const);
    }
  return Both;
}

} // namespace

std::vector<Fix> aliasFixes(const LoopFacts &F, const MemoryRoot &Stored,
                            const MemoryRoot &Loaded, bool Pointers) {
  const SourceManager &SM = F.Tile.Function->getASTContext().getSourceManager();
  std::vector<Fix> Fixes;
  if (std::optional<Fix> Directive = promise(F, SM))
    Fixes.push_back(std::move(*Directive));
  if (Pointers)
    if (std::optional<Fix> Both =
            restrictBoth(F, Stored.Var, Loaded.Var, SM))
      Fixes.push_back(std::move(*Both));
  return Fixes;
}

} // namespace kpipe
