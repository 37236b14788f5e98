// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header text, see Advance.h.

#include "Advance.h"
#include "Staging.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

llvm::Error hidden(const char *What) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s is hidden in a macro", What);
}

/// Keeps an operand together in `k + operand`.
std::string operand(const Expr *E, const SourceText &Source) {
  std::string Text = Source.text(E);
  const Expr *Plain = E->IgnoreImpCasts();
  bool Tight = isa<ParenExpr, DeclRefExpr, IntegerLiteral, CallExpr, MemberExpr,
                   ArraySubscriptExpr, CXXFunctionalCastExpr, PseudoObjectExpr,
                   SubstNonTypeTemplateParmExpr>(Plain);
  if (const auto *B = dyn_cast<BinaryOperator>(Plain))
    Tight = B->isMultiplicativeOp();
  return Tight && !Plain->getBeginLoc().isMacroID() ? Text : "(" + Text + ")";
}

/// `k0 + BK` for `k0 += BK`, converted back if the sum is wider or narrower
/// than the variable.
std::string nextValue(const HeaderVar &H, llvm::StringRef Name,
                      const std::string &Type, const SourceText &Source) {
  const Expr *E = H.Update->IgnoreParens();
  const ASTContext &Ctx = Source.context();
  QualType VarType = H.Var->getType().getUnqualifiedType();
  bool Narrow = VarType->isIntegerType() &&
                Ctx.getTypeSize(VarType) < Ctx.getTypeSize(Ctx.IntTy);
  std::string Next;
  bool Convert = Narrow;
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    Next = Name.str() + (U->isIncrementOp() ? " + 1" : " - 1");
  } else if (const auto *C = dyn_cast<CompoundAssignOperator>(E)) {
    llvm::StringRef Op = BinaryOperator::getOpcodeStr(
        BinaryOperator::getOpForCompoundAssignment(C->getOpcode()));
    Next = Name.str() + " " + Op.str() + " " + operand(C->getRHS(), Source);
    Convert |=
        !VarType->isPointerType() &&
        !Ctx.hasSameUnqualifiedType(C->getComputationResultType(), VarType);
  } else {
    const auto *B = cast<BinaryOperator>(E);
    Next = Source.text(B->getRHS());
    Convert |= !Ctx.hasSameUnqualifiedType(
        B->getRHS()->IgnoreImpCasts()->getType(), VarType);
  }
  return Convert ? "static_cast<" + Type + ">(" + Next + ")" : Next;
}

/// What an expression says of the header's variables.
struct Mentioned : RecursiveASTVisitor<Mentioned> {
  llvm::SmallVector<const DeclRefExpr *, 4> Found;
  /// Operands of comparisons, which bind weaker than what replaces them.
  llvm::SmallPtrSet<const Expr *, 8> Compared;
  explicit Mentioned(const Expr *E) { TraverseStmt(const_cast<Expr *>(E)); }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isComparisonOp())
      for (const Expr *Side : {B->getLHS(), B->getRHS()})
        Compared.insert(Side->IgnoreImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    Found.push_back(D);
    return true;
  }
};

/// E with other text for the header's variables; empty if a macro hides one.
/// Values: parallel to them; Whole: they need no parentheses anywhere.
std::string replaced(const Expr *E, const HeaderText &Header,
                     llvm::ArrayRef<std::string> Values, bool Whole,
                     const SourceText &Source) {
  auto At = Source.expression(E);
  if (!At)
    return {};
  Mentioned M(E);
  std::vector<Edit> Edits;
  for (const DeclRefExpr *D : M.Found)
    for (auto [V, Value] : llvm::zip(Header.Vars, Values)) {
      if (D->getDecl() != V.Decl)
        continue;
      auto Name = Source.offset(D->getLocation());
      if (!Name || D->getLocation().isMacroID())
        return {};
      bool Bare = Whole || M.Compared.count(D);
      Edits.push_back({*Name, static_cast<unsigned>(V.Name.size()),
                       Bare ? Value : "(" + Value + ")"});
    }
  return Source.edited(*At, Edits);
}

/// `k0 + BK < K` for `k0 < K`.
std::string nextCondition(const TileLoop &Loop, const HeaderText &Header,
                          const SourceText &Source) {
  std::vector<std::string> Next;
  for (const HeaderText::Var &V : Header.Vars)
    Next.push_back(V.Next);
  return replaced(Loop.Cond, Header, Next, false, Source);
}

} // namespace

llvm::Expected<HeaderText> readHeader(const TileLoop &Loop,
                                      const SourceText &Source) {
  HeaderText H;
  if (Loop.Init) {
    Range R = Source.statement(Loop.Init);
    H.Init = Source.at(R).str();
    H.InitDeclares = isa<DeclStmt>(Loop.Init);
    if (H.Init.empty() || H.Init.back() != ';')
      H.Init += ';';
    if (H.Init == ";")
      H.Init.clear();
  }
  H.Cond = Source.text(Loop.Cond);
  if (H.Cond.empty())
    return hidden("the loop's condition");
  for (const HeaderVar &V : Loop.HeaderVars) {
    HeaderText::Var T;
    T.Decl = V.Var;
    T.Name = V.Var->getNameAsString();
    QualType Type = V.Var->getType().getUnqualifiedType();
    T.Type = Type->isPointerType() || Type->isUndeducedAutoType()
                 ? std::string()
                 : declaredType(V.Var, Source);
    if (T.Type.empty() || T.Type == "auto")
      T.Type = Loop.Function->isTemplateInstantiation()
                   ? "auto"
                   : Type.getAsString(
                         PrintingPolicy(Source.context().getLangOpts()));
    T.Update = Source.text(V.Update);
    if (T.Update.empty())
      return hidden("the loop's step");
    T.Next = nextValue(V, T.Name, T.Type, Source);
    if (T.Type == "auto" && T.Next.find("static_cast") == 0)
      return hidden("the type of the loop's variable");
    H.Vars.push_back(std::move(T));
  }
  for (const HeaderText::Var &V : H.Vars)
    H.Step += (H.Step.empty() ? "" : ", ") + V.Update;
  H.NextCond = nextCondition(Loop, H, Source);
  return H;
}

CursorText cursorOf(const TileLoop &Loop, const HeaderText &Header,
                    llvm::ArrayRef<bool> Needed, Names &Fresh,
                    const SourceText &Source) {
  llvm::SmallVector<bool, 4> Wanted(Needed.begin(), Needed.end());
  auto want = [&](const Expr *E) {
    bool More = false;
    for (const DeclRefExpr *D : Mentioned(E).Found)
      for (unsigned I = 0; I != Header.Vars.size(); ++I)
        if (D->getDecl() == Header.Vars[I].Decl && !Wanted[I])
          More = Wanted[I] = true;
    return More;
  };
  want(Loop.Cond);
  for (bool More = true; More;) {
    More = false;
    for (unsigned I = 0; I != Header.Vars.size(); ++I)
      if (Wanted[I])
        More |= want(Loop.HeaderVars[I].Update);
  }

  CursorText C;
  for (unsigned I = 0; I != Header.Vars.size(); ++I) {
    const HeaderText::Var &V = Header.Vars[I];
    C.Values.push_back(Wanted[I] ? Fresh.fresh(V.Name + "_ahead") : V.Name);
    if (Wanted[I])
      C.Declarations.push_back(V.Type + " " + C.Values[I] + " = " + V.Name +
                               ";");
  }
  C.Cond = replaced(Loop.Cond, Header, C.Values, true, Source);
  for (unsigned I = 0; I != Header.Vars.size(); ++I) {
    if (!Wanted[I])
      continue;
    std::string Update =
        replaced(Loop.HeaderVars[I].Update, Header, C.Values, true, Source);
    if (Update.empty()) {
      C.Step.clear();
      break;
    }
    C.Step += (C.Step.empty() ? "" : ", ") + Update;
  }
  return C;
}

} // namespace kpipe
