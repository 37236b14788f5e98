// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: CUDA Math API ("will not be merged into a single multiply-add" of
// the intrinsics with a rounding mode), PTX ISA (add, mul without one may be
// fused).
#include "SeenCalls.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace kpipe {

static llvm::StringRef toolkitName(const FunctionDecl *F) {
  return F->getIdentifier() && isToolkits(F) ? F->getName() : "";
}

bool handsOn(const FunctionDecl *F) {
  return llvm::is_contained({"fmaxf", "fminf", "fmax", "fmin", "fabsf", "fabs",
                             "max", "min", "__int_as_float"},
                            toolkitName(F));
}

/// With a rounding mode in their names, or one instruction.
static bool rounds(const FunctionDecl *F) {
  static const llvm::Regex Name(
      "^(fmaf?|__f(add|sub|mul|maf)_r[nzud]|__d(add|sub|mul)_r[nzud]|"
      "__fma_r[nzud]|__hfma2?(_relu|_sat)?|__dp[24]a.*|"
      "__(u?int|ll|ull|float|double|half|bfloat16)2.*)$");
  return Name.match(toolkitName(F));
}

bool isOpaque(const FunctionDecl *F) {
  switch (classifyCall(F)) {
  case CallKind::WarpSync:
  case CallKind::CachedLoad:
  case CallKind::ReadOnlyLoad:
  case CallKind::VolatileLoad:
    return true;
  default:
    return rounds(F);
  }
}

namespace {

/// Looks for arithmetic in a function of the author's.
struct ArithmeticFinder : ConstDynamicRecursiveASTVisitor {
  unsigned Depth = 0;
  bool Found = false;
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    Found |= B->getType()->isRealFloatingType() && !B->isCommaOp() &&
             B->getOpcode() != BO_Assign;
    // What it stores may be read again.
    Found |= B->isAssignmentOp() &&
             !isa<DeclRefExpr>(B->getLHS()->IgnoreParens());
    return !Found;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Found |= U->getType()->isRealFloatingType() && U->isArithmeticOp();
    return !Found;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    Found |= !keepsFloats(A);
    return !Found;
  }
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    return isSpecialRegister(P) ||
           ConstDynamicRecursiveASTVisitor::TraversePseudoObjectExpr(P);
  }
  bool VisitLambdaExpr(const LambdaExpr *) override {
    Found = true;
    return false;
  }
  bool VisitCallExpr(const CallExpr *C) override;
};

bool keeps(const CallExpr *C, unsigned Depth) {
  const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
  if (!F || Depth > 4)
    return false;
  if (F->isOverloadedOperator()) {
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    return M && M->isTrivial(); // a copy
  }
  if (isOpaque(F) || handsOn(F))
    return true;
  switch (classifyCall(F)) {
  case CallKind::Ordinary:
  case CallKind::Unknown:
  case CallKind::Atomic:
  case CallKind::Output:
    break;
  case CallKind::Pure:
    return !F->getReturnType()->isRealFloatingType() &&
           !F->getReturnType()->isRecordType() &&
           llvm::none_of(F->parameters(), [](const ParmVarDecl *P) {
             return P->getType()->isRealFloatingType();
           });
  default:
    return true;
  }
  if (!F->hasBody(Body) || isa<CXXMethodDecl>(Body))
    return false;
  ArithmeticFinder Find;
  Find.Depth = Depth + 1;
  Find.TraverseStmt(Body->getBody());
  return !Find.Found;
}

bool ArithmeticFinder::VisitCallExpr(const CallExpr *C) {
  Found |= !keeps(C, Depth);
  return !Found;
}

} // namespace

bool keepsFloats(const CallExpr *C) { return keeps(C, 0); }

bool keepsFloats(const GCCAsmStmt *A) {
  // ptxas sees instructions, not who wrote them.
  static const llvm::Regex Fusible(
      "(^|[^a-z.])(add|sub|mul|mad|div)\\.[a-z0-9.]*(f16|f32|f64|bf16)");
  // What these give may be a product that they are given.
  static const llvm::Regex HandsOn(
      "(^|[^a-z.])(mov|selp|slct|neg|abs|min|max|prmt)\\.");
  std::string Text = A->getAsmString();
  bool GivesFloats = llvm::any_of(A->outputs(), [](const Expr *E) {
    return E->getType()->isRealFloatingType();
  });
  return !Fusible.match(Text) && !(GivesFloats && HandsOn.match(Text));
}

} // namespace kpipe
