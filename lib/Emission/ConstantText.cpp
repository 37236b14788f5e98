// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants for use elsewhere, see ConstantText.h.

#include "ConstantText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace kpipe {

namespace {

/// Variables initialised by variables, types that stand for types.
constexpr unsigned MostDepth = 16;

/// What an expression names that another place cannot name.
struct NamesFound : ConstDynamicRecursiveASTVisitor {
  const SourceManager &SM;
  const ASTContext &Context;
  SourceRange Scope;
  llvm::SmallVector<const DeclRefExpr *, 4> Variables;
  llvm::SmallVector<TypedefTypeLoc, 2> Types;
  llvm::SmallVector<const PseudoObjectExpr *, 2> Sizes; ///< `blockDim.x`
  /// There is no text that would do.
  bool Hopeless = false;
  unsigned Unevaluated = 0;

  NamesFound(const ASTContext &Context, SourceRange Scope)
      : SM(Context.getSourceManager()), Context(Context), Scope(Scope) {}

  bool inside(const Decl *D) const {
    SourceLocation L = SM.getExpansionLoc(D->getLocation());
    return !SM.isBeforeInTranslationUnit(
               L, SM.getExpansionLoc(Scope.getBegin())) &&
           SM.isBeforeInTranslationUnit(L, SM.getExpansionLoc(Scope.getEnd()));
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (Unevaluated)
      Hopeless |= inside(D->getDecl());
    else if (V ? inside(V) || !V->isUsableInConstantExpressions(Context)
               : inside(D->getDecl()))
      Variables.push_back(D);
    return true;
  }
  /// `sizeof tile` asks for a type, which the value of a variable is none of.
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *E) override {
    if (E->isArgumentType())
      return ConstDynamicRecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(
          E);
    ++Unevaluated;
    TraverseStmt(E->getArgumentExpr());
    --Unevaluated;
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    if (inside(T.getDecl()))
      Types.push_back(T);
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) override {
    Hopeless |= inside(T.getDecl());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    Hopeless |= !F || !F->isConstexpr();
    return true;
  }
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    Sizes.push_back(P);
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *) override {
    return !(Hopeless = true);
  }
};

class Speller {
public:
  Speller(const Stmt *Scope, std::optional<Extent3> Block,
          const SourceText &Source)
      : Scope(Scope->getSourceRange()), Source(Source),
        Known(Source.context()) {
    Known.Block = Block;
  }

  std::optional<ConstantText> spell(const Expr *E) {
    if (const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreImpCasts());
        D && Depth < MostDepth) {
      NamesFound Names(Source.context(), Scope);
      Names.TraverseStmt(D);
      if (!Names.Variables.empty()) {
        ++Depth;
        auto Text = meaning(D->getDecl());
        --Depth;
        return Text;
      }
    }
    auto R = Source.expression(E);
    NamesFound Names(Source.context(), Scope);
    Names.TraverseStmt(E);
    auto Text = R ? edited(*R, Names) : std::nullopt;
    if (!Text)
      return std::nullopt;
    return ConstantText{std::move(*Text), bindingOf(E), Replaced};
  }

private:
  bool Replaced = false;
  SourceRange Scope;
  const SourceText &Source;
  Values Known;
  unsigned Depth = 0;

  std::optional<std::string> edited(Range R, const NamesFound &Names) {
    if (Names.Hopeless || Depth == MostDepth)
      return std::nullopt;
    ++Depth;
    std::vector<Edit> Edits;
    for (const DeclRefExpr *D : Names.Variables) {
      auto Text = meaning(D->getDecl());
      auto At = Source.expression(D);
      if (!Text || !At)
        return std::nullopt;
      Edits.push_back({At->Begin, At->size(),
                       asOperand(Text->Text, Text->Binds, Binding::Primary)});
    }
    for (const PseudoObjectExpr *P : Names.Sizes) {
      auto Value = Known.evaluate(P);
      auto At = Source.expression(P);
      if (!Value || !At)
        return std::nullopt;
      Edits.push_back({At->Begin, At->size(), std::to_string(*Value)});
    }
    for (TypedefTypeLoc T : Names.Types) {
      auto Text = meaning(T);
      auto Begin = Source.offset(T.getBeginLoc());
      if (!Text || !Begin)
        return std::nullopt;
      Edits.push_back({*Begin, Source.tokenEnd(*Begin) - *Begin, *Text});
    }
    --Depth;
    Replaced |= !Edits.empty();
    return Source.edited(R, Edits);
  }

  /// What a constant was initialised with, of the constant's own type: signed
  /// or unsigned, and how wide, decides what is computed with it.
  std::optional<ConstantText> meaning(const ValueDecl *D) {
    const Expr *Init = nullptr;
    if (const auto *E = dyn_cast<EnumConstantDecl>(D))
      Init = E->getInitExpr();
    else if (const auto *V = dyn_cast<VarDecl>(D); V && !isa<ParmVarDecl>(V))
      Init = V->getInit();
    if (!Init || !D->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    const Expr *Whole = Init;
    Init = Init->IgnoreParenImpCasts();
    if (const auto *L = dyn_cast<InitListExpr>(Init);
        L && L->getNumInits() == 1)
      Init = L->getInit(0)->IgnoreParenImpCasts();
    if (!Init->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    auto Value = Known.evaluate(Whole), Given = Known.evaluate(Init);
    if (!Value || Value != Given)
      return std::nullopt;
    auto Text = spell(Init);
    if (!Text)
      return std::nullopt;
    Text->Replaced = Replaced = true;
    const QualType Own = promoted(D->getType()), Its = promoted(Init->getType());
    if (!Source.context().hasSameType(Own, Its)) {
      if (!Own->isBuiltinType())
        return std::nullopt;
      Text->Text = "static_cast<" +
                   Own.getAsString(Source.context().getPrintingPolicy()) +
                   ">(" + Text->Text + ")";
      Text->Binds = Binding::Primary;
    }
    return Text;
  }

  /// The type that arithmetic is done in.
  QualType promoted(QualType T) const {
    const ASTContext &Context = Source.context();
    T = T.getCanonicalType().getUnqualifiedType();
    if (const auto *E = T->getAs<EnumType>(); E && !T->isScopedEnumeralType())
      return E->getDecl()->getPromotionType().getCanonicalType();
    return Context.isPromotableIntegerType(T)
               ? Context.getPromotedIntegerType(T).getCanonicalType()
               : T;
  }

  /// What an alias stands for, as it is written.
  std::optional<std::string> meaning(TypedefTypeLoc T) {
    const TypeSourceInfo *Of = T.getDecl()->getTypeSourceInfo();
    if (!Of)
      return std::nullopt;
    TypeLoc L = Of->getTypeLoc();
    // `typedef float row[8]` is no text that could stand elsewhere.
    if (!L.getUnqualifiedLoc().getAs<BuiltinTypeLoc>() &&
        !L.getUnqualifiedLoc().getAs<TypedefTypeLoc>() &&
        !L.getUnqualifiedLoc().getAs<TagTypeLoc>() &&
        !L.getUnqualifiedLoc().getAs<SubstTemplateTypeParmTypeLoc>())
      return std::nullopt;
    auto Begin = Source.offset(L.getBeginLoc());
    auto End = Source.offset(L.getEndLoc());
    if (!Begin || !End)
      return std::nullopt;
    NamesFound Names(Source.context(), Scope);
    Names.TraverseTypeLoc(L);
    return edited({*Begin, Source.tokenEnd(*End)}, Names);
  }
};

} // namespace

std::optional<ConstantText> constantText(const Expr *E, const Stmt *Scope,
                                         std::optional<Extent3> Block,
                                         const SourceText &Source) {
  return Speller(Scope, Block, Source).spell(E);
}

} // namespace kpipe
