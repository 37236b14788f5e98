// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a name up through the expressions around it, see ArrayUses.h. Three
// kinds of things are met on the way: a part of the array itself (an lvalue), a
// pointer into it, and an address for inline assembly.

#include "ArrayUses.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "MatrixOperands.h"
#include "UsePaths.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MostUses = 512;
constexpr unsigned RowOfMatrix = 16; ///< bytes, of ldmatrix's 8 x 8 matrices

class UseReader {
public:
  UseReader(const FunctionDecl *F, const VarDecl *V, unsigned Rank,
            Values &Known)
      : F(F), V(V), Rank(Rank), Known(Known), Context(V->getASTContext()) {}

  std::vector<ArrayUse> run() {
    for (const UsePath &P : pathsTo(F->getBody(), V))
      mention(P);
    return std::move(Out);
  }

private:
  const FunctionDecl *F;
  const VarDecl *V;
  unsigned Rank;
  Values &Known;
  ASTContext &Context;
  std::vector<ArrayUse> Out;
  unsigned Steps = 0;
  llvm::SmallVector<const FunctionDecl *, 4> Entered;

  void give(ArrayUse U) { Out.push_back(std::move(U)); }
  void refuse(ArrayUse U, const Message &Why) {
    U.NotUnderstood = Why;
    give(std::move(U));
  }

  std::optional<uint64_t> sizeOf(QualType T) const {
    if (!hasSize(T))
      return std::nullopt;
    return Context.getTypeSizeInChars(T).getQuantity();
  }

  void mention(const UsePath &P) {
    ArrayUse U;
    U.Mention = cast<DeclRefExpr>(P.back());
    U.Path = P;
    if (llvm::any_of(P, [](const Stmt *S) { return isa<LambdaExpr>(S); }))
      return refuse(U, msg::lambda_uses_it);
    UseSite S{&P, P.size() - 1};
    auto Subscripts = subscriptsAround(S, Rank);
    if (Subscripts.size() + 1 < Rank || (Subscripts.empty() && Rank > 1))
      return refuse(U, msg::used_as_whole);
    bool Element = Subscripts.size() == Rank;
    U.Rows.assign(Subscripts.begin(), Subscripts.begin() + (Rank - 1));
    QualType T = Context.getBaseElementType(V->getType());
    if (Element) {
      U.Column = Subscripts.back();
      return lvalue(S, T, std::move(U));
    }
    if (!S.expr()->getType()->isPointerType())
      return refuse(U, msg::row_used_as_array);
    // `a[i] + j` is `&a[i][j]`.
    if (const auto *B = dyn_cast_or_null<BinaryOperator>(S.above());
        B && B->getOpcode() == BO_Add && B->getLHS() == S.expr()) {
      U.Column = B->getRHS();
      S = S.up();
    }
    pointer(S, T, std::move(U));
  }

  /// Goes on where a variable that is made of what was followed is mentioned.
  template <typename Next>
  void variable(const Stmt *Body, const VarDecl *Local, const UseSite *Call,
                const ArrayUse &U, Next Go) {
    // A reference is what it was made of, whatever is assigned through it.
    if (!Local->getType()->isReferenceType() && !Known.unchanged(Local))
      return refuse(U, {msg::changing_pointer_to_it, Local->getName()});
    for (const UsePath &P : pathsTo(Body, Local)) {
      UseSite S{&P, P.size() - 1, Call};
      if (llvm::any_of(P, [](const Stmt *X) { return isa<LambdaExpr>(X); })) {
        refuse(U, msg::lambda_uses_it);
        continue;
      }
      if (!Local->getType()->isReferenceType()) {
        const auto *Read = dyn_cast_or_null<ImplicitCastExpr>(S.above());
        if (!Read || Read->getCastKind() != CK_LValueToRValue) {
          refuse(U, {msg::pointer_to_it, Local->getName()});
          continue;
        }
        S = S.up();
      }
      Go(S, U);
    }
  }

  const Stmt *bodyAround(const UseSite &S) const {
    return S.Call ? (*S.Along).front() : F->getBody();
  }

  /// Goes into a function with the parameter that E is given for.
  template <typename Next>
  void enter(const UseSite &S, const CallExpr *C, const ArrayUse &U, Next Go) {
    const FunctionDecl *Body = nullptr;
    const FunctionDecl *Callee = C->getDirectCallee();
    unsigned I = argumentIndex(C, S.expr());
    if (!Callee || !Callee->hasBody(Body) || isa<CXXMethodDecl>(Callee) ||
        I >= Body->getNumParams() || llvm::is_contained(Entered, Body) ||
        Context.getSourceManager().isInSystemHeader(Body->getLocation()))
      return refuse(U, Callee && Callee->getIdentifier()
                           ? Message(msg::passed_to, Callee->getName())
                           : msg::passed_to_function);
    const UseSite Here = S.up();
    Entered.push_back(Body);
    variable(Body->getBody(), Body->getParamDecl(I), &Here, U, Go);
    Entered.pop_back();
  }

  bool tooLong() { return ++Steps > MostUses; }

  //===--------------------------------------------------------------------===//
  // A part of the array
  //===--------------------------------------------------------------------===//

  void lvalue(UseSite S, QualType T, ArrayUse U) {
    for (;;) {
      auto Size = sizeOf(T);
      if (!Size || tooLong())
        return refuse(U, msg::use_not_understood);
      U.Bytes = std::max<uint64_t>(U.Bytes, *Size);
      U.Alignment = std::max<unsigned>(
          U.Alignment, Context.getTypeAlignInChars(T).getQuantity());
      const Stmt *Above = S.above();
      auto access = [&](bool Read, bool Write) {
        if (Read)
          give(U);
        U.Write = true;
        if (Write)
          give(U);
      };
      if (const auto *C = dyn_cast_or_null<ImplicitCastExpr>(Above)) {
        if (C->getCastKind() == CK_LValueToRValue)
          return access(true, false);
        if (C->getCastKind() != CK_NoOp)
          return refuse(U, msg::use_not_understood);
        S = S.up();
        continue;
      }
      if (isa_and_nonnull<ParenExpr>(Above)) {
        S = S.up();
        continue;
      }
      if (const auto *C = dyn_cast_or_null<ExplicitCastExpr>(Above);
          C && C->isGLValue()) {
        S = S.up();
        T = C->getType();
        continue;
      }
      if (const auto *M = dyn_cast_or_null<MemberExpr>(Above);
          M && !M->isArrow()) {
        const auto *Method = dyn_cast<CXXMethodDecl>(M->getMemberDecl());
        if (Method)
          return access(true, !Method->isConst());
        S = S.up();
        T = M->getType().getNonReferenceType();
        if (T->isArrayType())
          return refuse(U, msg::elements_hold_arrays);
        continue;
      }
      if (const auto *O = dyn_cast_or_null<UnaryOperator>(Above)) {
        if (O->isIncrementDecrementOp())
          return access(true, true);
        if (O->getOpcode() == UO_AddrOf)
          return pointer(S.up(), T, resetBytes(std::move(U)));
      }
      if (const auto *B = dyn_cast_or_null<BinaryOperator>(Above);
          B && B->isAssignmentOp() && B->getLHS() == S.expr())
        return access(B->isCompoundAssignmentOp(), true);
      if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(Above);
          C && C->getConstructor()->isCopyOrMoveConstructor())
        return access(true, false);
      if (const auto *C = dyn_cast_or_null<CallExpr>(Above))
        return referenceGiven(S, C, T, U);
      if (const VarDecl *Local = initialised(Above, S.expr());
          Local && Local->getType()->isReferenceType())
        return variable(
            bodyAround(S), Local, S.Call, U,
            [&](UseSite At, ArrayUse Next) { lvalue(At, T, std::move(Next)); });
      if (isa_and_nonnull<ReturnStmt>(Above) && S.Call &&
          S.Call->expr()->isGLValue()) {
        S = *S.Call;
        continue;
      }
      return refuse(U, msg::use_not_understood);
    }
  }

  /// `&` gives a pointer of which any width may be read.
  static ArrayUse resetBytes(ArrayUse U) {
    U.Bytes = 0;
    U.Alignment = 1;
    return U;
  }

  /// An element is bound to a parameter that is a reference.
  void referenceGiven(const UseSite &S, const CallExpr *C, QualType T,
                      ArrayUse U) {
    const FunctionDecl *Callee = C->getDirectCallee();
    unsigned I = argumentIndex(C, S.expr());
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    bool Ours = Callee && Context.getSourceManager().isInSystemHeader(
                              Callee->getLocation());
    if (Method && isa<CXXOperatorCallExpr>(C) && I == 0) {
      // A member of the element's own class: it has that object alone.
      if (cast<CXXOperatorCallExpr>(C)->getOperator() != OO_Equal)
        give(U);
      U.Write = true;
      if (!Method->isConst())
        give(U);
      return;
    }
    if (Ours || (Callee && Callee->isImplicit())) {
      U.Write = !S.expr()->getType().isConstQualified();
      return give(std::move(U));
    }
    enter(S, C, resetBytes(std::move(U)),
          [&](UseSite At, ArrayUse Next) { lvalue(At, T, std::move(Next)); });
  }

  //===--------------------------------------------------------------------===//
  // A pointer to a part of the array
  //===--------------------------------------------------------------------===//

  void pointer(UseSite S, QualType T, ArrayUse U) {
    for (;;) {
      if (tooLong())
        return refuse(U, msg::use_not_understood);
      const Stmt *Above = S.above();
      if (isa_and_nonnull<ParenExpr>(Above)) {
        S = S.up();
        continue;
      }
      if (const auto *C = dyn_cast_or_null<CastExpr>(Above);
          C && C->getType()->isPointerType() &&
          (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_BitCast)) {
        S = S.up();
        T = C->getType()->getPointeeType();
        continue;
      }
      if (const auto *O = dyn_cast_or_null<UnaryOperator>(Above);
          O && O->getOpcode() == UO_Deref)
        return lvalue(S.up(), T, std::move(U));
      if (const auto *A = dyn_cast_or_null<ArraySubscriptExpr>(Above);
          A && A->getBase() == S.expr() && advance(U, A->getIdx(), T))
        return lvalue(S.up(), T, std::move(U));
      if (const auto *B = dyn_cast_or_null<BinaryOperator>(Above);
          B && B->getOpcode() == BO_Add && B->getLHS() == S.expr() &&
          advance(U, B->getRHS(), T)) {
        S = S.up();
        continue;
      }
      if (const auto *M = dyn_cast_or_null<MemberExpr>(Above);
          M && M->isArrow() && isa<FieldDecl>(M->getMemberDecl()) &&
          !M->getType()->isArrayType()) {
        // All of the object that it points to counts.
        if (auto Size = sizeOf(T))
          U.Bytes = *Size;
        return lvalue(S.up(), M->getType().getNonReferenceType(), std::move(U));
      }
      if (const auto *C = dyn_cast_or_null<CallExpr>(Above))
        return pointerGiven(S, C, T, std::move(U));
      if (const VarDecl *Local = initialised(Above, S.expr());
          Local && Local->getType()->isPointerType())
        return variable(
            bodyAround(S), Local, S.Call, U, [&](UseSite At, ArrayUse Next) {
              pointer(At, Local->getType()->getPointeeType(), std::move(Next));
            });
      if (isa_and_nonnull<ReturnStmt>(Above) && S.Call) {
        S = *S.Call;
        continue;
      }
      return refuse(U, msg::pointer_is_kept);
    }
  }

  /// Moves the use by a constant number of elements.
  bool advance(ArrayUse &U, const Expr *By, QualType T) {
    auto Count = Known.evaluate(By);
    auto Size = sizeOf(T);
    if (!Count || !Size || *Count < 0 || *Count > 1 << 20)
      return false;
    U.Offset += *Count * int64_t(*Size);
    return true;
  }

  void pointerGiven(UseSite S, const CallExpr *C, QualType T, ArrayUse U) {
    const FunctionDecl *Callee = C->getDirectCallee();
    if (!Callee)
      return refuse(U, msg::passed_to_function);
    unsigned I = argumentIndex(C, S.expr());
    CallKind Kind = classifyCall(Callee);
    if ((Kind == CallKind::WmmaLoad && I == 1) ||
        (Kind == CallKind::WmmaStore && I == 0))
      return matrix(S, C, Kind == CallKind::WmmaStore, T, std::move(U));
    if (Callee->getIdentifier() &&
        Callee->getName() == "__cvta_generic_to_shared")
      return address(S.up(), std::move(U));
    QualType Kept = T;
    enter(S, C, U, [&](UseSite At, ArrayUse Next) {
      QualType Own = cast<DeclRefExpr>((*At.Along).back())->getType();
      pointer(At, Own->isPointerType() ? Own->getPointeeType() : Kept,
              std::move(Next));
    });
  }

  //===--------------------------------------------------------------------===//
  // Matrices
  //===--------------------------------------------------------------------===//

  void matrix(const UseSite &S, const CallExpr *C, bool Store, QualType T,
              ArrayUse U) {
    auto Size = sizeOf(T);
    auto Elements = contiguousElements(C, Store);
    if (S.Call || !Size || !Elements || C->getNumArgs() < 3)
      return refuse(U, msg::matrix_not_understood);
    U.What = ArrayUse::Kind::Matrix;
    U.Stride = C->getArg(2);
    U.UnitBytes = *Size;
    U.Bytes = *Elements * *Size;
    // "must be a 256-bit aligned pointer", Programming Guide.
    U.Alignment = 32;
    U.Write = Store;
    give(std::move(U));
  }

  /// An address in shared memory, as a number.
  void address(UseSite S, ArrayUse U) {
    for (;;) {
      if (tooLong())
        return refuse(U, msg::use_not_understood);
      const Stmt *Above = S.above();
      if (const auto *C = dyn_cast_or_null<CastExpr>(Above);
          isa_and_nonnull<ParenExpr>(Above) ||
          (C && (C->getCastKind() == CK_NoOp ||
                 C->getCastKind() == CK_IntegralCast))) {
        S = S.up();
        continue;
      }
      if (const auto *A = dyn_cast_or_null<GCCAsmStmt>(Above))
        return rowsOfMatrix(A, S.expr(), std::move(U));
      auto Go = [&](UseSite At, ArrayUse Next) { address(At, std::move(Next)); };
      if (const auto *C = dyn_cast_or_null<CallExpr>(Above))
        return enter(S, C, U, Go);
      if (const VarDecl *Local = initialised(Above, S.expr());
          Local && Local->getType()->isIntegerType())
        return variable(bodyAround(S), Local, S.Call, U, Go);
      if (isa_and_nonnull<ReturnStmt>(Above) && S.Call) {
        S = *S.Call;
        continue;
      }
      return refuse(U, msg::address_is_computed_with);
    }
  }

  void rowsOfMatrix(const GCCAsmStmt *A, const Expr *Address, ArrayUse U) {
    auto Lanes = lanesThatNameRows(A, Address);
    if (!Lanes)
      return refuse(U, msg::assembly_uses_address);
    U.What = ArrayUse::Kind::MatrixRows;
    U.Bytes = RowOfMatrix;
    U.Alignment = RowOfMatrix;
    U.Lanes = *Lanes;
    give(std::move(U));
  }
};

} // namespace

std::vector<ArrayUse> findArrayUses(const FunctionDecl *F, const VarDecl *V,
                                    unsigned Rank, Values &Known) {
  return UseReader(F, V, Rank, Known).run();
}

} // namespace kpipe
