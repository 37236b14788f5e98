// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as their author spells them, see ElementTypes.h.

#include "ElementTypes.h"
#include "Code/AstUtils.h"
#include "EveryInstance.h"
#include "GivenToClass.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TypeLoc baseType(TypeLoc T) {
  for (;;) {
    if (auto A = T.getAs<ArrayTypeLoc>())
      T = A.getElementLoc();
    else if (auto Q = T.getAs<QualifiedTypeLoc>())
      T = Q.getUnqualifiedLoc();
    else if (auto D = T.getAs<AttributedTypeLoc>())
      T = D.getModifiedLoc();
    else if (auto P = T.getAs<ParenTypeLoc>())
      T = P.getInnerLoc();
    else
      return T;
  }
}

TypeLoc pointedTo(TypeLoc T) {
  T = baseType(T);
  if (auto P = T.getAs<PointerTypeLoc>())
    return baseType(P.getPointeeLoc());
  if (auto R = T.getAs<ReferenceTypeLoc>())
    return baseType(R.getPointeeLoc());
  if (auto D = T.getAs<TypedefTypeLoc>();
      D && (T.getType()->isPointerType() || T.getType()->isReferenceType()))
    return pointedTo(D.getDecl()->getTypeSourceInfo()->getTypeLoc());
  return T;
}

namespace {

std::string spelled(SourceRange R, const SourceText &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  CharSourceRange C = CharSourceRange::getTokenRange(
      SM.getSpellingLoc(R.getBegin()), SM.getSpellingLoc(R.getEnd()));
  return Lexer::getSourceText(C, SM, Source.context().getLangOpts()).str();
}

/// The first name of a type's text that the code declares: registers, which
/// stand in front of that code, cannot be made of it.
std::string declaredName(const Stmt *Code, llvm::StringRef Type) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::StringSet<> Words;
    const NamedDecl *Found = nullptr;
    bool VisitNamedDecl(const NamedDecl *D) override {
      if (D->getIdentifier() && Words.contains(D->getName()))
        Found = D;
      return !Found;
    }
  } F;
  F.Words = wordsOf(Type);
  F.TraverseStmt(Code);
  return F.Found ? F.Found->getNameAsString() : std::string();
}

class TypeFinder {
public:
  TypeFinder(const TileLoop &Loop, const SourceText &Source)
      : Loop(Loop), Source(Source) {}

  llvm::Expected<std::string> run(const TileCopy &C) const {
    const Stmt *Code = C.Helper ? C.Helper->getBody() : Loop.Loop;
    std::string Type = asSpelled(C);
    std::string Local = declaredName(Code, Type);
    // In a template the next instantiation may mean another type by it.
    if (!Local.empty() && !madeForTemplate(C))
      Type = printed(C.Dst->getType().getNonReferenceType());
    if (!Local.empty() && (Type.empty() || !declaredName(Code, Type).empty() ||
                           isDeclaredIn(Code, C.Dst->getType())))
      return cannotMove(C.Helper ? msg::staged_type_in_helper
                                 : msg::staged_type_in_loop,
                        Local);
    if (Type.empty())
      return cannotMove(
          msg::staged_type_unspelled,
          Loop.Buffers[C.Buffer].Var->getNameAsString(),
          printed(C.Dst->getType().getNonReferenceType().getUnqualifiedType()));
    return Type;
  }

private:
  const TileLoop &Loop;
  const SourceText &Source;

  /// The number that the store converts without being told to, as it is loaded:
  /// in that form it waits in registers, so that nothing in the fetch waits for
  /// it. Null where something else is stored.
  const Expr *unconverted(const TileCopy &C) const {
    if (C.Kind != Fill::None)
      return nullptr;
    const Expr *E = C.Value->IgnoreParenImpCasts();
    QualType Stored = C.Dst->getType(), Loaded = E->getType();
    const ASTContext &Ctx = Source.context();
    bool Numbers = Stored->isArithmeticType() && Loaded->isArithmeticType();
    if (!Numbers || !E->isGLValue() || E->refersToBitField() ||
        Ctx.hasSameUnqualifiedType(Stored, Loaded) ||
        Ctx.getTypeSize(Loaded) > Ctx.getTypeSize(Stored))
      return nullptr;
    return E;
  }

  /// What the pointer that E goes through points to, as its declaration spells
  /// it; empty if there is none, or if that is not E's type. Builtin: also if
  /// it is a name, which may stand for another type in the next instantiation.
  std::string pointee(const Expr *E, bool Builtin = false) const {
    const Expr *Array = E->IgnoreParens();
    while (const auto *A = dyn_cast<ArraySubscriptExpr>(Array))
      Array = A->getBase()->IgnoreParenImpCasts();
    const auto *D = dyn_cast<DeclRefExpr>(Array);
    const auto *P = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (Array == E->IgnoreParens() || !P || !P->getTypeSourceInfo())
      return {};
    const ASTContext &Ctx = Source.context();
    auto pointsToIt = [&](QualType T) {
      T = T.getNonReferenceType();
      T = T->isPointerType() ? T->getPointeeType() : T;
      return Ctx.hasSameUnqualifiedType(Ctx.getBaseElementType(T),
                                        E->getType());
    };
    TypeLoc L = P->getTypeSourceInfo()->getTypeLoc();
    if (!pointsToIt(P->getType()))
      return {};
    TypeLoc Base = pointedTo(L);
    if (Builtin && !Base.getAs<BuiltinTypeLoc>())
      return {};
    std::string Text = element(Base);
    if (Text != "auto")
      return Text;
    // What `auto` is made of may say it.
    const Expr *Init = P->getInit() ? P->getInit()->IgnoreParenImpCasts() : nullptr;
    if (const auto *U = dyn_cast_or_null<UnaryOperator>(Init);
        U && U->getOpcode() == UO_Deref)
      Init = U->getSubExpr()->IgnoreParenImpCasts();
    const auto *Cast = dyn_cast_or_null<ExplicitCastExpr>(Init);
    if (!Cast || Builtin || !pointsToIt(Cast->getType()))
      return {};
    Text = element(pointedTo(Cast->getTypeInfoAsWritten()->getTypeLoc()));
    return Text == "auto" ? std::string() : Text;
  }

  static bool isDeclaredIn(const Stmt *Code, SourceLocation Where,
                           const SourceManager &SM) {
    SourceLocation At = SM.getExpansionLoc(Where);
    return !SM.isBeforeInTranslationUnit(
               At, SM.getExpansionLoc(Code->getBeginLoc())) &&
           SM.isBeforeInTranslationUnit(At,
                                        SM.getExpansionLoc(Code->getEndLoc()));
  }
  bool isDeclaredIn(const Stmt *Code, QualType T) const {
    const auto *D = T.getNonReferenceType()->getAsTagDecl();
    return D && isDeclaredIn(Code, D->getLocation(),
                             Source.context().getSourceManager());
  }

  /// The text of an element's type. An alias of the loop's or the helper's own
  /// stands for what it names, which is known in front of them as well.
  std::string element(TypeLoc T) const {
    T = baseType(T);
    const SourceManager &SM = Source.context().getSourceManager();
    if (auto Alias = T.getAs<TypedefTypeLoc>()) {
      const TypedefNameDecl *D = Alias.getDecl();
      auto Inside = [&](const FunctionDecl *F, const Stmt *Code) {
        // A template's types that depend on nothing are not made anew.
        const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
        return (F->Equals(D->getDeclContext()) ||
                (Pattern && Pattern->Equals(D->getDeclContext()))) &&
               isDeclaredIn(Code, D->getLocation(), SM);
      };
      bool OfHelper = llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
        return C.Helper && Inside(C.Helper, C.Helper->getBody());
      });
      // `using Row = float[8]`: such a name is no element.
      if (OfHelper || Inside(Loop.Function, Loop.Loop) ||
          T.getType()->isArrayType())
        return element(D->getTypeSourceInfo()->getTypeLoc());
    }
    std::string Text = spelled(T.getSourceRange(), Source);
    llvm::StringRef Trimmed = Text;
    Trimmed.consume_front("const ");
    return Trimmed.str();
  }

  bool madeForTemplate(const TileCopy &C) const {
    return Loop.Function->isTemplateInstantiation() ||
           (C.Helper && C.Helper->isTemplateInstantiation());
  }
  std::string printed(QualType T) const {
    return T.getCanonicalType().getUnqualifiedType().getAsString(
        PrintingPolicy(Source.context().getLangOpts()));
  }

  /// The type of what waits in registers as the author spells it: from the cast
  /// that makes a vector of it, or from a declaration.
  std::string asSpelled(const TileCopy &C) const {
    bool Template = Loop.Function->isTemplateInstantiation();
    if (const Expr *Loaded = unconverted(C)) {
      bool OfTemplate = madeForTemplate(C);
      std::string Text = pointee(Loaded, OfTemplate);
      if (!Text.empty())
        return Text;
      if (!OfTemplate)
        return printed(Loaded->getType());
    }
    // A helper's own words, which mean the same beside it for every caller.
    if (C.Helper)
      if (std::string Text = pointee(C.Dst); !Text.empty())
        return Text;
    const VarDecl *V = Loop.Buffers[C.Buffer].Var;
    ASTContext &Ctx = V->getASTContext();
    QualType T = C.Dst->getType().getNonReferenceType().getUnqualifiedType();
    struct CastFinder : ConstDynamicRecursiveASTVisitor {
      ASTContext &Ctx;
      QualType Wanted;
      const ExplicitCastExpr *Found = nullptr;
      CastFinder(ASTContext &Ctx, QualType W) : Ctx(Ctx), Wanted(W) {}
      bool VisitExplicitCastExpr(const ExplicitCastExpr *E) override {
        QualType P = E->getType();
        P = P->isPointerType() ? P->getPointeeType() : P;
        if (!Found && Ctx.hasSameUnqualifiedType(P, Wanted))
          Found = E;
        return true;
      }
    } Finder(Ctx, T);
    Finder.TraverseStmt(C.Dst);
    if (Finder.Found) {
      TypeLoc As = Finder.Found->getTypeInfoAsWritten()->getTypeLoc();
      bool Indirect =
          As.getType()->isPointerType() || As.getType()->isReferenceType();
      return element(Indirect ? pointedTo(As) : As);
    }
    // What another function declares is spelled in its words.
    if (!Loop.Buffers[C.Buffer].GivenOut &&
        Ctx.hasSameUnqualifiedType(Ctx.getBaseElementType(V->getType()), T))
      return declaredType(V, Source);
    if (std::string Text = pointee(C.Dst); !Text.empty())
      return Text;
    if (Template && !isOfEveryInstance(C.Dst, Source))
      return givenToClass(C.Dst, Source);
    // `value_type` means nothing outside of its class.
    const auto *Alias = T->getAs<TypedefType>();
    return Alias && isa<RecordDecl>(Alias->getDecl()->getDeclContext())
               ? printed(T)
               : T.getAsString(PrintingPolicy(Ctx.getLangOpts()));
  }
};

} // namespace

llvm::Expected<std::string> registerType(const TileCopy &C,
                                         const TileLoop &Loop,
                                         const SourceText &Source) {
  return TypeFinder(Loop, Source).run(C);
}

std::string baseText(TypeLoc T, const SourceText &Source) {
  return spelled(baseType(T).getSourceRange(), Source);
}

std::string declaredClass(const VarDecl *V, const SourceText &Source) {
  if (!V->getTypeSourceInfo())
    return {};
  TypeLoc T = pointedTo(V->getTypeSourceInfo()->getTypeLoc());
  if (T.getAs<AutoTypeLoc>() ||
      T.getAs<DeducedTemplateSpecializationTypeLoc>() ||
      !T.getType()->isRecordType())
    return {};
  return spelled(T.getSourceRange(), Source);
}

std::string declaredType(const VarDecl *V, const SourceText &Source) {
  if (!V->getTypeSourceInfo())
    return {};
  std::string Text = spelled(
      baseType(V->getTypeSourceInfo()->getTypeLoc()).getSourceRange(), Source);
  // `using Tile = float[8][8]` hides the extents: such a name is no element.
  const ASTContext &Ctx = Source.context();
  QualType Base = baseType(V->getTypeSourceInfo()->getTypeLoc()).getType();
  if (Base->isArrayType())
    return Ctx.getBaseElementType(Base).getUnqualifiedType().getAsString(
        PrintingPolicy(Ctx.getLangOpts()));
  return Text;
}

} // namespace kpipe
