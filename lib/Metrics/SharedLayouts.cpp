// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of staged arrays, see SharedLayouts.h.

#include "SharedLayouts.h"
#include "ArrayUses.h"
#include "Code/Ranges.h"
#include "LanePlaces.h"
#include "TileReach.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

namespace {

/// Extents of an array, outermost first; empty if it is none of constants.
llvm::SmallVector<uint64_t, 3> extentsOf(QualType T, const ASTContext &C) {
  llvm::SmallVector<uint64_t, 3> Extents;
  while (const auto *A = C.getAsConstantArrayType(T)) {
    Extents.push_back(A->getSize().getZExtValue());
    T = A->getElementType();
  }
  return T->isArrayType() ? llvm::SmallVector<uint64_t, 3>() : Extents;
}

/// The brackets of the last dimension are spelled where V is declared.
bool lastExtentIsSpelled(const VarDecl *V, unsigned Rank) {
  if (!V->getTypeSourceInfo())
    return false;
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  for (;;) {
    if (auto A = T.getAs<ArrayTypeLoc>()) {
      if (--Rank == 0)
        return A.getSizeExpr() && !A.getLBracketLoc().isMacroID() &&
               !A.getRBracketLoc().isMacroID();
      T = A.getElementLoc();
    } else if (auto P = T.getAs<ParenTypeLoc>()) {
      T = P.getInnerLoc();
    } else {
      return false;
    }
  }
}

/// E stands in the file itself, or is a macro's whole text; not an argument of
/// a macro, which may use it twice.
bool isEditable(const Expr *E, const SourceManager &SM,
                const LangOptions &Options) {
  for (SourceLocation L = E->getBeginLoc(); L.isMacroID();
       L = SM.getImmediateExpansionRange(L).getBegin())
    if (SM.isMacroArgExpansion(L))
      return false;
  return Lexer::makeFileCharRange(
             CharSourceRange::getTokenRange(E->getSourceRange()), SM, Options)
      .isValid();
}

class LayoutReader {
public:
  LayoutReader(const LoopFacts &Facts, const BlocksOfLoop &Blocks,
               const StagedBuffer &Buffer)
      : Facts(Facts), Blocks(Blocks), V(Buffer.Var),
        Context(Facts.In->context()), SM(Context.getSourceManager()),
        Any(Context), OneThread(Context) {
    Any.Block = OneThread.Block = Blocks.Only;
  }

  SharedLayout run() {
    Extents = extentsOf(V->getType(), Context);
    if (Extents.empty()) {
      no(msg::size_is_unknown);
      return std::move(Out);
    }
    QualType Element = Context.getBaseElementType(V->getType());
    Out.ElementBytes = Context.getTypeSizeInChars(Element).getQuantity();
    Out.RowBytes = Extents.back() * Out.ElementBytes;
    Out.Rows = 1;
    for (uint64_t E : llvm::ArrayRef(Extents).drop_back())
      Out.Rows *= E;
    Out.PadMultiple = std::max<uint64_t>(Out.ElementBytes, 1);
    Lanes.emplace(Facts, Blocks.Largest, Any, Extents, Out.ElementBytes);
    checkDeclaration();
    auto Uses = findArrayUses(Facts.Tile.Function, V, Extents.size(), Any);
    for (const ArrayUse &U : Uses)
      use(U);
    checkPattern(Uses);
    joinNeighbours(Out.Accesses);
    return std::move(Out);
  }

private:
  const LoopFacts &Facts;
  const BlocksOfLoop &Blocks;
  const VarDecl *V;
  ASTContext &Context;
  const SourceManager &SM;
  /// What is known of all threads, and of one at a time for proofs.
  Values Any, OneThread;
  llvm::SmallVector<uint64_t, 3> Extents;
  SharedLayout Out;
  std::optional<LaneReader> Lanes;

  void no(const Message &Why) {
    if (Out.NotPadded.empty())
      Out.NotPadded = Why;
  }
  unsigned lineOf(const Expr *E) const {
    return SM.getExpansionLineNumber(E->getBeginLoc());
  }

  void checkDeclaration() {
    if (Extents.size() < 2)
      return no(msg::rows_by_arithmetic);
    if (isa<ParmVarDecl>(V) || V->hasExternalStorage() ||
        V->getDeclContext() != Facts.Tile.Function)
      return no(msg::not_declared_in_function);
    if (V->getLocation().isMacroID() || !lastExtentIsSpelled(V, Extents.size()))
      return no(msg::extents_are_hidden);
  }

  /// Text that this instantiation leaves out is edited for all of them.
  void checkPattern(llvm::ArrayRef<ArrayUse> Uses) {
    const FunctionDecl *Pattern =
        Facts.Tile.Function->getTemplateInstantiationPattern();
    if (!Pattern || !Pattern->getBody())
      return;
    struct Finder : ConstDynamicRecursiveASTVisitor {
      SourceLocation Declared;
      llvm::SmallVector<const DeclRefExpr *, 16> Found;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (D->getDecl()->getLocation() == Declared)
          Found.push_back(D);
        return true;
      }
    } Find;
    Find.Declared = V->getLocation();
    Find.TraverseStmt(Pattern->getBody());
    for (const DeclRefExpr *D : Find.Found)
      if (llvm::none_of(Uses, [&](const ArrayUse &U) {
            return U.Mention->getLocation() == D->getLocation();
          }))
        return no({msg::not_in_every_instantiation, lineOf(D)});
  }

  bool inLoop(const ArrayUse &U) const {
    return llvm::is_contained(U.Path, Facts.Tile.Loop);
  }

  void use(const ArrayUse &U) {
    if (!U.NotUnderstood.empty())
      return no({msg::in_line, U.NotUnderstood, lineOf(U.Mention)});
    uint64_t Multiple = std::max(1u, U.Alignment);
    UseContext Site(U.Path);
    if (U.What == ArrayUse::Kind::Matrix)
      Multiple = matrixMultiple(U, Site);
    Out.PadMultiple = std::lcm(Out.PadMultiple, Multiple);
    Out.Alignment = std::max<uint64_t>(Out.Alignment, U.Alignment);
    if (Extents.size() > 1 && !staysInRow(U, Site))
      no({msg::index_may_leave_row, lineOf(U.Mention)});
    if (!inLoop(U))
      return;
    Out.Accesses.push_back(Lanes->access(U, Site));
    if (const Message &Why = Out.Accesses.back().Unknown)
      no({msg::in_line, Why, lineOf(U.Mention)});
  }

  //===--------------------------------------------------------------------===//
  // Proofs
  //===--------------------------------------------------------------------===//

  /// Bytes of padding have to be a multiple of this for a wmma load or store:
  /// the distance of rows of 16 bytes, the pointer to the first of 32.
  uint64_t matrixMultiple(const ArrayUse &U, const UseContext &Site) {
    auto Stride = Any.evaluate(U.Stride);
    bool OwnElements = U.Offset == 0 && Stride &&
                       uint64_t(*Stride) == Extents.back() &&
                       U.UnitBytes == Out.ElementBytes;
    if (Extents.size() > 1) {
      if (!OwnElements)
        no({msg::stride_is_not_row, lineOf(U.Mention)});
      else if (!isEditable(U.Stride, SM, Context.getLangOpts()))
        no({msg::stride_is_in_macro, lineOf(U.Mention)});
      else if (!llvm::is_contained(Out.Strides, U.Stride))
        Out.Strides.push_back(U.Stride);
    }
    // The row that the matrix begins in, counted from the first of all.
    Ranges R(Context, Any, Blocks.Most);
    for (const ForStmt *F : Site.Loops)
      R.enter(F);
    uint64_t Divisor = 0;
    bool Known = true;
    uint64_t Rows = 1;
    for (unsigned I = U.Rows.size(); I-- != 0;) {
      auto Row = R.of(U.Rows[I]);
      Known &= Row.has_value();
      if (Row)
        Divisor = std::gcd(Divisor, Row->divisor() * Rows);
      Rows *= Extents[I];
    }
    uint64_t Even = Known ? std::gcd<uint64_t>(Divisor, 32) : 1;
    return std::max<uint64_t>(16, 32 / Even);
  }

  bool staysInRow(const ArrayUse &U, const UseContext &Site) {
    auto fits = [&](Values &Known) {
      Ranges R(Context, Known, Blocks.Most);
      for (const ForStmt *F : Site.Loops)
        R.enter(F);
      Range64 Column;
      if (U.Column) {
        auto Found = R.of(U.Column);
        if (!Found)
          return false;
        Column = *Found;
      }
      int64_t Bytes = Out.ElementBytes;
      return Column.Low >= 0 && Column.High < int64_t(Out.RowBytes / Bytes) &&
             Column.High * Bytes + U.Offset + int64_t(U.Bytes) <=
                 int64_t(Out.RowBytes);
    };
    if (fits(Any))
      return true;
    if (!Blocks.Only)
      return false;
    const Extent3 &B = *Blocks.Only;
    for (unsigned Z = 0; Z != B[2]; ++Z)
      for (unsigned Y = 0; Y != B[1]; ++Y)
        for (unsigned X = 0; X != B[0]; ++X) {
          OneThread.Thread = Extent3{X, Y, Z};
          if (takesPart(OneThread, Site) && !fits(OneThread))
            return false;
        }
    return true;
  }
};

} // namespace

std::vector<SharedLayout> findSharedLayouts(const LoopFacts &Facts,
                                            const BlocksOfLoop &Blocks) {
  std::vector<SharedLayout> All;
  Values Known(Facts.In->context());
  Known.Block = Blocks.Only;
  for (unsigned I = 0; I != Facts.Tile.Buffers.size(); ++I) {
    All.push_back(LayoutReader(Facts, Blocks, Facts.Tile.Buffers[I]).run());
    All.back().Reach = tileReach(Facts, I, Known, Blocks.Most);
  }
  return All;
}

} // namespace kpipe
