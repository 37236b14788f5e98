// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held values, see HeldValue.h. The set and the copy share a block; loops
// around them there have the same headers, and are run with numbers to see that
// no two turns set one byte of the variable.

#include "HeldValue.h"
#include "Validation/Trees/SideEffects.h"
#include "Validation/Trees/Turns.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace kpipe {

namespace {

using Path = llvm::SmallVector<const Tree *, 16>;
using Numbers = std::vector<std::pair<unsigned, unsigned>>;

bool treePathTo(const Tree *Target, const Tree &In, Path &Way) {
  Way.push_back(&In);
  if (&In == Target)
    return true;
  for (const std::unique_ptr<Tree> &Kid : In.Kids)
    if (treePathTo(Target, *Kid, Way))
      return true;
  Way.pop_back();
  return false;
}

const Tree &withoutCopies(const Tree &T) {
  const Tree *At = &T;
  while (At->is("ImplicitCastExpr") || At->is("MaterializeTemporaryExpr") ||
         (At->is("CXXConstructExpr") && At->Kids.size() == 1))
    At = At->Kids[0].get();
  return *At;
}

bool isBitField(const Tree &T) {
  const auto *E = dyn_cast_or_null<Expr>(T.Origin);
  return T.is("MemberExpr") && E && E->refersToBitField();
}

/// The local variable that a place is a part of; 0 if it is none.
unsigned baseOf(const Tree &T) {
  const Tree *At = &T;
  for (;;)
    if (isBitField(*At)) // its value is cut to fewer bits than its type has
      return 0;
    else if (At->is("DeclRefExpr"))
      return At == &T || !llvm::StringRef(At->Type).contains("*") ? At->Local
                                                                   : 0;
    else if (At->is("ArraySubscriptExpr") || At->is("ImplicitCastExpr") ||
             At->is("CStyleCastExpr") || At->is("CXXReinterpretCastExpr") ||
             (At->is("UnaryOperator") &&
              (At->Label == "*" || At->Label == "&")) ||
             (At->is("MemberExpr") && At->Label == "."))
      At = At->Kids[0].get();
    else
      return 0;
}

bool sameBut(const Tree &A, const Tree &B, const Numbers &Map) {
  unsigned Wanted = A.Local;
  for (auto &[Mine, Other] : Map)
    if (A.Local && A.Local == Mine)
      Wanted = Other;
  if (A.Kind != B.Kind || A.Label != B.Label || A.Type != B.Type ||
      Wanted != B.Local || (!A.Local && A.Name != B.Name) ||
      A.Kids.size() != B.Kids.size())
    return false;
  for (size_t I = 0; I != A.Kids.size(); ++I)
    if (!sameBut(A.kid(I), B.kid(I), Map))
      return false;
  return true;
}

/// The variable that a place is a part of by its own name, or `this`.
const Tree &ownerOf(const Tree &T) {
  const Tree *At = &T;
  for (;;)
    if (At->is("MemberExpr") &&
        (At->Label == "." || At->kid(0).is("CXXThisExpr")))
      At = &At->kid(0);
    else if (At->is("ArraySubscriptExpr") &&
             At->kid(0).Label == "ArrayToPointerDecay")
      At = &At->kid(0).kid(0);
    else
      return *At;
}

/// Is something in memory read here, other than the thread's variables?
bool readsMemory(const Tree &T) {
  if (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue") {
    const Tree &From = ownerOf(T.kid(0));
    bool Whole = &From == &T.kid(0);
    if (!From.is("CXXThisExpr") && !From.is("MSPropertyRefExpr") &&
        !(From.is("DeclRefExpr") && (From.Local || Whole)))
      return true;
  }
  return llvm::any_of(T.Kids, [](auto &Kid) { return readsMemory(*Kid); });
}

/// Are the addresses that a value is loaded from, and its condition, computed
/// without a load?
bool loadsAtOnce(const Tree &Value) {
  const Tree &T = withoutCopies(Value);
  if (T.is("ConditionalOperator"))
    return !readsMemory(T.kid(0)) && loadsAtOnce(T.kid(1)) &&
           !readsMemory(T.kid(2));
  return !readsMemory(T);
}

class HeldFinder {
public:
  HeldFinder(const Tree &Use, const Tree &Store, const Tree &Function,
             const TileLoop &Loop, const ASTContext &Context)
      : Use(withoutCopies(Use)), Store(Store), Function(Function), Loop(Loop),
        Context(Context) {}

  std::optional<HeldValue> find() {
    Variable = baseOf(Use);
    if (!Variable || !findSet() || !standInStep() || !staysSame())
      return std::nullopt;
    return Found;
  }

private:
  const Tree &Use, &Store, &Function;
  const TileLoop &Loop;
  const ASTContext &Context;
  unsigned Variable = 0;
  HeldValue Found;
  const Tree *Set = nullptr;
  const Tree *Place = nullptr; ///< that an assignment sets; null: all of it
  llvm::SmallVector<const Tree *, 8> Between;
  llvm::SmallVector<const Tree *, 2> Headers; ///< loops around the set

  static bool isPlain(const Tree &Var) {
    llvm::StringRef Type = Var.Type;
    return Var.is("Var") && Var.Label.empty() && !Type.contains('&') &&
           !Type.contains("volatile");
  }

  bool findSet() {
    const Tree *Var = nullptr, *Other = nullptr;
    bool Plain = true;
    Path ToUse;
    if (!treePathTo(&Use, Function, ToUse))
      return false;
    eachNode(Function, [&](const Tree &T) {
      if (T.Local != Variable)
        return;
      if (isPlain(T) && !Var)
        Var = &T;
      else if (!T.is("DeclRefExpr"))
        Plain = false;
      else if (Path Way; !treePathTo(&T, Use, Way))
        Plain &= !std::exchange(Other, &T);
    });
    if (!Var || !Plain)
      return false;
    bool Given = !Var->Kids.empty() && !(Var->kid(0).is("CXXConstructExpr") &&
                                         Var->kid(0).Kids.empty());
    if (Given) {
      Set = Var;
      Found.Value = &Var->kid(0);
      if (Found.Value->is("InitListExpr") && Found.Value->Kids.size() == 1)
        Found.Value = &Found.Value->kid(0);
      return !Other && Use.is("DeclRefExpr");
    }
    Path ToOther;
    if (!Other || !treePathTo(Other, Function, ToOther))
      return false;
    for (const Tree *T : llvm::reverse(ToOther))
      if ((T->is("BinaryOperator") && T->Label == "=") ||
          (T->is("CXXOperatorCallExpr") && T->Kids.size() == 3)) {
        bool Call = T->is("CXXOperatorCallExpr");
        Set = T;
        Place = &T->kid(Call ? 1 : 0);
        Found.Value = &T->kid(Call ? 2 : 1);
        return isAssignment(*T) && baseOf(*Place) == Variable;
      }
    return false;
  }

  /// Built in, or of a class whose assignment does nothing else.
  static bool isAssignment(const Tree &T) {
    const auto *C = dyn_cast_or_null<CXXOperatorCallExpr>(T.Origin);
    return T.is("BinaryOperator") ||
           (C && C->getOperator() == OO_Equal && !hasOwnEffectBeside(C));
  }
  static bool hasOwnEffectBeside(const CXXOperatorCallExpr *C) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    return !M || !(M->isTrivial() || M->isDefaulted());
  }

  /// The loops on a way; false where more than loops and blocks is there.
  bool loopsOn(llvm::ArrayRef<const Tree *> Way, bool Conditions,
               llvm::SmallVectorImpl<const Tree *> &Loops) const {
    for (size_t I = 0; I + 1 < Way.size(); ++I) {
      const Tree &T = *Way[I];
      if (T.is("ForStmt")) {
        if (Way[I + 1] != &T.kid(4) || !T.kid(0).is("DeclStmt") ||
            T.kid(0).Kids.size() != 1 || !isPlain(T.kid(0).kid(0)) ||
            T.kid(0).kid(0).Kids.size() != 1)
          return false;
        Loops.push_back(&T);
      } else if (T.is("IfStmt")) {
        const auto *If = cast<IfStmt>(T.Origin);
        size_t Then = If->hasInitStorage() + If->hasVarStorage() + 1;
        if (!Conditions ||
            (Way[I + 1] != &T.kid(Then) &&
             (T.Kids.size() <= Then + 1 || Way[I + 1] != &T.kid(Then + 1))))
          return false;
      } else if (!T.is("CompoundStmt") && !T.is("DeclStmt")) {
        return false;
      }
    }
    return true;
  }

  bool standInStep() {
    Path ToSet, ToStore;
    if (!treePathTo(Set, Function, ToSet) ||
        !treePathTo(&Store, Function, ToStore))
      return false;
    size_t I = 0;
    while (I < ToSet.size() && I < ToStore.size() && ToSet[I] == ToStore[I])
      ++I;
    if (!I || I >= ToSet.size() || I >= ToStore.size() ||
        !ToSet[I - 1]->is("CompoundStmt"))
      return false;
    bool Seen = false;
    for (const std::unique_ptr<Tree> &Kid : ToSet[I - 1]->Kids) {
      Seen |= Kid.get() == ToSet[I];
      if (Seen)
        Between.push_back(Kid.get());
      if (Kid.get() == ToStore[I])
        break;
    }
    if (Between.empty() || Between.back() != ToStore[I])
      return false;
    llvm::SmallVector<const Tree *, 2> Sets, Stores;
    if (!loopsOn(llvm::ArrayRef(ToSet).drop_front(I), false, Sets) ||
        !loopsOn(llvm::ArrayRef(ToStore).drop_front(I), true, Stores) ||
        Sets.size() != Stores.size())
      return false;
    for (auto [A, B] : llvm::zip(Sets, Stores)) {
      const Tree &X = A->kid(0).kid(0), &Y = B->kid(0).kid(0);
      if (X.Type != Y.Type || !sameBut(X.kid(0), Y.kid(0), Found.Counters))
        return false;
      Found.Counters.push_back({X.Local, Y.Local});
      if (!sameBut(A->kid(2), B->kid(2), Found.Counters) ||
          !sameBut(A->kid(3), B->kid(3), Found.Counters))
        return false;
    }
    Headers = Sets;
    if (Sets.empty())
      Between.erase(Between.begin());
    if (!Place)
      return Sets.empty();
    return sameBut(*Place, Use, Found.Counters) &&
           (Sets.empty() || turnsAreApart(Sets, *Place, Context));
  }

  bool isCopy(const Stmt *S) const {
    return llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
      const Expr *Stores[] = {C.Store, C.FillStore};
      return llvm::any_of(
          Stores, [&](const Expr *E) { return E && E->IgnoreParens() == S; });
    });
  }

  /// The array of which `*(float4 *)&r[i] = …` changes a part.
  static const VarDecl *changedAsVector(const Tree &T) {
    bool Call = T.is("CXXOperatorCallExpr") && T.Kids.size() == 3;
    if (!Call && (!T.is("BinaryOperator") || T.Label != "="))
      return nullptr;
    const Tree &To = T.kid(Call ? 1 : 0);
    const Tree *At = &To;
    for (; !At->Kids.empty() && !At->is("CallExpr"); At = &At->kid(0))
      if (At->Label == "LValueToRValue") // what a pointer points to
        return nullptr;
    const auto *V = dyn_cast_or_null<VarDecl>(At->Of);
    return V && At->Local && baseOf(To) == At->Local && isAssignment(T) &&
                   V->getType()->isArrayType()
               ? V
               : nullptr;
  }

  bool staysSame() const {
    llvm::SmallPtrSet<const Decl *, 8> Needs, Counters;
    bool Same = loadsAtOnce(*Found.Value);
    auto need = [&](const Tree &T) {
      Same &= !hasOwnEffect(T.Origin);
      if (T.is("DeclRefExpr") && T.Of)
        Needs.insert(T.Of);
      // The copy finds what memory holds only where that is global.
      if (const auto *V = dyn_cast_or_null<VarDecl>(T.Of))
        Same &= !V->hasAttr<CUDASharedAttr>();
    };
    eachNode(*Found.Value, need);
    if (Place)
      eachNode(*Place, need);
    for (const Tree *F : Headers)
      for (size_t Part : {0, 2, 3})
        eachNode(F->kid(Part), [&](const Tree &T) {
          if (T.is("DeclRefExpr") && T.Of)
            Needs.insert(T.Of);
        });
    llvm::DenseMap<const Decl *, unsigned> Steps;
    for (const Tree *S : Between)
      eachNode(*S, [&](const Tree &T) {
        Same &= !T.is("BreakStmt") && !T.is("ContinueStmt") &&
                !T.is("LabelStmt") && !T.is("ReturnStmt");
        if (!hasOwnEffect(T.Origin) || &T == Set || isCopy(T.Origin))
          return;
        const VarDecl *V = changedByName(T.Origin);
        V = V ? V : changedAsVector(T);
        Same &= V && !V->hasAttr<CUDASharedAttr>() && V->hasLocalStorage();
        if (V)
          ++Steps[V->getCanonicalDecl()];
      });
    eachNode(Function, [&](const Tree &T) {
      for (auto &[A, B] : Found.Counters)
        if (T.is("Var") && (T.Local == A || T.Local == B))
          Counters.insert(T.Of);
    });
    for (auto &[V, Times] : Steps)
      Same &= Counters.contains(V) ? Times == 1 : !Needs.contains(V);
    return Same;
  }
};

} // namespace

std::optional<HeldValue> heldBy(const Tree &Use, const Tree &Store,
                                const Tree &Function, const TileLoop &Loop,
                                const ASTContext &Context) {
  return HeldFinder(Use, Store, Function, Loop, Context).find();
}

} // namespace kpipe
