// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header text, see Advance.h.

#include "Advance.h"
#include "Code/AstUtils.h"
#include "HeaderTypes.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// `k0 + BK` for `k0 += BK`, converted back if the sum is wider or narrower
/// than the variable. Its: how the result binds.
std::string nextValue(const HeaderVar &H, llvm::StringRef Name,
                      const std::string &Type, const SourceText &Source,
                      Binding &Its) {
  const Expr *E = H.Update->IgnoreParens();
  const ASTContext &Ctx = Source.context();
  QualType VarType = H.Var->getType().getUnqualifiedType();
  bool Narrow = VarType->isIntegerType() &&
                Ctx.getTypeSize(VarType) < Ctx.getTypeSize(Ctx.IntTy);
  std::string Next;
  bool Convert = Narrow;
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    Next = Name.str() + (U->isIncrementOp() ? " + 1" : " - 1");
    Its = Binding::Additive;
  } else if (const auto *C = dyn_cast<CompoundAssignOperator>(E)) {
    BinaryOperatorKind Op =
        BinaryOperator::getOpForCompoundAssignment(C->getOpcode());
    Its = bindingOf(Op);
    // All of these group from the left.
    Binding Tighter = static_cast<Binding>(static_cast<int>(Its) + 1);
    Binding Right = bindingOf(C->getRHS());
    // A macro's name tells the reader nothing of how what it stands for binds,
    // unless that is one number or has its own parentheses.
    if (C->getRHS()->getBeginLoc().isMacroID() && Right != Binding::Primary)
      Right = Binding::Comma;
    Next = Name.str() + " " + BinaryOperator::getOpcodeStr(Op).str() + " " +
           asOperand(Source.text(C->getRHS()), Right, Tighter);
    Convert |=
        !VarType->isPointerType() &&
        !Ctx.hasSameUnqualifiedType(C->getComputationResultType(), VarType);
  } else {
    const auto *B = cast<BinaryOperator>(E);
    Next = Source.text(B->getRHS());
    Its = bindingOf(B->getRHS());
    Convert |= !Ctx.hasSameUnqualifiedType(
        B->getRHS()->IgnoreImpCasts()->getType(), VarType);
  }
  if (!Convert)
    return Next;
  Its = Binding::Primary;
  return "static_cast<" + Type + ">(" + Next + ")";
}

/// What an expression says of the header's variables.
struct Mentioned : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const DeclRefExpr *, 4> Found;
  /// Operands of comparisons, which bind weaker than most of what replaces
  /// them.
  llvm::SmallPtrSet<const Expr *, 8> Compared;
  explicit Mentioned(const Expr *E) { TraverseStmt(E); }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isComparisonOp())
      for (const Expr *Side : {B->getLHS(), B->getRHS()})
        Compared.insert(Side->IgnoreImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Found.push_back(D);
    return true;
  }
};

/// `n + 1` for `n--`, which asks for the value before the step, and `n` for
/// `--n`. Value, Its: the variable's after the step; or what is asked for.
std::string askedBy(const UnaryOperator &Step, const std::string &Value,
                    Binding Its, bool IsAsked) {
  if (Step.isPrefix() || IsAsked)
    return asOperand(Value, Its, Binding::Shift);
  return asOperand(Value, Its, Binding::Additive) +
         (Step.isDecrementOp() ? " + 1" : " - 1");
}

/// E with other text for the header's variables; empty if a macro hides one.
/// Values, Bindings: parallel to them.
/// \param CondStep in E, if it steps a variable itself.
/// \param IsAsked that variable's value is the one before the step.
std::string replaced(const Expr *E, const HeaderText &Header,
                     llvm::ArrayRef<std::string> Values,
                     llvm::ArrayRef<Binding> Bindings, const SourceText &Source,
                     const UnaryOperator *CondStep = nullptr,
                     bool IsAsked = false) {
  auto At = Source.expression(E);
  if (!At)
    return {};
  Mentioned M(E);
  std::vector<Edit> Edits;
  for (const DeclRefExpr *D : M.Found)
    for (auto [V, Value, Its] : llvm::zip(Header.Vars, Values, Bindings)) {
      if (D->getDecl() != V.Decl)
        continue;
      auto Name = Source.offset(D->getLocation());
      if (!Name || D->getLocation().isMacroID())
        return {};
      if (CondStep && CondStep->getSubExpr()->IgnoreParens() == D) {
        auto Whole = Source.expression(CondStep);
        if (!Whole || CondStep->getOperatorLoc().isMacroID())
          return {};
        Edits.push_back({Whole->Begin, Whole->size(),
                         askedBy(*CondStep, Value, Its, IsAsked)});
        continue;
      }
      Binding Least =
          M.Compared.count(D) ? Binding::Shift : Binding::Primary;
      Edits.push_back({*Name, static_cast<unsigned>(V.Name.size()),
                       asOperand(Value, Its, Least)});
    }
  return Source.edited(*At, Edits);
}

/// `k0 + BK < K` for `k0 < K`.
std::string nextCondition(const TileLoop &Loop, const HeaderText &Header,
                          const SourceText &Source) {
  std::vector<std::string> Next;
  std::vector<Binding> Bindings;
  for (const HeaderText::Var &V : Header.Vars) {
    const bool Asked = Loop.CondStep && Loop.CondStep->isPostfix() &&
                       updatedVariable(Loop.CondStep) == V.Decl;
    // The value before the next step is the one after this.
    Next.push_back(Asked ? V.Name : V.Next);
    Bindings.push_back(Asked ? Binding::Primary : V.NextBinds);
  }
  return replaced(Loop.Cond, Header, Next, Bindings, Source, Loop.CondStep,
                  Loop.CondStep && Loop.CondStep->isPostfix());
}

/// Does the initialisation do nothing but declare or set variables that the
/// header advances?
bool setsHeaderVarsOnly(const TileLoop &Loop) {
  auto advanced = [&](const Decl *D) {
    return llvm::any_of(Loop.HeaderVars,
                        [&](const HeaderVar &H) { return H.Var == D; });
  };
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<const Expr *, 4> Changed;
    bool Calls = false;
    bool VisitBinaryOperator(const BinaryOperator *B) override {
      if (B->isAssignmentOp())
        Changed.push_back(B->getLHS());
      return true;
    }
    bool VisitUnaryOperator(const UnaryOperator *U) override {
      if (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf)
        Changed.push_back(U->getSubExpr());
      return true;
    }
    bool VisitCallExpr(const CallExpr *) override { return Calls = true; }
  } F;
  F.TraverseStmt(Loop.Init);
  if (const auto *D = dyn_cast<DeclStmt>(Loop.Init))
    if (!llvm::all_of(D->decls(), advanced))
      return false;
  return !F.Calls && llvm::all_of(F.Changed, [&](const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return D && advanced(D->getDecl());
  });
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
    H.InitFirst = !H.Init.empty() && !setsHeaderVarsOnly(Loop);
  }
  // Without a condition, which only the rule of the control flow refuses, there
  // is no text to write either.
  if (Loop.Cond)
    H.Cond = Source.text(Loop.Cond);
  if (H.Cond.empty())
    return cannotMove(msg::condition_in_macro);
  for (const HeaderVar &V : Loop.HeaderVars) {
    HeaderText::Var T;
    T.Decl = V.Var;
    T.Name = V.Var->getNameAsString();
    T.Type = headerType(V.Var, Loop, Source);
    T.Update = Source.text(V.Update);
    if (T.Update.empty())
      return cannotMove(msg::step_in_macro);
    T.Next = nextValue(V, T.Name, T.Type, Source, T.NextBinds);
    if (T.Type == "auto" && T.Next.find("static_cast") == 0)
      return cannotMove(msg::loop_variable_type_in_macro);
    // A parameter promises what the author's pointer does.
    if (V.Var->getType().isRestrictQualified() && T.Type.back() == '*')
      T.Type += "__restrict__";
    H.Vars.push_back(std::move(T));
  }
  for (const HeaderText::Var &V : H.Vars)
    H.Step += (H.Step.empty() ? "" : ", ") + V.Update;
  H.NextCond = nextCondition(Loop, H, Source);
  if (Loop.CondStep) {
    std::vector<std::string> Names;
    for (const HeaderText::Var &V : H.Vars)
      Names.push_back(V.Name);
    H.Cond = replaced(Loop.Cond, H, Names,
                      std::vector<Binding>(Names.size(), Binding::Primary),
                      Source, Loop.CondStep);
    if (H.Cond.empty() || H.NextCond.empty())
      return cannotMove(msg::condition_in_macro);
    if (Loop.Kind != LoopKind::Do)
      H.FirstStep = H.Vars.back().Update + ";";
  }
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
  const std::vector<Binding> AreNames(C.Values.size(), Binding::Primary);
  C.Cond =
      replaced(Loop.Cond, Header, C.Values, AreNames, Source, Loop.CondStep);
  for (unsigned I = 0; I != Header.Vars.size(); ++I) {
    if (!Wanted[I])
      continue;
    std::string Update =
        replaced(Loop.HeaderVars[I].Update, Header, C.Values, AreNames,
                 Source);
    if (Update.empty()) {
      C.Step.clear();
      break;
    }
    C.Step += (C.Step.empty() ? "" : ", ") + Update;
  }
  return C;
}

} // namespace kpipe
