// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays, see PrivateArrays.h. The statements of a side are walked in
// their order, with the loops around elements turn by turn, and the bytes that
// are surely written by then are noted.

#include "PrivateArrays.h"
#include "Code/Jumps.h"
#include "Code/Values.h"
#include "CopiedValues.h"
#include "CopyLoops.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct ArrayMentions : ConstDynamicRecursiveASTVisitor {
  const VarDecl *V;
  unsigned Found = 0;
  explicit ArrayMentions(const VarDecl *V) : V(V) {}
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Found += D->getDecl() == V;
    return true;
  }
};

unsigned countMentions(const VarDecl *V, const Stmt *S) {
  ArrayMentions F(V);
  F.TraverseStmt(S);
  return F.Found;
}

/// Walks the statements of one side for one array.
class ElementWalk {
public:
  ElementWalk(const VarDecl *V, const Scope &In)
      : V(V), In(In), Context(In.context()), Known(In.context()),
        Size(Context.getTypeSizeInChars(V->getType()).getQuantity()),
        Written(Size) {}

  /// False if an element may be read that was not written, or what is done to
  /// the array cannot be told.
  bool run(const Stmt *S) {
    statement(S);
    return Covered;
  }

private:
  static constexpr unsigned MostSteps = 1 << 14;
  const VarDecl *V;
  const Scope &In;
  const ASTContext &Context;
  Values Known;
  const uint64_t Size;
  llvm::BitVector Written; ///< bytes that surely were
  bool Covered = true;
  unsigned Steps = 0;

  void statement(const Stmt *S) {
    if (!S || !Covered)
      return;
    if (++Steps > MostSteps) {
      Covered = false;
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S))
      return expression(E);
    if (const auto *F = dyn_cast<ForStmt>(S))
      return loop(F);
    if (const auto *I = dyn_cast<IfStmt>(S))
      return branches(I);
    if (!countMentions(V, S)) // a declaration of it begins with nothing
      return declares(S) ? Written.reset(), void() : void();
    if (isJump(S) || isa<WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(S)) {
      Covered = false;
      return;
    }
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *One : D->decls())
        if (const auto *Local = dyn_cast<VarDecl>(One);
            Local && Local->hasInit())
          expression(Local->getInit());
      return;
    }
    for (const Stmt *Child : S->children())
      statement(Child);
  }

  bool declares(const Stmt *S) const {
    const auto *D = dyn_cast<DeclStmt>(S);
    return D && llvm::is_contained(D->decls(), V);
  }

  void branches(const IfStmt *I) {
    statement(I->getInit());
    statement(I->getConditionVariableDeclStmt());
    if (I->getCond())
      expression(I->getCond());
    llvm::BitVector Before = Written;
    statement(I->getThen());
    std::swap(Written, Before);
    statement(I->getElse());
    Written &= Before;
  }

  void loop(const ForStmt *F) {
    if (!countMentions(V, F))
      return;
    CopyLoop L = describeCopyLoop(F, In);
    auto First = L.Index && L.Init ? Known.evaluate(L.Init) : std::nullopt;
    auto Step = !L.Step ? std::optional<int64_t>(1) : Known.evaluate(L.Step);
    if (findJump(F)) {
      Covered = false;
      return;
    }
    if (!L.Trips || !L.ConstantInit || !First || !Step) {
      // As often as it may be: what it writes is there for its own turn.
      llvm::BitVector Before = Written;
      statement(F->getInit());
      if (F->getCond())
        expression(F->getCond());
      statement(F->getBody());
      statement(F->getInc());
      Written = std::move(Before);
      return;
    }
    for (uint64_t I = 0; Covered && I != L.Trips; ++I) {
      Known.bind(L.Index, *First + static_cast<int64_t>(I) * *Step);
      statement(F->getBody());
    }
    Known.unbind(L.Index);
  }

  void expression(const Expr *E) {
    if (!E || !Covered || !countMentions(V, E))
      return;
    E = unwrapped(E);
    if (++Steps > MostSteps || isa<LambdaExpr>(E)) {
      Covered = false;
      return;
    }
    if (auto [To, Value] = assignmentOf(E); To) {
      if (Value->isGLValue() && isPart(Value)) { // of a class
        indices(Value);
        access(Value, false);
      } else {
        expression(Value);
      }
      if (!isPart(To))
        return expression(To);
      indices(To);
      return access(To, true);
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isLogicalOp()) { // the right side may be left out
        expression(B->getLHS());
        llvm::BitVector Before = Written;
        expression(B->getRHS());
        Written = std::move(Before);
        return;
      }
      if (B->isCompoundAssignmentOp() && isPart(B->getLHS())) {
        expression(B->getRHS());
        indices(B->getLHS());
        return access(B->getLHS(), false); // what is written was there
      }
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->isIncrementDecrementOp() && isPart(U->getSubExpr())) {
      indices(U->getSubExpr());
      return access(U->getSubExpr(), false);
    }
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      expression(C->getCond());
      llvm::BitVector Before = Written;
      expression(C->getTrueExpr());
      std::swap(Written, Before);
      expression(C->getFalseExpr());
      Written &= Before;
      return;
    }
    if (const auto *C = dyn_cast<CastExpr>(E); C && C->isPRValue() &&
                                               C->getSubExpr()->isPRValue() &&
                                               !C->getType()->isPointerType())
      return expression(C->getSubExpr()); // of the value
    bool ByFunction = false;
    if (const Expr *From = E->isGLValue() ? nullptr : readLValue(E, ByFunction);
        From && !ByFunction && isPart(From)) {
      indices(From);
      return access(From, false);
    }
    // Any other mention could be anything.
    if (isPart(E)) {
      Covered = false;
      return;
    }
    for (const Stmt *Child : E->children())
      if (const auto *Part = dyn_cast_or_null<Expr>(Child))
        expression(Part);
  }

  /// A part of the array, by its own name: `r[i]`, `r[i].x`, and as vectors.
  bool isPart(const Expr *E) const {
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase();
      else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
        E = U->getSubExpr();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    return D && D->getDecl() == V;
  }

  /// The indices of a place are read before it is.
  void indices(const Expr *E) {
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        expression(A->getIdx());
        E = A->getBase();
      } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
        E = M->getBase();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
        E = U->getSubExpr();
      } else {
        return;
      }
    }
  }

  void access(const Expr *Place, bool Write) {
    auto At = offset(Place);
    uint64_t Width = bytesOf(Place->getType());
    if (At && (*At < 0 || !Width || *At + Width > Size)) {
      Covered = false;
    } else if (Write) {
      if (At)
        Written.set(*At, *At + Width);
    } else if (At) {
      for (uint64_t I = *At; I != *At + Width; ++I)
        Covered &= Written.test(I);
    } else {
      Covered &= Written.all();
    }
  }

  uint64_t bytesOf(QualType T) const {
    T = T.getNonReferenceType();
    return T->isIncompleteType() ? 0
                                 : Context.getTypeSizeInChars(T).getQuantity();
  }

  /// Bytes from the beginning of the array, if they are the same for all.
  std::optional<int64_t> offset(const Expr *E) {
    E = E->IgnoreParens();
    if (isa<DeclRefExpr>(E))
      return 0;
    if (const auto *C = dyn_cast<CastExpr>(E))
      return offset(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return offset(U->getSubExpr());
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      auto Base = F && !F->isBitField() ? offset(M->getBase()) : std::nullopt;
      if (!Base)
        return std::nullopt;
      return *Base + static_cast<int64_t>(Context.getFieldOffset(F) / 8);
    }
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    auto Base = A ? offset(A->getBase()) : std::nullopt;
    auto Index = Base ? Known.evaluate(A->getIdx()) : std::nullopt;
    if (!Index)
      return std::nullopt;
    return *Base + *Index * static_cast<int64_t>(bytesOf(A->getType()));
  }
};

class ArrayFinder {
public:
  ArrayFinder(LoopFacts &Facts, const llvm::SmallVectorImpl<bool> &Front)
      : Facts(Facts), Front(Front) {}

  void run() {
    VarSet OfLoad, OfCompute;
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      for (const VarDecl *V : Facts.Items[I].Writes)
        (Front[I] ? OfLoad : OfCompute).insert(V);
    for (const VarDecl *V : OfLoad)
      if (OfCompute.count(V) && mayBePrivate(V) && filledFirst(V, true) &&
          filledFirst(V, false))
        for (bool Side : {true, false})
          beginAnew(V, Side);
  }

private:
  LoopFacts &Facts;
  const llvm::SmallVectorImpl<bool> &Front;

  /// Nothing but this loop sees what it leaves in the array.
  bool mayBePrivate(const VarDecl *V) const {
    const ASTContext &Context = Facts.In->context();
    constexpr int64_t Most = 4096; ///< bytes, more than registers hold
    const auto *A = Context.getAsConstantArrayType(V->getType());
    if (!A || !V->hasLocalStorage() || isa<ParmVarDecl>(V) ||
        A->getElementType().isVolatileQualified() ||
        Context.getTypeSizeInChars(V->getType()).getQuantity() > Most)
      return false;
    unsigned All = countMentions(V, Facts.In->function()->getBody());
    return All == countMentions(V, bodyOf(Facts.Tile.Loop));
  }

  /// What each side reads, it has written.
  bool filledFirst(const VarDecl *V, bool Side) const {
    if (ruleIsSwitchedOff("private-arrays"))
      return true;
    ElementWalk Walk(V, *Facts.In);
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (Front[I] == Side && !Walk.run(Facts.Tile.Body[I].S))
        return false;
    return true;
  }

  void beginAnew(const VarDecl *V, bool Side) {
    for (unsigned I = 0; I != Facts.Items.size(); ++I) {
      Effects &E = Facts.Items[I];
      if (Front[I] != Side || !E.Writes.count(V) || E.Declared.count(V))
        continue;
      E.Kills.insert(V);
      E.Exposed.erase(V);
      return;
    }
  }
};

} // namespace

void findPrivateArrays(LoopFacts &Facts,
                       const llvm::SmallVectorImpl<bool> &Front) {
  ArrayFinder(Facts, Front).run();
}

} // namespace kpipe
