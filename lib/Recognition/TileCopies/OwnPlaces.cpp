// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turn by turn, with numbers, see OwnPlaces.h.

#include "OwnPlaces.h"
#include "Code/Values.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace kpipe {

namespace {

class OwnPlaces {
public:
  OwnPlaces(const Expr *Place, llvm::ArrayRef<CopyLoop> Loops,
            const ASTContext &Context)
      : Place(Place), Loops(Loops), Context(Context), Known(Context) {}

  bool hold(const VarDecl *V) {
    Size = bytesOf(V->getType());
    Width = bytesOf(Place->getType());
    return turns(0);
  }

private:
  static constexpr unsigned Most = 1024; ///< more than registers hold
  const Expr *Place;
  llvm::ArrayRef<CopyLoop> Loops;
  const ASTContext &Context;
  Values Known;
  int64_t Size = 0, Width = 0;
  llvm::DenseSet<int64_t> Taken;

  int64_t bytesOf(QualType T) const {
    T = T.getNonReferenceType();
    return T->isIncompleteType() ? 0
                                 : Context.getTypeSizeInChars(T).getQuantity();
  }

  bool turns(unsigned Depth) {
    if (Depth == Loops.size())
      return take();
    const CopyLoop &L = Loops[Depth];
    auto First = Known.evaluate(L.Init);
    auto Step = L.Step ? Known.evaluate(L.Step) : 1;
    if (!First || !Step || !L.ConstantInit || !L.Trips || L.Trips > Most)
      return false;
    bool Own = true;
    for (uint64_t I = 0; Own && I != L.Trips; ++I) {
      Known.bind(L.Index, *First + int64_t(I) * *Step);
      Own = turns(Depth + 1);
    }
    Known.unbind(L.Index);
    return Own;
  }

  bool take() {
    auto At = offset(Place);
    if (!At || !Width || *At < 0 || *At + Width > Size ||
        Taken.size() > 4 * Most)
      return false;
    for (int64_t I = 0; I != Width; ++I)
      if (!Taken.insert(*At + I).second)
        return false;
    return true;
  }

  /// Of an lvalue, or of where a pointer points: bytes from the variable's own.
  std::optional<int64_t> offset(const Expr *E) {
    E = E->IgnoreParens();
    if (isa<DeclRefExpr>(E))
      return 0;
    if (const auto *C = dyn_cast<CastExpr>(E))
      return offset(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      return offset(U->getSubExpr());
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    auto Base = A ? offset(A->getBase()) : std::nullopt;
    auto Index = Base ? Known.evaluate(A->getIdx()) : std::nullopt;
    if (!Index)
      return std::nullopt;
    return *Base + *Index * bytesOf(A->getType());
  }
};

} // namespace

bool hasOwnPlaces(const Expr *Place, const VarDecl *V,
                  llvm::ArrayRef<CopyLoop> Loops, const ASTContext &Context) {
  return OwnPlaces(Place, Loops, Context).hold(V);
}

} // namespace kpipe
