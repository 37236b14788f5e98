// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register staging, see Staging.h.

#include "Staging.h"
#include "Precedence.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

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

std::string spelled(SourceRange R, const SourceText &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  CharSourceRange C = CharSourceRange::getTokenRange(
      SM.getSpellingLoc(R.getBegin()), SM.getSpellingLoc(R.getEnd()));
  return Lexer::getSourceText(C, SM, Source.context().getLangOpts()).str();
}

/// A name or number needs no parentheses around it.
bool simple(llvm::StringRef Text) {
  return llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == ':' || C == '.';
  });
}
/// Written as a number: not the name of a template's parameter, which stands
/// for another one in each instantiation.
bool literal(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<ImplicitCastExpr>(E))
    E = C->getSubExpr()->IgnoreParens();
  return isa<IntegerLiteral>(E);
}

std::string grouped(const std::string &Text) {
  return simple(Text) ? Text : "(" + Text + ")";
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

/// What a pointer or reference type points to, as it is written.
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

class Stager {
public:
  Stager(const TileLoop &Loop, const PipelinePlan &Plan,
         const SourceText &Source, Names &Fresh)
      : Loop(Loop), Plan(Plan), Source(Source), Fresh(Fresh) {}

  llvm::Expected<Staging> run(const std::string &Slot) {
    if (Plan.TilesInRegisters > 1) {
      Out.Tiles = "[" + std::to_string(Plan.TilesInRegisters) + "]";
      Out.Slot = "[" + Slot + "]";
    }
    Out.Registers.resize(Loop.Copies.size());
    Out.Members.resize(Loop.Copies.size());
    Out.TileParameter = Fresh.fresh("tile");
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      const TileCopy &C = Loop.Copies[I];
      if (Plan.Copies[I].Way != Route::Registers || !C.ValueIsLoaded)
        continue;
      const Stmt *Code = C.Helper ? C.Helper->getBody() : Loop.Loop;
      std::string Type = typeOf(C);
      std::string Local = declaredName(Code, Type);
      // In a template the next instantiation may mean another type by it.
      if (!Local.empty() && !madeForTemplate(C))
        Type = printed(C.Dst->getType().getNonReferenceType());
      if (!Local.empty() &&
          (Type.empty() || !declaredName(Code, Type).empty() ||
           isDeclaredIn(Code, C.Dst->getType())))
        return cannotMove(C.Helper ? msg::staged_type_in_helper
                                   : msg::staged_type_in_loop,
                          Local);
      if (Type.empty())
        return cannotMove(msg::staged_type_unspelled);
      Group *G = find(C, Type);
      if (!G) {
        Groups.push_back({&C, {}, std::move(Type)});
        G = &Groups.back();
      }
      G->Members.push_back(I);
    }
    for (Group &G : Groups)
      if (llvm::Error E = declare(G))
        return std::move(E);
    return std::move(Out);
  }

private:
  struct Group {
    const TileCopy *First;
    llvm::SmallVector<unsigned, 4> Members;
    std::string Type;
  };

  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  Names &Fresh;
  Staging Out;
  std::vector<Group> Groups;

  /// What people call the array that is stored: in dynamic shared memory the
  /// part of it.
  const VarDecl *array(const TileCopy &C) const {
    const StagedBuffer &B = Loop.Buffers[C.Buffer];
    return llvm::is_contained(B.Views, C.Through) ? C.Through : B.Var;
  }

  Group *find(const TileCopy &C, const std::string &Type) {
    for (Group &G : Groups) {
      bool SameLoops = G.First->Loops.size() == C.Loops.size();
      for (unsigned I = 0; SameLoops && I != C.Loops.size(); ++I)
        SameLoops = G.First->Loops[I].For == C.Loops[I].For;
      if (SameLoops && G.First->Buffer == C.Buffer &&
          array(*G.First) == array(C) && G.First->HelperCall == C.HelperCall &&
          G.Type == Type &&
          Source.context().hasSameUnqualifiedType(G.First->Dst->getType(),
                                                  C.Dst->getType()))
        return &G;
    }
    return nullptr;
  }

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
    auto L = P->getTypeSourceInfo()
                 ->getTypeLoc()
                 .getUnqualifiedLoc()
                 .getAs<PointerTypeLoc>();
    const ASTContext &Ctx = Source.context();
    if (!L || !Ctx.hasSameUnqualifiedType(
                  Ctx.getBaseElementType(L.getTypePtr()->getPointeeType()),
                  E->getType()))
      return {};
    TypeLoc Base = baseType(L.getPointeeLoc());
    if (Builtin && !Base.getAs<BuiltinTypeLoc>())
      return {};
    std::string Text = element(Base);
    return Text == "auto" ? std::string() : Text;
  }

  static bool isDeclaredIn(const Stmt *Code, SourceLocation Where,
                           const SourceManager &SM) {
    SourceLocation At = SM.getExpansionLoc(Where);
    return !SM.isBeforeInTranslationUnit(
               At, SM.getExpansionLoc(Code->getBeginLoc())) &&
           SM.isBeforeInTranslationUnit(
               At, SM.getExpansionLoc(Code->getEndLoc()));
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
        return F->Equals(D->getDeclContext()) &&
               isDeclaredIn(Code, D->getLocation(), SM);
      };
      bool OfHelper = llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
        return C.Helper && Inside(C.Helper, C.Helper->getBody());
      });
      if (OfHelper || Inside(Loop.Function, Loop.Loop))
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
  std::string typeOf(const TileCopy &C) const {
    bool Template = Loop.Function->isTemplateInstantiation();
    if (const Expr *Loaded = unconverted(C)) {
      bool OfTemplate = madeForTemplate(C);
      std::string Text = pointee(Loaded, OfTemplate);
      if (!Text.empty())
        return Text;
      if (!OfTemplate)
        return printed(Loaded->getType());
    }
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
    if (Ctx.hasSameUnqualifiedType(Ctx.getBaseElementType(V->getType()), T))
      return declaredType(V, Source);
    if (std::string Text = pointee(C.Dst); !Text.empty())
      return Text;
    return Template ? std::string()
                    : T.getAsString(PrintingPolicy(Ctx.getLangOpts()));
  }

  /// Is something that E names declared where the registers are not: inside
  /// the loop, or inside the helper's body?
  bool declaredInside(const Expr *E, const Stmt *Scope) const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      SourceRange Loop;
      const SourceManager &SM;
      bool Inside = false;
      Finder(SourceRange Loop, const SourceManager &SM) : Loop(Loop), SM(SM) {}
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        SourceLocation L = SM.getExpansionLoc(D->getDecl()->getLocation());
        Inside |= !SM.isBeforeInTranslationUnit(
                      L, SM.getExpansionLoc(Loop.getBegin())) &&
                  SM.isBeforeInTranslationUnit(
                      L, SM.getExpansionLoc(Loop.getEnd()));
        return true;
      }
    } F(Scope->getSourceRange(), Source.context().getSourceManager());
    if (E)
      F.TraverseStmt(E);
    return F.Inside;
  }

  llvm::Expected<std::string> extent(const CopyLoop &L,
                                     const FunctionDecl *Helper) const {
    std::string Number = std::to_string(L.Trips);
    bool Template = (Helper ? Helper : Loop.Function)->isTemplateInstantiation();
    const Stmt *Scope = Helper ? Helper->getBody() : Loop.Loop;
    if (declaredInside(L.Bound, Scope) || declaredInside(L.Step, Scope) ||
        (L.ConstantInit && declaredInside(L.Init, Scope))) {
      if (Template)
        return cannotMove(msg::trip_count_of_local_names);
      return Number;
    }
    std::string Bound = Source.text(L.Bound);
    std::string Step = L.Step ? Source.text(L.Step) : "1";
    if (Bound.empty() || Step.empty())
      return cannotMove(msg::copy_loop_bounds_in_macro);
    bool Literal = literal(L.Bound) && (!L.Step || literal(L.Step));
    if (Literal)
      return Number;
    std::string Span = Bound;
    if (L.Compare == CopyLoop::Test::LessEqual)
      Span = grouped(Bound) + " + 1";
    if (L.ConstantInit && !L.ConstantInitIsZero)
      Span = grouped(Span) + " - " + grouped(Source.text(L.Init));
    // It also stands behind a `<`.
    if (Step == "1")
      return Span == Bound
                 ? asOperand(Span, bindingOf(L.Bound), Binding::Shift)
                 : Span;
    if (L.Compare == CopyLoop::Test::StepFits)
      return grouped(Span) + " / " + grouped(Step);
    return "kpipe::ceil_div(" + Span + ", " + Step + ")";
  }

  /// How many parts the bound has no say in: the quotient that Trips rounds up.
  std::string wholeParts(const std::string &Trips, const CopyLoop &L) const {
    if (!llvm::StringRef(Trips).starts_with("kpipe::"))
      return std::to_string(L.Trips - 1);
    const auto *B = dyn_cast<BinaryOperator>(L.Bound->IgnoreImpCasts());
    bool Product = B && B->getOpcode() == BO_Mul && !B->getExprLoc().isMacroID();
    std::string Bound = Source.text(L.Bound);
    return (Product ? Bound : grouped(Bound)) + " / " +
           grouped(Source.text(L.Step));
  }

  llvm::Expected<std::string> index(const CopyLoop &L,
                                    const FunctionDecl *Helper) {
    if (!L.ConstantInit) {
      for (const CountedLoop &C : Out.Counted)
        if (C.For == L.For)
          return C.Counter;
      auto Trips = extent(L, Helper);
      if (!Trips)
        return Trips.takeError();
      Out.Counted.push_back({L.For, Fresh.fresh("part"), *Trips, {},
                             L.Partly == CopyLoop::Partial::None});
      if (L.Partly == CopyLoop::Partial::Last && L.Trips > 1)
        Out.Counted.back().Whole = wholeParts(*Trips, L);
      return Out.Counted.back().Counter;
    }
    std::string Name = L.Index->getNameAsString();
    if (!L.ConstantInitIsZero)
      Name += " - " + grouped(Source.text(L.Init));
    if (!L.Step || Source.text(L.Step) == "1")
      return Name;
    return grouped(Name) + " / " + grouped(Source.text(L.Step));
  }

  /// In a helper's tile the parameter's own name says more than the kernel's
  /// array, and is the same for every call.
  std::string memberName(const TileCopy &C) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const VarDecl *First = nullptr;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (!First)
          First = dyn_cast<VarDecl>(D->getDecl());
        return true;
      }
    } F;
    F.TraverseStmt(C.Dst);
    std::string Base = F.First ? F.First->getNameAsString() : "value";
    unsigned Before = 0;
    for (const Group &G : Groups)
      Before += G.First != &C && G.First->HelperCall == C.HelperCall &&
                G.First < &C && G.First->Buffer == C.Buffer;
    return Before ? Base + std::to_string(Before + 1) : Base;
  }

  llvm::Error declare(Group &G) {
    std::string Buffer = array(*G.First)->getNameAsString();
    const FunctionDecl *Helper = G.First->Helper;
    std::string Name = Helper ? memberName(*G.First) : Fresh.fresh(Buffer + "_reg");
    // A helper's tile is one of an array.
    std::string Extents, Indices;
    if (!Helper) {
      Extents = Out.Tiles;
      Indices = Out.Slot;
    }
    for (const CopyLoop &L : G.First->Loops) {
      auto E = extent(L, G.First->Helper);
      if (!E)
        return E.takeError();
      auto I = index(L, G.First->Helper);
      if (!I)
        return I.takeError();
      Extents += "[" + *E + "]";
      Indices += "[" + *I + "]";
    }
    bool Many = G.Members.size() > 1;
    if (Many)
      Extents += "[" + std::to_string(G.Members.size()) + "]";
    std::string Declaration = G.Type + " " + Name + Extents + ";";
    if (Helper)
      Out.Members[G.Members.front()] = Declaration;
    else
      Out.Declarations.push_back(Declaration);
    if (Helper)
      Name = Out.TileParameter + "." + Name;
    for (unsigned I = 0; I != G.Members.size(); ++I)
      Out.Registers[G.Members[I]] =
          Name + Indices + (Many ? "[" + std::to_string(I) + "]" : "");
    return llvm::Error::success();
  }
};

} // namespace

std::string declaredType(const VarDecl *V, const SourceText &Source) {
  if (!V->getTypeSourceInfo())
    return {};
  std::string Text =
      spelled(baseType(V->getTypeSourceInfo()->getTypeLoc()).getSourceRange(),
              Source);
  // `using Tile = float[8][8]` hides the extents: such a name is no element.
  const ASTContext &Ctx = Source.context();
  QualType Base =
      baseType(V->getTypeSourceInfo()->getTypeLoc()).getType();
  if (Base->isArrayType())
    return Ctx.getBaseElementType(Base).getUnqualifiedType().getAsString(
        PrintingPolicy(Ctx.getLangOpts()));
  return Text;
}

llvm::Expected<Staging> stageRegisters(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       const SourceText &Source, Names &Fresh,
                                       const std::string &Slot) {
  return Stager(Loop, Plan, Source, Fresh).run(Slot);
}

} // namespace kpipe
