// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From Clang's AST to a tree. Everything that a statement means is in it:
// types, conversions, which declaration a name found; nothing that only says
// how it is written. It must not know pipelines.
#include "Called.h"
#include "Tree.h"
#include "TypeNames.h"
#include "kpipe/Validation.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace kpipe {

namespace {

class Builder {
public:
  explicit Builder(ASTContext &Context)
      : Context(Context), Policy(policyOfNames(Context)) {}

  std::unique_ptr<Tree> function(const FunctionDecl *F) {
    const FunctionDecl *Defined = nullptr;
    if (F->getBody(Defined))
      F = Defined; // whose parameters its body names
    auto T = make("Function");
    T->Name = keyOf(F);
    T->Label = F->getQualifiedNameAsString();
    T->Of = F;
    T->Type = boundsOf(F);
    for (const ParmVarDecl *P : F->parameters())
      T->Kids.push_back(variable(P));
    T->Kids.push_back(statement(F->getBody()));
    return T;
  }

private:
  ASTContext &Context;
  PrintingPolicy Policy;
  llvm::DenseMap<const Decl *, unsigned> Numbers;
  llvm::DenseMap<const void *, std::string> Types;
  llvm::DenseMap<const Decl *, std::string> Keys;

  using Node = std::unique_ptr<Tree>;

  static Node make(llvm::StringRef Kind) {
    auto T = std::make_unique<Tree>();
    T->Kind = Kind.str();
    return T;
  }

  /// "256,2,": the arguments of `__launch_bounds__`, and whether they are
  /// there.
  std::string boundsOf(const FunctionDecl *F) const {
    std::string Text;
    const CUDALaunchBoundsAttr *Bounds = nullptr;
    for (const FunctionDecl *D : F->redecls())
      if (const auto *A = D->getAttr<CUDALaunchBoundsAttr>())
        Bounds = A;
    if (!Bounds)
      return Text;
    for (const Expr *E : {Bounds->getMaxThreads(), Bounds->getMinBlocks(),
                          Bounds->getMaxBlocks()}) {
      Expr::EvalResult Value;
      if (E && !E->isValueDependent() && E->EvaluateAsInt(Value, Context))
        Text += std::to_string(Value.Val.getInt().getExtValue());
      else if (E)
        Text += "?";
      Text += ",";
    }
    return Text;
  }

  const std::string &typeText(QualType Q) {
    Q = Q.getCanonicalType();
    auto It = Types.find(Q.getAsOpaquePtr());
    if (It == Types.end())
      It = Types.try_emplace(Q.getAsOpaquePtr(), typeName(Q, Policy)).first;
    return It->second;
  }

  /// What tells a declaration of the whole program from any other.
  const std::string &keyOf(const NamedDecl *D) {
    D = cast<NamedDecl>(D->getCanonicalDecl());
    auto It = Keys.find(D);
    if (It != Keys.end())
      return It->second;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    OS << D->getDeclKindName() << ' ';
    D->getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
    if (const auto *V = dyn_cast<ValueDecl>(D))
      OS << " : " << typeText(V->getType());
    return Keys[D] = std::move(Text);
  }

  void name(Tree &T, const NamedDecl *D) {
    D = cast<NamedDecl>(D->getCanonicalDecl());
    T.Of = D;
    if (!D->getParentFunctionOrMethod()) {
      T.Name = keyOf(D);
      return;
    }
    T.Local = 1 + Numbers.try_emplace(D, Numbers.size()).first->second;
    // A constructor's name is its class, which may have none.
    llvm::raw_string_ostream OS(T.Name);
    D->getDeclName().print(OS, Policy);
  }

  Node variable(const VarDecl *V) {
    Node T = make(V->getDeclKindName());
    T->Type = typeText(V->getType());
    name(*T, V);
    if (V->hasAttr<CUDASharedAttr>())
      T->Label += " shared";
    if (V->hasAttr<CUDAConstantAttr>())
      T->Label += " constant";
    if (V->isStaticLocal())
      T->Label += " static";
    if (V->hasExternalStorage())
      T->Label += " extern";
    if (!isa<ParmVarDecl>(V) && V->hasInit())
      T->Kids.push_back(statement(V->getInit()));
    if (const auto *D = dyn_cast<DecompositionDecl>(V))
      for (const BindingDecl *B : D->bindings()) {
        Node Kid = make("Binding");
        name(*Kid, B);
        if (const VarDecl *Holding = B->getHoldingVar())
          Kid->Kids.push_back(variable(Holding));
        T->Kids.push_back(std::move(Kid));
      }
    return T;
  }

  Node declaration(const Decl *D) {
    if (const auto *V = dyn_cast<VarDecl>(D))
      return variable(V);
    Node T = make(D->getDeclKindName());
    T->Of = D;
    if (const auto *N = dyn_cast<NamedDecl>(D))
      name(*T, N);
    if (const auto *Alias = dyn_cast<TypedefNameDecl>(D))
      T->Type = typeText(Alias->getUnderlyingType());
    if (const auto *S = dyn_cast<StaticAssertDecl>(D))
      T->Kids.push_back(statement(S->getAssertExpr()));
    if (const auto *U = dyn_cast<UsingDirectiveDecl>(D))
      T->Label = U->getNominatedNamespace()->getQualifiedNameAsString();
    if (const auto *E = dyn_cast<EnumDecl>(D))
      for (const EnumConstantDecl *C : E->enumerators()) {
        Node Kid = make("Enumerator");
        Kid->Label = llvm::toString(C->getInitVal(), 10);
        name(*Kid, C);
        T->Kids.push_back(std::move(Kid));
      }
    if (const auto *R = dyn_cast<CXXRecordDecl>(D); R && R->hasDefinition()) {
      for (const CXXBaseSpecifier &B : R->bases())
        T->Label += " : " + typeText(B.getType());
      for (const FieldDecl *F : R->fields()) {
        Node Kid = make("Field");
        Kid->Type = typeText(F->getType());
        if (F->isBitField())
          Kid->Label = std::to_string(F->getBitWidthValue());
        name(*Kid, F);
        if (F->hasInClassInitializer())
          Kid->Kids.push_back(statement(F->getInClassInitializer()));
        T->Kids.push_back(std::move(Kid));
      }
      for (const CXXMethodDecl *M : R->methods())
        if (!M->isImplicit() && M->hasBody()) {
          Node Kid = make("Method");
          Kid->Type = typeText(M->getType());
          name(*Kid, M);
          for (const ParmVarDecl *P : M->parameters())
            Kid->Kids.push_back(variable(P));
          Kid->Kids.push_back(statement(M->getBody()));
          T->Kids.push_back(std::move(Kid));
        }
    }
    return T;
  }

  Node lambda(const LambdaExpr *L) {
    Node T = make("LambdaExpr");
    T->Origin = L;
    T->Label = L->isMutable() ? "mutable" : "";
    T->Label += L->getCaptureDefault() == LCD_ByRef    ? "&"
                : L->getCaptureDefault() == LCD_ByCopy ? "="
                                                       : "";
    const CXXMethodDecl *Called = calledIn(L);
    T->Type = typeText(Called->getReturnType());
    auto Init = L->capture_init_begin();
    for (const LambdaCapture &C : L->captures()) {
      const Expr *Value = *Init++;
      if (C.isImplicit())
        continue;
      Node Kid = make("Capture");
      Kid->Label = std::to_string(int(C.getCaptureKind()));
      if (C.capturesVariable()) {
        // `v = x[i]` declares what it names.
        if (L->isInitCapture(&C)) {
          Kid->Name = C.getCapturedVar()->getNameAsString();
          Kid->Kids.push_back(variable(cast<VarDecl>(C.getCapturedVar())));
        } else {
          name(*Kid, C.getCapturedVar());
        }
      }
      (void)Value;
      T->Kids.push_back(std::move(Kid));
    }
    for (const ParmVarDecl *P : Called->parameters())
      T->Kids.push_back(variable(P));
    T->Kids.push_back(statement(Called->getBody()));
    return T;
  }

  bool isLine(const Expr *E) const {
    SourceLocation At = E->getBeginLoc();
    return At.isMacroID() &&
           Lexer::getImmediateMacroName(At, Context.getSourceManager(),
                                        Context.getLangOpts()) == "__LINE__";
  }

  /// As it is after the way through writeTree().
  static std::string oneLine(llvm::StringRef Text) {
    std::string Escaped;
    llvm::raw_string_ostream OS(Escaped);
    OS.write_escaped(Text);
    return Escaped;
  }

  void label(const Expr *E, Tree &T) {
    T.Type = typeText(E->getType());
    if (E->isGLValue())
      T.Type += " lvalue";
    if (const auto *X = dyn_cast<UnaryOperator>(E))
      T.Label = UnaryOperator::getOpcodeStr(X->getOpcode()).str() +
                (X->isPostfix() ? " post" : "");
    else if (const auto *X = dyn_cast<BinaryOperator>(E))
      T.Label = X->getOpcodeStr().str();
    else if (const auto *X = dyn_cast<CXXOperatorCallExpr>(E))
      T.Label = copiesBits(*X, Context.getSourceManager()) ? BitCopy : "";
    else if (const auto *X = dyn_cast<CastExpr>(E))
      T.Label = X->getCastKindName();
    else if (const auto *X = dyn_cast<IntegerLiteral>(E))
      T.Label =
          isLine(E) ? "__LINE__" : llvm::toString(X->getValue(), 10, false);
    else if (const auto *X = dyn_cast<CharacterLiteral>(E))
      T.Label = std::to_string(X->getValue());
    else if (const auto *X = dyn_cast<CXXBoolLiteralExpr>(E))
      T.Label = X->getValue() ? "true" : "false";
    else if (const auto *X = dyn_cast<FloatingLiteral>(E))
      T.Label = llvm::toString(X->getValue().bitcastToAPInt(), 16, false);
    else if (const auto *X = dyn_cast<clang::StringLiteral>(E))
      T.Label = oneLine(X->getBytes());
    else if (const auto *X = dyn_cast<DeclRefExpr>(E))
      name(T, X->getDecl());
    else if (const auto *X = dyn_cast<MemberExpr>(E)) {
      name(T, X->getMemberDecl());
      T.Label = X->isArrow() ? "->" : ".";
    } else if (const auto *X = dyn_cast<MSPropertyRefExpr>(E))
      name(T, X->getPropertyDecl());
    else if (const auto *X = dyn_cast<CXXConstructExpr>(E))
      name(T, X->getConstructor());
    else if (const auto *X = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
      T.Label = std::to_string(int(X->getKind()));
      if (X->isArgumentType())
        T.Label += " " + typeText(X->getArgumentType());
    } else if (isa<OffsetOfExpr, TypeTraitExpr, ArrayTypeTraitExpr,
                   ExpressionTraitExpr, SourceLocExpr>(E)) {
      llvm::raw_string_ostream OS(T.Label);
      E->printPretty(OS, nullptr, Policy);
    } else if (const auto *X = dyn_cast<SizeOfPackExpr>(E)) {
      T.Label = std::to_string(X->getPackLength());
    }
  }

  void label(const Stmt *S, Tree &T) {
    if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
      T.Label =
          oneLine(A->getAsmString()) + (A->isVolatile() ? " volatile" : "");
      for (unsigned I = 0; I != A->getNumOutputs(); ++I)
        T.Label += " =" + A->getOutputConstraint(I);
      for (unsigned I = 0; I != A->getNumInputs(); ++I)
        T.Label += " :" + A->getInputConstraint(I);
      for (unsigned I = 0; I != A->getNumClobbers(); ++I)
        T.Label += " ~" + A->getClobber(I);
    } else if (const auto *G = dyn_cast<GotoStmt>(S)) {
      name(T, G->getLabel());
    } else if (const auto *L = dyn_cast<LabelStmt>(S)) {
      name(T, L->getDecl());
    } else if (const auto *I = dyn_cast<IfStmt>(S)) {
      T.Label = I->isConstexpr() ? "constexpr" : "";
    }
  }

  /// Nodes that say nothing of what is done.
  static const Stmt *withoutSugar(const Stmt *S) {
    for (;;) {
      if (!S)
        return S;
      if (const auto *P = dyn_cast<ParenExpr>(S))
        S = P->getSubExpr();
      else if (const auto *F = dyn_cast<FullExpr>(S))
        S = F->getSubExpr();
      else if (const auto *N = dyn_cast<SubstNonTypeTemplateParmExpr>(S))
        S = N->getReplacement();
      else if (const auto *O = dyn_cast<OpaqueValueExpr>(S);
               O && O->getSourceExpr())
        S = O->getSourceExpr();
      else if (const auto *O = dyn_cast<PseudoObjectExpr>(S))
        S = O->getSyntacticForm();
      else if (const auto *A = dyn_cast<AttributedStmt>(S);
               A && llvm::all_of(A->getAttrs(), [](const Attr *X) {
                 return isa<LoopHintAttr>(X);
               }))
        S = A->getSubStmt();
      else
        return S;
    }
  }

  Node statement(const Stmt *S) {
    S = withoutSugar(S);
    if (!S)
      return make("-");
    if (const auto *L = dyn_cast<LambdaExpr>(S))
      return lambda(L);
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      Node T = make("DeclStmt");
      T->Origin = S;
      for (const Decl *One : D->decls())
        T->Kids.push_back(declaration(One));
      return T;
    }
    Node T = make(S->getStmtClassName());
    T->Origin = S;
    if (const auto *E = dyn_cast<Expr>(S))
      label(E, *T);
    else
      label(S, *T);
    if (const auto *P = dyn_cast<PredefinedExpr>(S)) {
      T->Label = P->getFunctionName() ? P->getFunctionName()->getString().str()
                                      : std::string();
      return T;
    }
    if (const auto *C = dyn_cast<CXXCatchStmt>(S)) {
      T->Kids.push_back(statement(C->getHandlerBlock()));
      return T;
    }
    for (const Stmt *Kid : S->children())
      T->Kids.push_back(statement(Kid));
    return T;
  }
};

} // namespace

void eachNode(const Tree &T, llvm::function_ref<void(const Tree &)> Do) {
  Do(T);
  for (const std::unique_ptr<Tree> &Kid : T.Kids)
    eachNode(*Kid, Do);
}

const Stmt *originOf(const Stmt *S) {
  for (;;) {
    if (const auto *P = dyn_cast_or_null<ParenExpr>(S))
      S = P->getSubExpr();
    else if (const auto *F = dyn_cast_or_null<FullExpr>(S))
      S = F->getSubExpr();
    else
      return S;
  }
}

std::unique_ptr<Tree> treeOf(const FunctionDecl *F, ASTContext &Context) {
  return Builder(Context).function(F);
}

} // namespace kpipe
