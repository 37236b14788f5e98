// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mention of the variable, and of the pointers and references that are
// made of it, has to be a way to one element, and its bytes have to be bounded.
// See PartsApart.h.

#include "PartsApart.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/SharedReach.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace kpipe {

namespace {

using Names = llvm::SmallSetVector<const VarDecl *, 8>;

bool mentionsAny(const Stmt *S, const Names &Of) {
  if (const auto *D = dyn_cast_or_null<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Of.count(V))
      return true;
  return S && llvm::any_of(S->children(), [&](const Stmt *Kid) {
           return mentionsAny(Kid, Of);
         });
}

/// Pointers and references whose making mentions the variable.
struct NameFinder : ConstDynamicRecursiveASTVisitor {
  Names All;
  bool Changed = false;
  bool VisitVarDecl(const VarDecl *V) override {
    const QualType T = V->getType();
    if (V->hasLocalStorage() && V->getInit() && !All.count(V) &&
        (T->isPointerType() || T->isReferenceType()) &&
        mentionsAny(V->getInit(), All))
      Changed = All.insert(V);
    return true;
  }
};

class UseFinder : public ConstDynamicRecursiveASTVisitor {
public:
  UseFinder(const Names &All, SharedReach &Reach) : All(All), Reach(Reach) {}

  struct Bytes {
    const VarDecl *Name;
    int64_t From, To;
  };
  std::vector<Bytes> Found;
  bool Known = true;

  bool TraverseStmt(const Stmt *S) override {
    Path.push_back(S);
    ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    Path.pop_back();
    return Known;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && All.count(V))
      Known &= use(V);
    return Known;
  }

private:
  const Names &All;
  SharedReach &Reach;
  llvm::SmallVector<const Stmt *, 32> Path;

  enum class Is { Variable, Pointer, Place };

  bool use(const VarDecl *V) {
    if (llvm::any_of(Path, [](const Stmt *S) {
          return isa_and_nonnull<LambdaExpr, StmtExpr>(S);
        }))
      return false;
    Is What = V->getType()->isPointerType() ? Is::Variable : Is::Place;
    for (size_t I = Path.size() - 1; I-- != 0;) {
      const Stmt *S = Path[I];
      const auto *Inner = dyn_cast<Expr>(Path[I + 1]);
      if (isa_and_nonnull<DeclStmt>(S))
        return What != Is::Variable &&
               makesName(cast<DeclStmt>(S), Path[I + 1]);
      if (!isa_and_nonnull<Expr>(S) || !Inner)
        return false;
      if (isa<ParenExpr, FullExpr>(S))
        continue;
      if (ends(cast<Expr>(S), Inner, What))
        return takes(V, Inner, What == Is::Pointer);
      auto Next = step(cast<Expr>(S), Inner, What);
      if (!Next)
        return false;
      What = *Next;
    }
    return false;
  }

  /// `float *red = smem + 1024;`
  bool makesName(const DeclStmt *S, const Stmt *Init) const {
    return llvm::any_of(S->decls(), [&](const Decl *D) {
      const auto *V = dyn_cast<VarDecl>(D);
      return V && V->getInit() == Init && All.count(V);
    });
  }

  /// From one expression to the one around it.
  static std::optional<Is> step(const Expr *E, const Expr *Inner, Is What) {
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      switch (C->getCastKind()) {
      case CK_LValueToRValue:
        return What == Is::Variable ? std::optional(Is::Pointer) : std::nullopt;
      case CK_ArrayToPointerDecay:
        return What == Is::Place ? std::optional(Is::Pointer) : std::nullopt;
      case CK_BitCast:
        return What == Is::Pointer ? std::optional(What) : std::nullopt;
      case CK_LValueBitCast:
        return What == Is::Place ? std::optional(What) : std::nullopt;
      case CK_NoOp:
        return What;
      default:
        return std::nullopt;
      }
    }
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return What == Is::Pointer && A->getBase() == Inner
                 ? std::optional(Is::Place)
                 : std::nullopt;
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      if (U->getOpcode() == UO_Deref && What == Is::Pointer)
        return Is::Place;
      if (U->getOpcode() == UO_AddrOf && What == Is::Place)
        return Is::Pointer;
      return std::nullopt;
    }
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return isa<FieldDecl>(M->getMemberDecl()) &&
                     What == (M->isArrow() ? Is::Pointer : Is::Place)
                 ? std::optional(Is::Place)
                 : std::nullopt;
    const auto *B = dyn_cast<BinaryOperator>(E);
    return B && B->isAdditiveOp() && What == Is::Pointer &&
                   B->getType()->isPointerType()
               ? std::optional(What)
               : std::nullopt;
  }

  /// Is an element read or written here?
  static bool ends(const Expr *E, const Expr *Inner, Is What) {
    if (What == Is::Pointer) {
      // A read-modify-write of what it points to.
      const auto *C = dyn_cast<CallExpr>(E);
      return C && C->getDirectCallee() && C->getNumArgs() &&
             C->getArg(0) == Inner &&
             classifyCall(C->getDirectCallee()) == CallKind::Atomic;
    }
    if (What != Is::Place)
      return false;
    if (const auto *C = dyn_cast<CastExpr>(E))
      return C->getCastKind() == CK_LValueToRValue;
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return B->isAssignmentOp() && B->getLHS() == Inner;
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->isIncrementDecrementOp();
    if (const auto *C = dyn_cast<CXXConstructExpr>(E))
      return C->getConstructor()->isTrivial() &&
             C->getConstructor()->isCopyOrMoveConstructor();
    const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
    const auto *M =
        C ? dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee()) : nullptr;
    return M && M->isTrivial() &&
           (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator());
  }

  bool takes(const VarDecl *V, const Expr *Place, bool Pointer) {
    unsigned Entered = 0;
    for (size_t I = 0; I + 1 < Path.size(); ++I)
      if (const auto *F = dyn_cast_or_null<ForStmt>(Path[I]);
          F && F->getBody() == Path[I + 1]) {
        Reach.enter(F);
        ++Entered;
      }
    const auto From = Pointer ? Reach.pointer(Place) : Reach.lvalue(Place);
    while (Entered-- != 0)
      Reach.leave();
    const QualType T =
        Pointer ? Place->getType()->getPointeeType() : Place->getType();
    const auto Size = Reach.sizeOf(T);
    if (!From || !Size)
      return false;
    Found.push_back({V, From->Low, From->High + *Size});
    return true;
  }
};

class PartFinder {
public:
  PartFinder(const Names &All, std::vector<UseFinder::Bytes> Uses)
      : All(All), Uses(std::move(Uses)) {}

  bool meet(const VarDecl *A, const VarDecl *B) const {
    if (ruleIsSwitchedOff("parts-apart"))
      return false;
    for (const UseFinder::Bytes &X : Uses)
      for (const UseFinder::Bytes &Y : Uses)
        if (X.Name == A && Y.Name == B && X.From < Y.To && Y.From < X.To)
          return true;
    return false;
  }
  bool isUsed(const VarDecl *V) const {
    return llvm::any_of(Uses, [&](const auto &U) { return U.Name == V; });
  }
  /// All that meets what is in it, or what that meets.
  void close(Names &Part) const {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const VarDecl *V : All)
        if (!Part.count(V) &&
            llvm::any_of(Part, [&](auto *P) { return meet(P, V); }))
          Changed = Part.insert(V);
    }
  }

private:
  const Names &All;
  std::vector<UseFinder::Bytes> Uses;
};

/// A name that is made in the loop is where what it is made of is: it moves
/// with the stages, or it does not. Adds to Tile what moves.
bool namesFollow(const Names &All, const VarDecl *Of, const Stmt *Loop,
                 const PartFinder &Parts, Names &Tile) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const VarDecl *V : All) {
      if (V == Of || !Loop->getSourceRange().fullyContains(V->getSourceRange()))
        continue;
      for (const VarDecl *From : All) {
        Names One;
        One.insert(From);
        if (!mentionsAny(V->getInit(), One))
          continue;
        const bool Moves = From == Of || Tile.count(From);
        if (!Parts.isUsed(V) || (From != Of && !Parts.isUsed(From)) ||
            (!Moves && Tile.count(V)))
          return false;
        Changed |= Moves && Tile.insert(V);
      }
    }
    Parts.close(Tile);
  }
  return true;
}

} // namespace

PartsOfBlock partsApart(const FunctionDecl *Function, const VarDecl *Of,
                        llvm::ArrayRef<const Expr *> Places, const Stmt *Loop,
                        ASTContext &Context, std::optional<Extent3> Block) {
  NameFinder Finder;
  Finder.All.insert(Of);
  do {
    Finder.Changed = false;
    Finder.TraverseStmt(Function->getBody());
  } while (Finder.Changed);
  Values Known(Context);
  Known.Block = Block;
  SharedReach Reach(Of, Context, Known,
                    Block.value_or(Extent3{1024, 1024, 64}));
  UseFinder Uses(Finder.All, Reach);
  Uses.TraverseStmt(Function->getBody());
  if (!Uses.Known && !ruleIsSwitchedOff("parts-apart"))
    return PartsOfBlock();
  const PartFinder Parts(Finder.All, std::move(Uses.Found));

  // What the tile is reached by, and what is made of that in its loop.
  Names Tile;
  for (const VarDecl *V : Finder.All)
    if (llvm::any_of(Places, [&](const Expr *E) {
          Names One;
          One.insert(V);
          return mentionsAny(E, One);
        }))
      Tile.insert(V);
  Parts.close(Tile);
  if (!namesFollow(Finder.All, Of, Loop, Parts, Tile) ||
      (Parts.isUsed(Of) && !Tile.count(Of)))
    return PartsOfBlock();
  PartsOfBlock Apart;
  for (const VarDecl *V : Finder.All) {
    if (Tile.count(V) || V == Of || Apart.count(V) || !Parts.isUsed(V))
      continue;
    Names Part;
    Part.insert(V);
    Parts.close(Part);
    for (const VarDecl *P : Part)
      Apart[P] = V;
  }
  // Names of the tile may be made of others: `Bs = red + 64`.
  if (!Apart.empty())
    for (const VarDecl *V : Tile)
      if (V != Of)
        Apart[V] = Of;
  return Apart;
}

} // namespace kpipe
