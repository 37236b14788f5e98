// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a promise is written, see AliasFixes.h. A place in a macro, or behind
// text that is no ASCII, is not offered: nobody could say what stands there.

#include "AliasFixes.h"
#include "Code/Scope.h"
#include "Support/PlaceOf.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
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
  if (Text.drop_back(Line.size()).rtrim().ends_with("\\") ||
      !llvm::all_of(Line, [](char C) { return C == '\t' || llvm::isPrint(C); }))
    return std::nullopt;
  return Line;
}

std::optional<Fix> promise(const LoopFacts &F, const SourceManager &SM) {
  SourceLocation At = F.Tile.Loop->getBeginLoc();
  std::optional<llvm::StringRef> Line = lineBefore(At, SM);
  // The line may begin in a comment or a literal, where no directive counts.
  if (!Line || Line->contains("*/") || Line->contains('"'))
    return std::nullopt;
  bool Returns = llvm::StringRef(SM.getCharacterData(At))
                     .split('\n')
                     .first.ends_with("\r");
  Place Where = placeOf(At, SM);
  Where.Column = 1;
  llvm::StringRef Indent =
      Line->take_while([](char C) { return C == ' ' || C == '\t'; });
  return Fix{msg::fix_promise,
             {{Where, (Indent + "// kpipe: assume(no-alias)" +
                       (Returns ? "\r\n" : "\n"))
                          .str()}}};
}

/// `__restrict__` for a parameter that is spelled as a pointer.
std::optional<Insertion> restricted(const ParmVarDecl *P,
                                    const SourceManager &SM) {
  TypeLoc Spelled =
      P->getTypeSourceInfo() ? P->getTypeSourceInfo()->getTypeLoc() : TypeLoc();
  if (!Spelled ||
      Spelled.getUnqualifiedLoc().getAs<PointerTypeLoc>().isNull() ||
      !lineBefore(P->getLocation(), SM))
    return std::nullopt;
  return Insertion{placeOf(P->getLocation(), SM), "__restrict__ "};
}

/// Is the pointer only loaded through? Mentions that are not known are none.
struct LoadsOnly : ConstDynamicRecursiveASTVisitor {
  const ParmVarDecl *Pointer;
  ASTContext &Context;
  explicit LoadsOnly(const ParmVarDecl *P)
      : Pointer(P), Context(P->getASTContext()) {}

  // A mention in a type, as in decltype(*p), is one as well.
  bool VisitDeclRefExpr(const DeclRefExpr *Mention) override {
    return Mention->getDecl() != Pointer || loads(Mention);
  }

private:
  bool loads(const Expr *E) {
    for (;;) {
      const DynTypedNodeList Above = Context.getParents(*E);
      const auto *Next = Above.size() == 1 ? Above[0].get<Expr>() : nullptr;
      const auto *C = dyn_cast_or_null<CastExpr>(Next);
      if (C && C->getType()->isPointerType() &&
          C->getType()->getPointeeType().isConstQualified())
        return true;
      if (C && C->getCastKind() == CK_LValueToRValue &&
          !C->getType()->isPointerType())
        return true;
      const auto *B = dyn_cast_or_null<BinaryOperator>(Next);
      const auto *U = dyn_cast_or_null<UnaryOperator>(Next);
      const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(Next);
      if (!(isa_and_nonnull<ParenExpr>(Next) ||
            (C && C->getCastKind() == CK_LValueToRValue) ||
            (Element && Element->getBase() == E) ||
            (B && B->isAdditiveOp() && B->getType()->isPointerType()) ||
            (U && U->getOpcode() == UO_Deref)))
        return false;
      E = Next;
    }
  }
};

/// Does all that names the function call it, as far as the unit shows? Others
/// may want its type as it is.
bool isOnlyCalled(const LoopFacts &F) {
  const CallIndex *Calls = F.In ? F.In->calls() : nullptr;
  return Calls &&
         !Calls->AddressTaken.count(F.Tile.Function->getCanonicalDecl());
}

/// `const` for what the parameter points to, where that changes nothing else:
/// the function is no member, no template and the only one of its name, has no
/// other declaration, is called and nothing else, and only loads through it.
std::optional<Insertion> readOnly(const ParmVarDecl *P, const LoopFacts &Facts,
                                  const SourceManager &SM) {
  const FunctionDecl *F = Facts.Tile.Function;
  QualType To = P->getType()->getPointeeType();
  SourceLocation Begin = P->getBeginLoc();
  if (To.isConstQualified() || To->isPointerType() || To->isFunctionType() ||
      To->isArrayType() || !F->isFirstDecl() || F->getMostRecentDecl() != F ||
      F->getTemplateSpecializationKind() != TSK_Undeclared ||
      isa<CXXMethodDecl>(F) ||
      !F->getDeclContext()
           ->getRedeclContext()
           ->lookup(F->getDeclName())
           .isSingleResult() ||
      !lineBefore(Begin, SM) || !isOnlyCalled(Facts) ||
      !LoadsOnly(P).TraverseStmt(F->getBody()))
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
            readOnly(cast<ParmVarDecl>(Loaded), F, SM)) {
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
    if (std::optional<Fix> Both = restrictBoth(F, Stored.Var, Loaded.Var, SM))
      Fixes.push_back(std::move(*Both));
  return Fixes;
}

} // namespace kpipe
