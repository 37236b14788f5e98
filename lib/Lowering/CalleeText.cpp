// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CalleeText.h"
#include "Code/AstUtils.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const VarDecl *closureVariable(const CallExpr *C) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(C);
  if (!Op || Op->getOperator() != OO_Call)
    return nullptr;
  const auto *Name =
      dyn_cast<DeclRefExpr>(Op->getArg(0)->IgnoreParenImpCasts());
  const auto *V = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !isa<ParmVarDecl>(V) && V->hasInit()
             ? V
             : nullptr;
}

const LambdaExpr *closureOf(const CallExpr *C) {
  const VarDecl *V = closureVariable(C);
  const Expr *Init = V ? V->getInit()->IgnoreUnlessSpelledInSource() : nullptr;
  const auto *L = dyn_cast_or_null<LambdaExpr>(Init);
  // `[&r = ++count]` does something where the closure is made.
  return L && !L->isGenericLambda() && !L->isMutable() &&
                 llvm::none_of(L->captures(),
                               [&](const LambdaCapture &Capture) {
                                 return L->isInitCapture(&Capture);
                               })
             ? L
             : nullptr;
}

namespace {

class BodyText : public ConstDynamicRecursiveASTVisitor {
public:
  BodyText(const CallExpr *C, const SourceText &Source,
           llvm::function_ref<std::string(llvm::StringRef)> NewName)
      : Call(C), Source(Source), NewName(NewName),
        Policy(Source.context().getPrintingPolicy()) {
    Policy.SuppressTagKeyword = true;
  }

  std::optional<TextTokens> run() {
    const Stmt *Body = bodyAndParameters();
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
    if (!Block || !parameters())
      return std::nullopt;
    TraverseStmt(Block);
    auto Begin = Source.offset(Block->getLBracLoc()),
         End = Source.offset(Block->getRBracLoc());
    if (Failed || !Begin || !End || *End < *Begin ||
        Block->getLBracLoc().isMacroID())
      return std::nullopt;
    const std::string Text =
        "{" + Made + Source.edited({*Begin + 1, *End}, Edits) + "\n}";
    return tokensOf(Text, Source.context().getLangOpts());
  }

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *P = dyn_cast<ParmVarDecl>(D->getDecl())) {
      if (auto It = Texts.find(P); It != Texts.end())
        replace(D->getLocation(), It->second);
    } else if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
               V && V->isStaticDataMember() && !D->hasQualifier()) {
      const auto *In = cast<CXXRecordDecl>(V->getDeclContext());
      insert(D->getLocation(), typeName(In) + "::");
    }
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    const auto *This =
        dyn_cast<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts());
    if (!This || M->hasQualifier())
      return true;
    Known.insert(This);
    if (This->isImplicit()) {
      insert(M->getMemberLoc(), Object + ".");
      return true;
    }
    auto Begin = Source.offset(This->getBeginLoc()),
         End = Source.offset(M->getMemberLoc());
    if (!Begin || !End || *End < *Begin)
      return fail();
    Edits.push_back({*Begin, *End - *Begin, Object + "."});
    return true;
  }
  bool VisitCXXThisExpr(const CXXThisExpr *T) override {
    // Of a closure it is that of the function around.
    return Known.count(T) || Object.empty() || fail();
  }
  bool VisitSubstNonTypeTemplateParmExpr(
      const SubstNonTypeTemplateParmExpr *S) override {
    auto Value = constantValue(S->getReplacement(), Source.context());
    if (!Value || *Value < 0)
      return fail();
    if (!isClosure())
      replace(S->getNameLoc(), std::to_string(*Value));
    return true;
  }
  bool
  VisitSubstTemplateTypeParmTypeLoc(SubstTemplateTypeParmTypeLoc T) override {
    if (!isClosure())
      replace(T.getNameLoc(),
              T.getType().getCanonicalType().getAsString(Policy));
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    return !V->isStaticLocal() && !V->hasAttr<CUDASharedAttr>() ? true : fail();
  }
  bool VisitReturnStmt(const ReturnStmt *) override { return fail(); }
  bool VisitLabelStmt(const LabelStmt *) override { return fail(); }
  bool VisitGotoStmt(const GotoStmt *) override { return fail(); }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return fail(); }

private:
  const CallExpr *Call;
  const SourceText &Source;
  llvm::function_ref<std::string(llvm::StringRef)> NewName;
  PrintingPolicy Policy;
  const FunctionDecl *Callee = nullptr;
  std::string Object, Made;
  llvm::DenseMap<const ParmVarDecl *, std::string> Texts;
  llvm::SmallPtrSet<const CXXThisExpr *, 4> Known;
  std::vector<Edit> Edits;
  bool Failed = false;

  bool fail() {
    Failed = true;
    return false;
  }
  bool isClosure() const { return closureOf(Call); }

  std::string typeName(const CXXRecordDecl *R) const {
    const QualType T = Source.context().getCanonicalTagType(R);
    return T.getAsString(Policy);
  }

  void replace(SourceLocation At, const std::string &Text) {
    auto Offset = At.isMacroID() ? std::nullopt : Source.offset(At);
    if (!Offset)
      return void(fail());
    Edits.push_back({*Offset, Source.tokenEnd(*Offset) - *Offset, Text});
  }
  void insert(SourceLocation At, const std::string &Text) {
    auto Offset = At.isMacroID() ? std::nullopt : Source.offset(At);
    if (!Offset)
      return void(fail());
    Edits.push_back({*Offset, 0, Text});
  }

  const Stmt *bodyAndParameters() {
    if (const LambdaExpr *L = closureOf(Call)) {
      Callee = L->getCallOperator();
      return L->getBody();
    }
    const auto *M = dyn_cast<CXXMemberCallExpr>(Call);
    const auto *Named =
        M ? dyn_cast<MemberExpr>(M->getCallee()->IgnoreParens()) : nullptr;
    const FunctionDecl *Defined = nullptr;
    if (!Named || Named->isArrow() || M->getMethodDecl()->isVirtual() ||
        M->getMethodDecl()->getPrimaryTemplate() ||
        !M->getMethodDecl()->hasBody(Defined))
      return nullptr;
    Object = nameOf(Named->getBase());
    Callee = Defined;
    return Object.empty() ? nullptr : Defined->getBody();
  }

  /// An object by its name and those of its members; empty for any other.
  std::string nameOf(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    const Expr *Root = E;
    for (const auto *M = dyn_cast<MemberExpr>(Root); M;
         M = dyn_cast<MemberExpr>(Root)) {
      if (M->isArrow())
        return "";
      Root = M->getBase()->IgnoreParenImpCasts();
    }
    return isa<DeclRefExpr>(Root) ? Source.text(E) : std::string();
  }

  bool parameters() {
    const auto Given = givenTo(Call);
    if (Given.size() != Callee->getNumParams() || Callee->isVariadic())
      return false;
    for (unsigned I = 0; I != Given.size(); ++I) {
      const ParmVarDecl *P = Callee->getParamDecl(I);
      if (isa<CXXDefaultArgExpr>(Given[I]))
        return false;
      const Expr *Arg = Given[I]->IgnoreImplicit();
      if (P->getType()->isReferenceType()) {
        const std::string Name = nameOf(Arg);
        if (Name.empty())
          return false;
        Texts[P] = Name;
        continue;
      }
      if (!P->getIdentifier())
        return false;
      const std::string Name = NewName(P->getName());
      const std::string Text = Source.text(Arg);
      if (Text.empty())
        return false;
      std::string Declared = Name;
      P->getType().getCanonicalType().getAsStringInternal(Declared, Policy);
      Made += Declared + " = " + Text + ";\n";
      Texts[P] = Name;
    }
    return true;
  }
};

} // namespace

std::optional<TextTokens>
calleeText(const CallExpr *C, const SourceText &Source,
           llvm::function_ref<std::string(llvm::StringRef)> NewName) {
  return BodyText(C, Source, NewName).run();
}

} // namespace kpipe
