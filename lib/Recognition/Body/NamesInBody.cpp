// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of a loop's body, see NamesInBody.h.

#include "NamesInBody.h"
#include "Code/AstUtils.h"
#include "Code/InlineAssembly.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// Every declaration that a piece of code names, in types and in what is not
/// evaluated as well.
struct NameFinder : ConstDynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const Decl *, 16> Found;
  void add(const Decl *D) {
    if (!D)
      return;
    Found.insert(D);
    if (const auto *B = dyn_cast<BindingDecl>(D))
      Found.insert(B->getDecomposedDecl());
    if (const auto *E = dyn_cast<EnumConstantDecl>(D))
      Found.insert(cast<Decl>(E->getDeclContext()));
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    add(D->getDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    add(T.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) override {
    add(T.getDecl());
    return true;
  }
};

bool bringsNames(const Decl *D) {
  return isa<UsingDirectiveDecl, UsingDecl, UsingEnumDecl, NamespaceAliasDecl>(
      D);
}

/// A variable that is used without being read itself: what it stands for is.
bool standsForOthers(const VarDecl *V) {
  QualType T = V->getType();
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return T->isReferenceType() || isa<DecompositionDecl>(V) ||
         (R && R->isLambda());
}

class BodyNames {
public:
  explicit BodyNames(LoopFacts &Facts) : Facts(Facts), Body(Facts.Tile.Body) {}

  void run() {
    for (unsigned I = 0; I != Body.size(); ++I)
      if (const auto *D = dyn_cast<DeclStmt>(Body[I].S))
        for (const Decl *X : D->decls())
          Declares[X->getLocation()] = I;
    Facts.Named.resize(Body.size());
    for (unsigned I = 0; I != Body.size(); ++I) {
      NameFinder F;
      F.TraverseStmt(Body[I].S);
      for (const Decl *D : F.Found)
        if (auto It = Declares.find(D->getLocation());
            It != Declares.end() && It->second != I) {
          Facts.Named[I].push_back(It->second);
          reads(I, D);
        }
      closures(I, F);
      for (unsigned J = 0; J != I; ++J)
        if (brings(J))
          Facts.Named[I].push_back(J);
      llvm::sort(Facts.Named[I]);
      Facts.Named[I].erase(
          std::unique(Facts.Named[I].begin(), Facts.Named[I].end()),
          Facts.Named[I].end());
    }
    for (unsigned I = 0; I != Body.size(); ++I)
      if (Body[I].SharedDecl)
        moveOut(I, I);
    for (unsigned I = 0; I != Body.size(); ++I)
      if (Body[I].SharedDecl)
        findOthersOfTheName(I);
  }

private:
  LoopFacts &Facts;
  llvm::SmallVectorImpl<BodyItem> &Body;
  /// By where they are declared: what depends on no parameter of a template is
  /// named in its bodies by the declaration that the template has.
  llvm::DenseMap<SourceLocation, unsigned> Declares;

  bool brings(unsigned I) const {
    const auto *D = dyn_cast<DeclStmt>(Body[I].S);
    return D && llvm::any_of(D->decls(), bringsNames);
  }

  void read(unsigned I, const VarDecl *V) {
    Facts.Items[I].Reads.insert(V);
    Facts.Items[I].Exposed.insert(V);
  }
  void reads(unsigned I, const Decl *D) {
    if (const auto *V = dyn_cast<VarDecl>(D);
        V && standsForOthers(V) && !V->hasAttr<CUDASharedAttr>())
      read(I, V);
  }
  /// What a closure of the body captures is read where it is made, at the
  /// latest where it is called.
  void closures(unsigned I, const NameFinder &F) {
    const auto *D = dyn_cast<DeclStmt>(Body[I].S);
    if (!D || llvm::none_of(D->decls(), [](const Decl *X) {
          const auto *V = dyn_cast<VarDecl>(X);
          const CXXRecordDecl *R =
              V ? V->getType()->getAsCXXRecordDecl() : nullptr;
          return R && R->isLambda();
        }))
      return;
    for (const Decl *X : F.Found)
      if (const auto *V = dyn_cast<VarDecl>(X);
          V && V->hasLocalStorage() && !Facts.Items[I].Declared.count(V) &&
          Facts.Tile.Function->Equals(V->getDeclContext()))
        read(I, V);
  }

  void refuse(unsigned I, const NamedDecl *D, unsigned Shared, msg::Id Why) {
    Obstacle F{RuleId::MovedText, startOf(Body[I].S), {Why, quoted(D)}, {}};
    F.Notes.push_back(
        {startOf(Body[Shared].S), msg::declare_array_before_loop});
    Facts.Obstacles.push_back(std::move(F));
  }

  /// A declaration that is the same before the loop as in each iteration.
  bool movable(const Decl *D) const {
    if (isa<TypeDecl, StaticAssertDecl>(D))
      return true;
    const auto *V = dyn_cast<VarDecl>(D);
    return V && !V->getType()->isReferenceType() &&
           !V->getType().isVolatileQualified() &&
           (V->isConstexpr() ||
            (V->getType().isConstQualified() && V->hasInit() &&
             constantValue(V->getInit(), Facts.In->context())));
  }

  /// Lets go before the loop what a declaration that does names.
  void moveOut(unsigned I, unsigned Shared) {
    for (unsigned J : Facts.Named[I]) {
      if (Body[J].SharedDecl || brings(J))
        continue;
      const auto *D = cast<DeclStmt>(Body[J].S);
      for (const Decl *X : D->decls())
        if (const auto *N = dyn_cast<NamedDecl>(X); N && !movable(X))
          return refuse(J, N, Shared, msg::type_cannot_move);
      Body[J].SharedDecl = true;
      moveOut(J, Shared);
    }
  }

  /// Another declaration of the name, which the loop uses where the one that
  /// moves out would hide it.
  void findOthersOfTheName(unsigned I) {
    NameFinder F;
    F.TraverseStmt(Facts.Tile.Loop);
    for (const Decl *X : cast<DeclStmt>(Body[I].S)->decls())
      for (const Decl *Other : F.Found) {
        const auto *N = dyn_cast<NamedDecl>(X);
        const auto *O = dyn_cast<NamedDecl>(Other);
        if (!N || !O || N == O || !N->getIdentifier() ||
            N->getIdentifier() != O->getIdentifier() ||
            !isOutside(O->getLocation()))
          continue;
        refuse(I, N, I, msg::would_hide_another);
        return;
      }
  }

  bool isOutside(SourceLocation L) const {
    const SourceManager &SM = Facts.In->context().getSourceManager();
    return !SM.getExpansionRange(Facts.Tile.Loop->getSourceRange())
                .getAsRange()
                .fullyContains(SM.getExpansionLoc(L));
  }
};

/// Looks for what means something else in a lambda.
class MovedText : public ConstDynamicRecursiveASTVisitor {
public:
  explicit MovedText(LoopFacts &Facts)
      : Facts(Facts), Context(Facts.In->context()),
        SM(Context.getSourceManager()) {}

  /// The text is copied to a function beside this one, not to a lambda.
  bool InHelper = false;

  // An assertion may say on which line of which function it stands.
  bool TraverseCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getIdentifier() &&
        (F->getName() == "__assert_fail" || F->getName() == "__assertfail" ||
         F->getName() == "_wassert"))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseCallExpr(C);
  }
  bool VisitPredefinedExpr(const PredefinedExpr *P) override {
    report(P->getBeginLoc(), msg::function_name_changes);
    return true;
  }
  // What a default asks for is answered where the default is used.
  bool TraverseCXXDefaultArgExpr(const CXXDefaultArgExpr *E) override {
    return usedAt(E->getUsedLocation(), E->getExpr());
  }
  bool TraverseCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return usedAt(E->getUsedLocation(), E->getExpr());
  }
  // Braces as they are written do not show the members that they leave out.
  bool VisitInitListExpr(const InitListExpr *L) override {
    if (const InitListExpr *Whole = L->isSemanticForm() ? L : L->getSemanticForm())
      for (const Expr *Init : Whole->inits())
        if (auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(Init))
          TraverseCXXDefaultInitExpr(Default);
    return true;
  }
  bool VisitSourceLocExpr(const SourceLocExpr *E) override {
    report(E->getBeginLoc(), msg::source_location_changes);
    return true;
  }
  bool VisitIntegerLiteral(const IntegerLiteral *L) override {
    if (!L->getLocation().isMacroID())
      return true;
    llvm::StringRef Name = Lexer::getImmediateMacroName(
        L->getLocation(), SM, Context.getLangOpts());
    if (Name == "__LINE__" || Name == "__COUNTER__")
      report(L->getBeginLoc(), {msg::macro_value_changes, Name});
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->isStaticLocal() && !V->hasAttr<CUDASharedAttr>() &&
        !V->getType().isConstQualified() && !V->isConstexpr())
      report(V->getLocation(), {msg::static_variable_moves, quoted(V)});
    return true;
  }
  // What is inlined stands in the kernel's text as well.
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (F && F->hasBody(Definition) && Called.insert(Definition).second &&
        declaresNames(Definition->getBody()))
      report(C->getBeginLoc(), msg::assembly_declares);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    if (kpipe::declaresNames(A->getAsmString()))
      report(A->getBeginLoc(), msg::assembly_declares);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (InHelper)
      return true; // a function of its own captures nothing
    const auto *B = dyn_cast<BindingDecl>(D->getDecl());
    if (B && isOutside(B->getLocation())) {
      if (!Context.getLangOpts().CPlusPlus20) {
        if (BeforeCXX20.insert(B).second) {
          report(D->getLocation(), {msg::binding_before_cxx20, quoted(B)});
          Facts.Obstacles.back().Notes.push_back(
              {Facts.Obstacles.back().Where, msg::compile_as_cxx20});
        }
      } else if (Facts.Body.Writes.count(cast<VarDecl>(B->getDecomposedDecl())))
        report(D->getLocation(), {msg::binding_changes, quoted(B)});
    }
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && !V->getIdentifier() && V->hasLocalStorage() &&
        isOutside(V->getLocation()))
      report(D->getLocation(), msg::anonymous_union_member);
    return true;
  }

private:
  LoopFacts &Facts;
  const ASTContext &Context;
  const SourceManager &SM;

  llvm::SmallPtrSet<const FunctionDecl *, 8> Called;
  llvm::SmallPtrSet<const BindingDecl *, 4> BeforeCXX20; ///< reported

  bool declaresNames(const Stmt *S) {
    if (const auto *A = dyn_cast_or_null<GCCAsmStmt>(S))
      return kpipe::declaresNames(A->getAsmString());
    const auto *C = dyn_cast_or_null<CallExpr>(S);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr,
                       *Definition = nullptr;
    if (F && F->hasBody(Definition) && Called.insert(Definition).second &&
        declaresNames(Definition->getBody()))
      return true;
    return S && llvm::any_of(S->children(), [&](const Stmt *Child) {
             return declaresNames(Child);
           });
  }

  /// The use of the default that is looked at, which stands elsewhere.
  SourceLocation Use;

  bool usedAt(SourceLocation Where, const Expr *Default) {
    SourceLocation Outer = Use;
    if (Use.isInvalid())
      Use = Where;
    bool More = TraverseStmt(Default);
    Use = Outer;
    return More;
  }
  bool isOutside(SourceLocation L) const {
    return !SM.getExpansionRange(Facts.Tile.Loop->getSourceRange())
                .getAsRange()
                .fullyContains(SM.getExpansionLoc(L));
  }
  void report(SourceLocation Where, Message Why) {
    Facts.Obstacles.push_back(
        {RuleId::MovedText, SM.getExpansionLoc(Use.isValid() ? Use : Where),
         std::move(Why),
         {}});
  }
};

} // namespace

void findNamesInBody(LoopFacts &Facts) { BodyNames(Facts).run(); }

void findMovedText(LoopFacts &Facts) {
  MovedText M(Facts);
  for (const BodyItem &I : Facts.Tile.Body)
    M.TraverseStmt(I.S);
  M.TraverseStmt(Facts.Tile.Cond);
  // The header is written anew, its step several times.
  if (const auto *F = dyn_cast<ForStmt>(Facts.Tile.Loop)) {
    M.TraverseStmt(F->getInit());
    M.TraverseStmt(F->getInc());
  }
}

void findMovedHelpers(LoopFacts &Facts) {
  MovedText M(Facts);
  M.InHelper = true;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Known;
  for (const TileCopy &C : Facts.Tile.Copies)
    if (C.Helper && C.Helper->hasBody() && Known.insert(C.Helper).second)
      M.TraverseStmt(C.Helper->getBody());
}

bool mentions(const Stmt *S, const VarDecl *V) {
  NameFinder F;
  F.TraverseStmt(S);
  return F.Found.count(V);
}

} // namespace kpipe
