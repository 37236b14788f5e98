// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that have the buffer's address in them once, see ViewsByNumber.h.

#include "ViewsByNumber.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Addresses that stand in registers of 32 bits or more.
bool isWide(QualType T, const ASTContext &Context) {
  return T->isIntegerType() && !T->isBooleanType() && !T->isEnumeralType() &&
         Context.getTypeSize(T) >= 32;
}

/// The words of an instruction: `cvta.to.shared.u64 a, %1`.
llvm::SmallVector<llvm::StringRef, 4> wordsOf(llvm::StringRef Instruction) {
  llvm::SmallVector<llvm::StringRef, 4> Words;
  llvm::SplitString(Instruction, Words, " \t\r\n{},");
  return Words;
}

/// Does assembly do nothing but turn the pointer %1 into the number %0?
///   .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a;
bool convertsAddress(llvm::StringRef Text) {
  const std::string Clean = withoutComments(Text);
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  llvm::StringRef(Clean).split(Parts, ';');
  llvm::StringRef Register, Address = "%1";
  for (llvm::StringRef Part : Parts) {
    const auto Words = wordsOf(Part);
    if (Words.empty() || Address == "%0") {
      if (!Words.empty())
        return false;
      continue;
    }
    const bool To64 = Words[0] == "cvta.to.shared.u64";
    if (Words[0] == ".reg" && Words.size() == 3 &&
        (Words[1] == ".u64" || Words[1] == ".b64") && Register.empty())
      Register = Words[2];
    else if ((To64 || Words[0] == "cvt.u32.u64") && Words.size() == 3 &&
             Words[2] == Address && To64 == (Address == "%1") &&
             (Words[1] == Register || Words[1] == "%0"))
      Address = Words[1];
    else
      return false;
  }
  return Address == "%0";
}

class Movement {
public:
  Movement(const ASTContext &Context, unsigned Depth)
      : Context(Context), Depth(Depth) {}

  llvm::SmallPtrSet<const VarDecl *, 4> Named; ///< what moves by name

  /// A number with the address in it once.
  bool number(const Expr *E) const {
    E = withoutSugar(E);
    if (!isWide(E->getType(), Context))
      return false;
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      switch (C->getCastKind()) {
      case CK_LValueToRValue:
        return isNamed(C->getSubExpr());
      case CK_PointerToIntegral:
        return pointer(C->getSubExpr());
      case CK_IntegralCast:
      case CK_NoOp:
        return number(C->getSubExpr());
      default:
        return false;
      }
    }
    if (const auto *L = dyn_cast<InitListExpr>(E))
      return L->getNumInits() == 1 && number(L->getInit(0));
    if (const auto *O = dyn_cast<ConditionalOperator>(E))
      return !mentions(O->getCond()) && number(O->getTrueExpr()) &&
             number(O->getFalseExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      const Expr *L = B->getLHS(), *R = B->getRHS();
      if (B->getOpcode() == BO_Add && !mentions(L))
        std::swap(L, R);
      return (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub) &&
             !mentions(R) && number(L);
    }
    const auto *C = dyn_cast<CallExpr>(E);
    return C && call(C);
  }

  /// A pointer into the buffer.
  bool pointer(const Expr *E) const {
    E = withoutSugar(E);
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      switch (C->getCastKind()) {
      case CK_ArrayToPointerDecay:
        return place(C->getSubExpr());
      case CK_LValueToRValue:
        return isNamed(C->getSubExpr());
      case CK_BitCast:
      case CK_NoOp:
        return pointer(C->getSubExpr());
      default:
        return false;
      }
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_AddrOf && place(U->getSubExpr());
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || (B->getOpcode() != BO_Add && B->getOpcode() != BO_Sub))
      return false;
    const Expr *L = B->getLHS(), *R = B->getRHS();
    if (B->getOpcode() == BO_Add && R->getType()->isPointerType())
      std::swap(L, R);
    return !mentions(R) && pointer(L);
  }

  /// Does an expression name what moves? What names nothing cannot move.
  bool mentions(const Expr *E) const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const Movement &Of;
      bool Found = false;
      explicit Finder(const Movement &M) : Of(M) {}
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        const auto *V = dyn_cast<VarDecl>(D->getDecl());
        return !(Found |= V && Of.Named.contains(V));
      }
    } F(*this);
    F.TraverseStmt(E);
    return F.Found;
  }

private:
  const ASTContext &Context;
  const unsigned Depth; ///< of calls that are entered
  static constexpr unsigned MaxDepth = 4;

  bool isNamed(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    // Of a reference, and of the buffer itself, it is the contents.
    return V && Named.contains(V) && V->hasLocalStorage() &&
           (V->getType()->isPointerType() || V->getType()->isIntegerType());
  }

  /// A part of the buffer, or what one of its pointers points to.
  bool place(const Expr *E) const {
    E = withoutSugar(E);
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V && Named.contains(V) &&
             (!V->getType()->isPointerType() && !V->getType()->isIntegerType());
    }
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return !mentions(A->getIdx()) && pointer(A->getBase());
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return isa<FieldDecl>(M->getMemberDecl()) &&
             !M->getMemberDecl()->getType()->isReferenceType() &&
             (M->isArrow() ? pointer(M->getBase()) : place(M->getBase()));
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_Deref && pointer(U->getSubExpr());
    const auto *C = dyn_cast<CastExpr>(E);
    return C &&
           (C->getCastKind() == CK_NoOp ||
            C->getCastKind() == CK_LValueBitCast) &&
           place(C->getSubExpr());
  }

  /// The toolkit's conversion, or a function of the author's around one.
  bool call(const CallExpr *C) const {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->getIdentifier() || isa<CXXMethodDecl>(F))
      return false;
    if (isToolkits(F))
      return F->getName() == "__cvta_generic_to_shared" &&
             C->getNumArgs() == 1 && pointer(C->getArg(0));
    if (F->isWeak() || F->isVariadic() || !F->hasBody(Body) ||
        Depth == MaxDepth || Body->getNumParams() != C->getNumArgs())
      return false;
    Movement Inner(Context, Depth + 1);
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      const Expr *A = C->getArg(I);
      if (!mentions(A))
        continue;
      const VarDecl *P = Body->getParamDecl(I);
      if (P->getType()->isReferenceType() ||
          !(A->getType()->isPointerType() ? pointer(A) : number(A)))
        return false;
      Inner.Named.insert(P);
    }
    return Inner.Named.size() == 1 && Inner.returns(Body->getBody());
  }

  /// Is the body one value that moves with the parameter, perhaps made by an
  /// assembly statement?
  bool returns(const Stmt *Body) {
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
    if (!Block || Block->body_empty())
      return false;
    for (const Stmt *S : Block->body()) {
      if (S == Block->body_back()) {
        const auto *R = dyn_cast<ReturnStmt>(S);
        return R && R->getRetValue() && number(R->getRetValue());
      }
      if (const auto *D = dyn_cast<DeclStmt>(S)) {
        const auto *V =
            D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
        if (!V || V->hasInit() || !isWide(V->getType(), Context))
          return false;
      } else if (!converts(dyn_cast<GCCAsmStmt>(S))) {
        return false;
      }
    }
    return false;
  }

  bool converts(const GCCAsmStmt *A) {
    if (!A || A->getNumOutputs() != 1 || A->getNumInputs() != 1 ||
        A->getNumClobbers() != 0 || A->isOutputPlusConstraint(0) ||
        !pointer(A->getInputExpr(0)) || !convertsAddress(A->getAsmString()))
      return false;
    const auto *D = dyn_cast<DeclRefExpr>(A->getOutputExpr(0)->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V || isa<ParmVarDecl>(V) || !isWide(V->getType(), Context))
      return false;
    Named.insert(V);
    return true;
  }
};

} // namespace

bool movesWith(const StagedBuffer &B, const Expr *E,
               const ASTContext &Context) {
  Movement M(Context, 0);
  M.Named.insert(B.Var);
  M.Named.insert(B.Views.begin(), B.Views.end());
  return M.number(E) || (ruleIsSwitchedOff("number-views") && M.mentions(E));
}

bool hasNumberView(const StagedBuffer &B) {
  return llvm::any_of(
      B.Views, [](const VarDecl *V) { return V->getType()->isIntegerType(); });
}

} // namespace kpipe
