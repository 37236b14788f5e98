// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryTypes.h. Source: libcu++'s cuda/barrier and cuda/pipeline.
#include "LibraryTypes.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

const CXXRecordDecl *recordOf(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *R = T->getAsCXXRecordDecl();
  return R && R->getIdentifier() && isToolkits(R) ? R : nullptr;
}

bool isClass(const Tree &T, llvm::StringRef Name) {
  const Expr *E = exprOf(T);
  const CXXRecordDecl *R = E ? recordOf(E->getType()) : nullptr;
  return R && R->getName() == Name;
}

std::optional<int64_t> templateNumber(const Decl *D, unsigned N) {
  const TemplateArgumentList *Given = nullptr;
  if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
    Given = F->getTemplateSpecializationArgs();
  else if (const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(D))
    Given = &R->getTemplateArgs();
  if (!Given || N >= Given->size() ||
      Given->get(N).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Given->get(N).getAsIntegral().getExtValue();
}

bool isOneThread(const Tree &Group) {
  const Expr *E = exprOf(Group);
  return isClass(Group, "thread_block_tile") &&
         templateNumber(recordOf(E->getType()), 0) == 1;
}

unsigned pointeeSize(const Tree &Pointer, const Frame &F) {
  const Expr *E = exprOf(Pointer);
  QualType To = E ? E->getType() : QualType();
  if (To.isNull() || !To->isPointerType() ||
      To->getPointeeType()->isIncompleteType() ||
      To->getPointeeType()->isVoidType())
    return 0;
  return F.Context.getTypeSizeInChars(To->getPointeeType()).getQuantity();
}

unsigned alignmentOf(const Tree &Pointer, const Frame &F) {
  const Tree *T = &Pointer;
  while (T->Kids.size() == 1 && isa_and_nonnull<ImplicitCastExpr>(exprOf(*T)) &&
         (T->Label == "BitCast" || T->Label == "NoOp"))
    T = &T->kid(0);
  const Expr *E = exprOf(*T);
  QualType To = E ? E->getType() : QualType();
  if (To.isNull() || !To->isPointerType() ||
      To->getPointeeType()->isIncompleteType())
    return 1;
  return F.Context.getTypeAlignInChars(To->getPointeeType()).getQuantity();
}

const Tree *sizeIn(const Tree &Size, const Frame &F, unsigned &Alignment) {
  const Tree *T = &withoutCasts(Size);
  while (isClass(*T, "aligned_size_t")) {
    const Expr *E = exprOf(*T);
    if (auto N = templateNumber(recordOf(E->getType()), 0))
      Alignment = std::max<unsigned>(Alignment, *N);
    if (T->Kids.size() == 1)
      T = &withoutCasts(T->kid(0));
    else if (const Tree *Value = T->is("DeclRefExpr") && T->Local
                                     ? F.valueOf(T->Local)
                                     : nullptr)
      T = &withoutCasts(*Value);
    else
      return nullptr;
  }
  const Expr *E = exprOf(*T);
  return E && E->getType()->isIntegerType() ? T : nullptr;
}

std::string groupOf(const Tree &Group, const Frame &F) {
  const Tree *T = &withoutCasts(Group);
  const Frame *In = &F;
  while (In->Caller && T->is("DeclRefExpr")) {
    // A function of which each statement is asynchronous assigns to none.
    auto Given = In->Given.find(T->Local);
    if (Given == In->Given.end())
      break;
    T = &withoutCasts(*Given->second);
    In = In->Caller;
  }
  return spelled(*T, *In);
}

} // namespace kpipe
