// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds mentions with what stands around them, see StageNames.h.
#include "StageNames.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

class StageMentionFinder : public ConstDynamicRecursiveASTVisitor {
  using Base = ConstDynamicRecursiveASTVisitor;

public:
  /// \param IsPattern a template's, in which conversions are not known yet.
  StageMentionFinder(const StagedBuffer &B, bool IsPattern)
      : B(B), IsPattern(IsPattern) {}
  llvm::SmallVector<Mention, 8> Found;

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    // A template's pattern and its instantiations declare at one place.
    auto is = [&](const VarDecl *V) {
      return D->getDecl() == V ||
             (isa<VarDecl>(D->getDecl()) &&
              D->getDecl()->getLocation() == V->getLocation());
    };
    if (!is(B.Var) && !llvm::any_of(B.Views, is)) {
      if (In.Fixed)
        Constants.insert(D->getDecl());
      return true;
    }
    Mention M;
    M.At = D;
    M.InClosure = In.Closure;
    if (!Unevaluated) {
      const bool Named = cast<VarDecl>(D->getDecl())->hasLocalStorage();
      M.Copied = In.Copied;
      M.Listed = In.Listed;
      M.Fixed = In.Fixed;
      // The author had to list a variable of the block, and the reference is
      // one as well.
      if (In.Listed && !M.Fixed && !Named)
        M.Fixed = msg::fixed_in_lambda;
      // In its place is a pointer.
      if (!M.Fixed && !IsPattern && D->getType()->isIncompleteArrayType() &&
          !Decayed.contains(D))
        M.Fixed = msg::fixed_as_array;
    }
    Found.push_back(M);
    if (!Unevaluated && Number)
      Numbers.push_back({Number, Found.size() - 1});
    return true;
  }
  /// All of the function has been read.
  void finish() {
    for (auto [V, At] : Numbers)
      if (Constants.contains(V) && !Found[At].Fixed)
        Found[At].Fixed = msg::fixed_in_constant;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *E) override {
    if (E->getCastKind() == CK_ArrayToPointerDecay)
      Decayed.insert(E->getSubExpr()->IgnoreParens());
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    llvm::SaveAndRestore Keep(In), Around(AroundLambda, In);
    In.Copied |= L->getCaptureDefault() == LCD_ByCopy;
    In.Listed |= L->getCaptureDefault() == LCD_None;
    In.Closure = true;
    return Base::TraverseLambdaExpr(L);
  }
  // `[v = xs[0]]` is evaluated where the closure is made.
  bool TraverseLambdaCapture(const LambdaExpr *L, const LambdaCapture *C,
                             const Expr *Init) override {
    llvm::SaveAndRestore Keep(In);
    if (L->isInitCapture(C))
      In = AroundLambda;
    else
      In.Listed = true;
    return Base::TraverseLambdaCapture(L, C, Init);
  }
  bool TraverseCXXRecordDecl(const CXXRecordDecl *R) override {
    return fixed(msg::fixed_in_class,
                 [&] { return Base::TraverseCXXRecordDecl(R); });
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) override {
    return fixed(msg::fixed_in_template_argument,
                 [&] { return Base::TraverseTemplateArgumentLoc(A); });
  }

  // The address of an array is a constant, that of a stage is none.
  bool TraverseVarDecl(const VarDecl *V) override {
    auto below = [&] { return Base::TraverseVarDecl(V); };
    if (V->isConstexpr() || V->isStaticLocal())
      return fixed(msg::fixed_in_constant, below);
    llvm::SaveAndRestore Inside(Number, isNumber(V) ? V : Number);
    return below();
  }
  bool TraverseConstantExpr(const ConstantExpr *E) override {
    return fixed(msg::fixed_in_constant, [&] { return Base::TraverseConstantExpr(E); });
  }
  bool TraverseStaticAssertDecl(const StaticAssertDecl *D) override {
    return fixed(msg::fixed_in_constant, [&] { return Base::TraverseStaticAssertDecl(D); });
  }
  bool TraverseEnumConstantDecl(const EnumConstantDecl *D) override {
    return fixed(msg::fixed_in_constant, [&] { return Base::TraverseEnumConstantDecl(D); });
  }
  bool TraverseConstantArrayTypeLoc(ConstantArrayTypeLoc T,
                                    bool Qualifier = true) override {
    return fixed(msg::fixed_in_constant, [&] {
      return Base::TraverseConstantArrayTypeLoc(T, Qualifier);
    });
  }
  bool TraverseAttr(const Attr *A) override {
    return fixed(msg::fixed_in_constant, [&] { return Base::TraverseAttr(A); });
  }
  bool VisitAttributedStmt(const AttributedStmt *S) override { // `#pragma unroll N`
    for (const clang::Attr *A : S->getAttrs())
      TraverseAttr(A);
    return true;
  }
  bool TraverseIfStmt(const IfStmt *S) override {
    if (S->isConstexpr() && !fixed(msg::fixed_in_constant, [&] {
          return TraverseStmt(S->getCond());
        }))
      return false;
    return Base::TraverseIfStmt(S);
  }

  // Of an array by its name these tell of its declaration.
  bool TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *E) override {
    if (E->getKind() != UETT_SizeOf && !E->isArgumentType() &&
        isName(E->getArgumentExpr()))
      return asked(msg::fixed_in_alignof, E->getArgumentExpr());
    llvm::SaveAndRestore Inside(Unevaluated, true);
    return Base::TraverseUnaryExprOrTypeTraitExpr(E);
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc T,
                               bool Qualifier = true) override {
    return typeAsked(T.getUnderlyingExpr());
  }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc T,
                                 bool Qualifier = true) override {
    return typeAsked(T.getUnderlyingExpr());
  }

private:
  /// What is around a mention.
  struct Surroundings {
    bool Copied = false, Listed = false, Closure = false;
    std::optional<msg::Id> Fixed;
  };
  const StagedBuffer &B;
  const bool IsPattern;
  Surroundings In, AroundLambda;
  bool Unevaluated = false;
  llvm::DenseSet<const Expr *> Decayed;
  /// The number that is initialised, what constants are made of, and the
  /// numbers that are made of mentions.
  const VarDecl *Number = nullptr;
  llvm::DenseSet<const Decl *> Constants;
  llvm::SmallVector<std::pair<const VarDecl *, size_t>, 2> Numbers;

  template <typename Body> bool fixed(msg::Id Why, Body Traverse) {
    llvm::SaveAndRestore<std::optional<msg::Id>> Before(In.Fixed, Why);
    return Traverse();
  }
  static bool isName(const Expr *E) {
    return isa<DeclRefExpr>(E->IgnoreParens());
  }
  bool asked(msg::Id Why, const Expr *E) {
    llvm::SaveAndRestore Inside(Unevaluated, false);
    return fixed(Why, [&] { return TraverseStmt(E); });
  }
  bool typeAsked(const Expr *E) {
    if (isName(E))
      return asked(msg::fixed_in_decltype, E);
    llvm::SaveAndRestore Inside(Unevaluated, true);
    return TraverseStmt(E);
  }
  /// `const int N = ...;`, which is a constant if what it is made of is.
  static bool isNumber(const VarDecl *V) {
    QualType T = V->getType();
    return T.isConstQualified() && T->isIntegralOrEnumerationType();
  }
};

} // namespace

static llvm::SmallVector<Mention, 8>
mentionsIn(const FunctionDecl *F, const StagedBuffer &B, bool IsPattern) {
  StageMentionFinder Finder(B, IsPattern);
  Finder.TraverseStmt(F->getBody());
  Finder.finish();
  return std::move(Finder.Found);
}

llvm::SmallVector<Mention, 8> mentionsOf(const StagedBuffer &B,
                                         const FunctionDecl *F) {
  auto All = mentionsIn(F, B, false);
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
      Pattern && Pattern != F)
    for (const Mention &M : mentionsIn(Pattern, B, true))
      if (llvm::none_of(All, [&](const Mention &Known) {
            return Known.At->getLocation() == M.At->getLocation();
          }))
        All.push_back(M);
  return All;
}

} // namespace kpipe
