// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients through sums, calls and assembly, see WordsOfAddresses.h.
#include "WordsOfAddresses.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "Code/UsesOfVariables.h"
#include "FunctionNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace kpipe {

namespace {

/// Does the callee only read what it has a reference to const for?
bool onlyReads(const FunctionDecl *F, unsigned Argument) {
  const FunctionDecl *Body = nullptr;
  if (!F || F->isWeak() || isa<CXXMethodDecl>(F) || !F->hasBody(Body) ||
      Argument >= Body->getNumParams())
    return false;
  const ParmVarDecl *P = Body->getParamDecl(Argument);
  const QualType To = P->getType().getNonReferenceType();
  return P->getType()->isLValueReferenceType() && To.isConstQualified() &&
         !To.isVolatileQualified() && !usesIn(Body->getBody()).Handed.count(P);
}

/// What a variable of one function is given, by whatever statement.
struct GivenValues : ConstDynamicRecursiveASTVisitor {
  const VarDecl *V;
  llvm::SmallVector<const Expr *, 4> Values;
  llvm::SmallVector<const GCCAsmStmt *, 2> Assembly;
  /// Calls that could change it by a name of their own.
  llvm::SmallVector<const CallExpr *, 2> Calls;
  const Stmt *Without; ///< is not looked into
  bool Steps = false;  ///< `v++`
  GivenValues(const VarDecl *V, const Stmt *Without) : V(V), Without(Without) {}

  bool TraverseStmt(const Stmt *S) override {
    return S == Without || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Steps |= U->isIncrementDecrementOp() && isOwn(U->getSubExpr());
    return true;
  }

  bool isOwn(const Expr *E) const {
    return namedVariable(baseOf(E->IgnoreParenImpCasts())) == V;
  }
  bool VisitVarDecl(const VarDecl *D) override {
    if (D == V && D->hasInit())
      Values.push_back(D->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp() && isOwn(B->getLHS()))
      Values.push_back(B->getRHS());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (isOwn(A->getOutputExpr(I)))
        Assembly.push_back(A);
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    const CallKind Kind = F ? classifyCall(F) : CallKind::Unknown;
    // Values go to a fragment and come from it, the address never.
    if (Kind == CallKind::WmmaLoad || Kind == CallKind::WmmaStore)
      return true;
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      const Expr *A = C->getArg(I);
      if ((Kind == CallKind::WmmaCompute && I) || onlyReads(F, I))
        continue;
      const auto *U = dyn_cast<UnaryOperator>(A->IgnoreParenImpCasts());
      const bool Address = U && U->getOpcode() == UO_AddrOf;
      const bool Decays =
          A->getType()->isPointerType() && V->getType()->isArrayType();
      if ((A->isGLValue() || Address || Decays) &&
          isOwn(Address ? U->getSubExpr() : A))
        Calls.push_back(C);
    }
    return true;
  }
};

/// A number, or an object or array in which there may be one.
bool holdsNumbers(const VarDecl *V) {
  const QualType T = V->getType();
  return !T->isPointerType() && !T->isReferenceType() &&
         !T->getBaseElementTypeUnsafe()->isFloatingType();
}

/// The function's only return, behind nothing but declarations and assembly.
const Expr *valueOf(const FunctionDecl *F) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(F->getBody());
  if (!Block || Block->body_empty())
    return nullptr;
  for (const Stmt *S : Block->body())
    if (S != Block->body_back() && !isa<DeclStmt, GCCAsmStmt>(S))
      return nullptr;
  const auto *R = dyn_cast<ReturnStmt>(Block->body_back());
  return R ? R->getRetValue() : nullptr;
}

/// Does a function nothing but load by assembly? What it gives is no address.
bool onlyLoads(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  const auto *Block =
      F && F->hasBody(Body) ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
  return Block && llvm::all_of(Block->body(), [](const Stmt *S) {
           const auto *A = dyn_cast<GCCAsmStmt>(S);
           if (!A)
             return false;
           const AsmEffect Effect = classifyAsm(A->getAsmString());
           return Effect.ReadsShared || Effect.ReadsGlobal;
         });
}

/// `cvta.to.shared` of the pointer %1, and nothing else.
bool isConversion(llvm::StringRef Text) {
  std::string Plain = withoutComments(Text);
  llvm::erase_if(Plain, [](char C) { return llvm::isSpace(C); });
  static const llvm::Regex ToWord(
      "^\\{?\\.reg\\.[ub]64([A-Za-z_0-9%$]+);cvta\\.to\\.shared\\.u64\\1,%1;"
      "cvt\\.u32\\.u64%0,\\1;\\}?;?$");
  static const llvm::Regex ToLong("^cvta\\.to\\.shared\\.u64%0,%1;?$");
  return ToWord.match(Plain) || ToLong.match(Plain);
}

} // namespace

WordsOfAddresses::Share WordsOfAddresses::variable(const VarDecl *V,
                                                   const CallFrame &In) {
  if (In.Caller)
    return given(V, In);
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  const Share S = given(V, In);
  return Known[V] = S;
}

WordsOfAddresses::Share WordsOfAddresses::given(const VarDecl *V,
                                                const CallFrame &In) {
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    const unsigned I = P->getFunctionScopeIndex();
    if (In.Caller && P->getDeclContext() == In.Function)
      return I < In.Arguments.size() ? number(In.Arguments[I], *In.Caller)
                                     : Share();
  }
  if (!V->hasLocalStorage() || V->getDeclContext() != In.Function)
    return 0;
  if (llvm::is_contained(Open, V)) // a sum that is added to itself
    return 0;
  Open.push_back(V);
  const bool View = llvm::is_contained(Buffer.Views, V);
  GivenValues All(V, View || In.Caller ? nullptr : Loop);
  All.TraverseStmt(In.Function->getBody());
  Share Found;
  unsigned Count = 0;
  bool Same = true;
  auto take = [&](Share S) {
    Same &= S && (!Count || S == Found);
    Found = S;
    ++Count;
  };
  for (const Expr *E : All.Values)
    take(number(E, In));
  for (const GCCAsmStmt *A : All.Assembly)
    take(assembly(A, In));
  for (const CallExpr *C : All.Calls)
    if (!onlyLoads(C->getDirectCallee()))
      for (const Expr *A : C->arguments())
        Same &= (A->getType()->isPointerType() ? pointer(A, In)
                 : namedVariable(A) == V       ? Share(0)
                                               : number(A, In)) == Share(0);
  Open.pop_back();
  if (!Same || (View && All.Steps))
    return std::nullopt;
  // Of two values that have it, the buffer's place may be in either.
  return Count == 0                        ? Share(0)
         : Found == Share(0) || Count == 1 ? Found
                                           : Share();
}

WordsOfAddresses::Share WordsOfAddresses::pointer(const Expr *E,
                                                  const CallFrame &In) {
  if (!E->getType()->isPointerType())
    return std::nullopt;
  const Storages All = storageOfPointer(E, In);
  auto isOwn = [&](const Storage &S) {
    return S.Where == Storage::Kind::Shared &&
           (!S.Var || S.Var == Buffer.Var ||
            llvm::any_of(Buffer.Given, [&](const GivenArray &G) {
              return G.Array == S.Var;
            }));
  };
  if (llvm::none_of(All, isOwn))
    return parts(E, In);
  // Where in the array it points must not hang on the array's place.
  return llvm::all_of(All, isOwn) && parts(E, In) == Share(0) ? Share(1)
                                                              : Share();
}

WordsOfAddresses::Share WordsOfAddresses::parts(const Stmt *S,
                                                const CallFrame &In) {
  for (const Stmt *Kid : S->children()) {
    if (!Kid)
      continue;
    const auto *E = dyn_cast<Expr>(Kid);
    const bool Number = E && !E->getType()->isPointerType() && !E->isGLValue();
    if ((Number ? number(E, In) : parts(Kid, In)) != Share(0))
      return std::nullopt;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(S))
    for (const Expr *A : C->arguments())
      if (A->getType()->isPointerType() && pointer(A, In) != Share(0))
        return std::nullopt;
  const auto *D = dyn_cast<DeclRefExpr>(S);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && holdsNumbers(V) ? variable(V, In) : Share(0);
}

WordsOfAddresses::Share WordsOfAddresses::binary(const BinaryOperator *B,
                                                 const CallFrame &In) {
  if (B->getOpcode() == BO_Comma)
    return number(B->getRHS(), In);
  if ((B->getOpcode() != BO_Add && B->getOpcode() != BO_Sub) ||
      B->getLHS()->getType()->isPointerType())
    return parts(B, In);
  const Share L = number(B->getLHS(), In), R = number(B->getRHS(), In);
  if (!L || !R)
    return std::nullopt;
  return B->getOpcode() == BO_Add ? *L + *R : *L - *R;
}

WordsOfAddresses::Share WordsOfAddresses::number(const Expr *E,
                                                 const CallFrame &In) {
  E = E->IgnoreParens();
  if (E->getType()->isPointerType())
    return pointer(E, In);
  if (const auto *F = dyn_cast<FullExpr>(E))
    return number(F->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Of = C->getSubExpr();
    if (C->getCastKind() == CK_PointerToIntegral)
      return pointer(Of, In);
    if (C->getCastKind() == CK_LValueToRValue)
      if (const VarDecl *V = namedVariable(Of);
          V && V->getType()->isIntegerType())
        return variable(V, In);
    if (C->getCastKind() != CK_IntegralCast && C->getCastKind() != CK_NoOp)
      return parts(C, In); // a value that is loaded is no address
    const Share S = number(Of, In);
    const bool Whole =
        In.Index->context().getTypeSize(C->getType()) >= 32 || S == Share(0);
    return Whole ? S : Share();
  }
  if (const auto *L = dyn_cast<InitListExpr>(E); L && L->getNumInits() == 1)
    return number(L->getInit(0), In);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B, In);
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    const Share Yes = number(C->getTrueExpr(), In);
    return Yes == number(C->getFalseExpr(), In) &&
                   number(C->getCond(), In) == Share(0)
               ? Yes
               : Share();
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C, In);
  return parts(E, In);
}

WordsOfAddresses::Share WordsOfAddresses::call(const CallExpr *C,
                                               const CallFrame &In) {
  const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
  const auto Args = argumentsOf(C);
  const bool Free = llvm::all_of(Args, [&](const Expr *A) {
    return (A->isGLValue() ? parts(A, In) : number(A, In)) == Share(0);
  });
  const Expr *Object = objectOf(C);
  if (Free && (!Object || parts(Object, In) == Share(0)))
    return 0;
  if (!F)
    return std::nullopt;
  if (isToolkits(F) && F->getIdentifier() &&
      F->getName() == "__cvta_generic_to_shared" && Args.size() == 1)
    return pointer(Args[0], In);
  if (F->isWeak() || !F->hasBody(Body) || In.calls(Body) || In.isTooDeep())
    return C->getType()->isFloatingType() ? Share(0) : Share();
  const CallFrame Callee{Body, &In, Args, Object, In.Index, In.Depth + 1};
  // A loop that searches an array makes no address.
  const Expr *Value = valueOf(Body);
  return Value                            ? number(Value, Callee)
         : C->getType()->isFloatingType() ? Share(0)
                                          : Share();
}

WordsOfAddresses::Share WordsOfAddresses::assembly(const GCCAsmStmt *A,
                                                   const CallFrame &In) {
  Share All = 0;
  for (unsigned I = 0; I != A->getNumInputs(); ++I) {
    const Share S = number(A->getInputExpr(I), In);
    All = !All || !S ? Share() : Share(*All + *S);
  }
  const AsmEffect Effect = classifyAsm(A->getAsmString());
  if (All == Share(0) || Effect.ReadsShared || Effect.ReadsGlobal)
    return 0;
  return A->getNumInputs() == 1 && A->getNumOutputs() == 1 &&
                 isConversion(A->getAsmString())
             ? All
             : Share();
}

/// Is `%4` of a text always `[%4]` or `[%4 + 16]`?
static bool standsInBrackets(const GCCAsmStmt *A, unsigned Operand) {
  const std::string Text = A->getAsmString();
  const std::string Number = std::to_string(Operand);
  const llvm::Regex Anywhere("%" + Number + "([^0-9]|$)"),
      Bare("(^|[^[])%" + Number + "([^0-9]|$)");
  return Anywhere.match(Text) && !Bare.match(Text);
}

bool WordsOfAddresses::isFine(const Stmt *S, const Expr *Part,
                              const CallFrame &In) {
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      if (A->getInputExpr(I) == Part)
        return standsInBrackets(A, A->getNumOutputs() + I);
    return false;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return llvm::all_of(D->decls(), [&](const Decl *X) {
      const auto *V = dyn_cast<VarDecl>(X);
      return !V || V->getInit() != Part || V->getType()->isIntegerType();
    });
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    const VarDecl *To = namedVariable(B->getLHS());
    if (B->isAssignmentOp() && !(To && To->hasLocalStorage()))
      return false;
    return llvm::is_contained(
        {BO_Add, BO_Sub, BO_Assign, BO_AddAssign, BO_SubAssign, BO_Comma},
        B->getOpcode());
  }
  if (const auto *C = dyn_cast<CastExpr>(S))
    return C->getType()->isIntegerType() && !C->getType()->isBooleanType();
  if (const auto *C = dyn_cast<ConditionalOperator>(S))
    return C->getCond() != Part;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->hasBody(Body) || In.calls(Body) || In.isTooDeep())
      return false;
    const auto Args = argumentsOf(C);
    return areAddresses(Body->getBody(), CallFrame{Body, &In, Args, objectOf(C),
                                                   In.Index, In.Depth + 1});
  }
  return isa<ParenExpr, FullExpr, InitListExpr>(S) ||
         (isa<ReturnStmt>(S) && In.Caller);
}

bool WordsOfAddresses::areAddresses(const Stmt *S, const CallFrame &In) {
  return llvm::all_of(S->children(), [&](const Stmt *Kid) {
    const auto *E = dyn_cast_or_null<Expr>(Kid);
    if (E && E->isPRValue() && E->getType()->isIntegerType() &&
        !isa<CompoundStmt, ForStmt>(S) && number(E, In) != Share(0) &&
        !isFine(S, E, In))
      return false;
    return !Kid || areAddresses(Kid, In);
  });
}

} // namespace kpipe
