// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of staged arrays, see SharedLayouts.h.

#include "SharedLayouts.h"
#include "ArrayUses.h"
#include "Code/AstUtils.h"
#include "Code/Ranges.h"
#include "kpipe/BankConflicts.h"
#include "clang/AST/RecursiveASTVisitor.h"
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

/// A condition that a use depends on, with the outcome that leads to it.
struct Condition {
  const Expr *Asked;
  bool Wanted;
};

/// Loops and conditions around a use, outermost first.
struct Around {
  llvm::SmallVector<const ForStmt *, 4> Loops;
  llvm::SmallVector<Condition, 4> Conditions;

  explicit Around(const std::vector<const Stmt *> &Path) {
    for (size_t I = 0; I + 1 < Path.size(); ++I) {
      const Stmt *In = Path[I + 1];
      if (const auto *F = dyn_cast<ForStmt>(Path[I])) {
        if (In == F->getBody() && F->getInc() && updatedVariable(F->getInc()))
          Loops.push_back(F);
      } else if (const auto *If = dyn_cast<IfStmt>(Path[I])) {
        if (In == If->getThen() || In == If->getElse())
          Conditions.push_back({If->getCond(), In == If->getThen()});
      } else if (const auto *C = dyn_cast<ConditionalOperator>(Path[I])) {
        if (In != C->getCond())
          Conditions.push_back({C->getCond(), In == C->getTrueExpr()});
      }
    }
  }
};

class LayoutReader {
public:
  LayoutReader(const LoopFacts &Facts, const BlockShapes &Blocks,
               const StagedBuffer &Buffer)
      : Facts(Facts), Blocks(Blocks), V(Buffer.Var),
        Context(Facts.In->context()), SM(Context.getSourceManager()),
        Any(Context), OneThread(Context), Lane(Context) {
    Any.Block = OneThread.Block = Blocks.Only;
    Lane.Block = Blocks.Largest.Extent;
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
    checkDeclaration();
    auto Uses = findArrayUses(Facts.Tile.Function, V, Extents.size(), Any);
    for (const ArrayUse &U : Uses)
      use(U);
    checkPattern(Uses);
    joinNeighbours();
    return std::move(Out);
  }

private:
  const LoopFacts &Facts;
  const BlockShapes &Blocks;
  const VarDecl *V;
  ASTContext &Context;
  const SourceManager &SM;
  /// What is known of all threads, of one at a time for proofs, and of the
  /// lanes that banks are counted with.
  Values Any, OneThread, Lane;
  llvm::SmallVector<uint64_t, 3> Extents;
  SharedLayout Out;
  std::optional<bool> OtherAxes;

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
    struct Finder : RecursiveASTVisitor<Finder> {
      SourceLocation Declared;
      llvm::SmallVector<const DeclRefExpr *, 16> Found;
      bool VisitDeclRefExpr(DeclRefExpr *D) {
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
    Around Site(U.Path);
    if (U.What == ArrayUse::Kind::Matrix)
      Multiple = matrixMultiple(U, Site);
    Out.PadMultiple = std::lcm(Out.PadMultiple, Multiple);
    Out.Alignment = std::max<uint64_t>(Out.Alignment, U.Alignment);
    if (Extents.size() > 1 && !staysInRow(U, Site))
      no({msg::index_may_leave_row, lineOf(U.Mention)});
    if (!inLoop(U))
      return;
    Out.Accesses.push_back(access(U, Site));
    if (const Message &Why = Out.Accesses.back().Unknown)
      no({msg::in_line, Why, lineOf(U.Mention)});
  }

  //===--------------------------------------------------------------------===//
  // Proofs
  //===--------------------------------------------------------------------===//

  /// Bytes of padding have to be a multiple of this for a wmma load or store:
  /// the distance of rows of 16 bytes, the pointer to the first of 32.
  uint64_t matrixMultiple(const ArrayUse &U, const Around &Site) {
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

  bool staysInRow(const ArrayUse &U, const Around &Site) {
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

  /// False if a thread surely has no part in a use. What is not known is taken
  /// to hold.
  static bool takesPart(Values &Known, const Around &Site) {
    return llvm::all_of(Site.Conditions, [&](const Condition &C) {
      auto Holds = Known.evaluate(C.Asked);
      return !Holds || (*Holds != 0) == C.Wanted;
    });
  }

  //===--------------------------------------------------------------------===//
  // Lanes
  //===--------------------------------------------------------------------===//

  RowAccess access(const ArrayUse &U, const Around &Site) {
    RowAccess A;
    A.Where = SM.getExpansionLoc(U.Mention->getBeginLoc());
    A.Write = U.Write;
    A.Bytes = U.Bytes;
    if (U.What == ArrayUse::Kind::Matrix) {
      matrixRows(A, U);
      return A;
    }
    A.Matrix = U.What == ArrayUse::Kind::MatrixRows;
    std::optional<Extent3> Block = Blocks.Largest.Extent;
    bool FirstWarp = false;
    if (!Block) {
      if (!OtherAxes)
        OtherAxes = usesOtherAxes(Facts.Tile.Function);
      if (*OtherAxes) {
        A.Unknown = msg::block_shape_is_unknown;
        return A;
      }
      Block = Extent3{Blocks.Largest.Threads.value_or(WarpLanes), 1, 1};
      FirstWarp = !Blocks.Largest.Threads;
    }
    Lane.Block = FirstWarp ? std::nullopt : Block;
    unsigned Threads = (*Block)[0] * (*Block)[1] * (*Block)[2];
    for (unsigned First = 0; First < Threads; First += WarpLanes) {
      WarpPlaces Warp;
      for (unsigned I = 0; I != WarpLanes && First + I < Threads; ++I) {
        unsigned T = First + I;
        Lane.Thread = Extent3{T % (*Block)[0], T / (*Block)[0] % (*Block)[1],
                              T / (*Block)[0] / (*Block)[1]};
        if (A.Matrix && I >= U.Lanes)
          break;
        if (!place(U, Site, Warp[I])) {
          A.Warps.clear();
          A.Unknown = msg::lane_places_unknown;
          return A;
        }
      }
      add(A, Warp);
    }
    A.Joinable = !A.Matrix && goesOn(U, Site);
    return A;
  }

  /// Accesses whose bytes follow one another in every lane.
  void joinNeighbours() {
    for (RowAccess &A : Out.Accesses)
      for (RowAccess &B : Out.Accesses) {
        if (A.Matrix || B.Matrix || A.Write != B.Write || A.Bytes != B.Bytes ||
            A.Warps.empty())
          continue;
        std::vector<WarpPlaces> Moved = A.Warps;
        for (WarpPlaces &Warp : Moved)
          for (std::optional<LanePlace> &P : Warp)
            if (P)
              P->Column += A.Bytes;
        if (Moved == B.Warps)
          A.Joinable = B.Joinable = true;
      }
  }

  /// Does a loop around the access go on to the next bytes of the row?
  bool goesOn(const ArrayUse &U, const Around &Site) {
    Lane.Thread = Extent3{0, 0, 0};
    std::optional<LanePlace> First;
    if (!place(U, Site, First) || !First)
      return false;
    for (const ForStmt *F : Site.Loops) {
      std::optional<LanePlace> Next;
      if (F != Facts.Tile.Loop && place(U, Site, Next, F) && Next &&
          Next->Row == First->Row &&
          std::abs(Next->Column - First->Column) == int64_t(U.Bytes))
        return true;
    }
    return false;
  }

  /// Eight rows of 16 bytes are read at once.
  void matrixRows(RowAccess &A, const ArrayUse &U) {
    A.Matrix = true;
    A.Bytes = 16;
    auto Stride = Any.evaluate(U.Stride);
    if (!Stride) {
      A.Unknown = msg::stride_is_unknown;
      return;
    }
    WarpPlaces Warp;
    int64_t Bytes = *Stride * int64_t(U.UnitBytes);
    bool Own = uint64_t(Bytes) == Out.RowBytes && Extents.size() > 1;
    for (int I = 0; I != 8; ++I)
      Warp[I] = Own ? LanePlace{I, 0} : LanePlace{0, I * Bytes};
    add(A, Warp);
  }

  /// The place of the thread that Lane stands for, in the first iteration of
  /// the loops around, or the second of one of them. False if it is not known.
  bool place(const ArrayUse &U, const Around &Site, std::optional<LanePlace> &P,
             const ForStmt *Second = nullptr) {
    llvm::SmallVector<const VarDecl *, 4> Bound;
    for (const ForStmt *F : Site.Loops) {
      const VarDecl *Index = updatedVariable(F->getInc());
      auto Value = firstValue(F, Index);
      if (F == Second && Value)
        Value = valueAfter(F->getInc(), *Value);
      Lane.bind(Index, Value);
      Bound.push_back(Index);
    }
    bool Known = true;
    if (takesPart(Lane, Site)) {
      P.emplace();
      for (unsigned I = 0; I != U.Rows.size(); ++I) {
        auto Row = Lane.evaluate(U.Rows[I]);
        Known &= Row.has_value();
        P->Row = P->Row * int64_t(Extents[I]) + Row.value_or(0);
      }
      auto Column = U.Column ? Lane.evaluate(U.Column) : 0;
      Known &= Column.has_value();
      P->Column = Column.value_or(0) * int64_t(Out.ElementBytes) + U.Offset;
    }
    for (const VarDecl *Index : Bound)
      Lane.unbind(Index);
    return Known;
  }

  std::optional<int64_t> firstValue(const ForStmt *F, const VarDecl *Index) {
    if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit()))
      return llvm::is_contained(D->decls(), Index)
                 ? Lane.evaluate(Index->getInit())
                 : std::nullopt;
    if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit());
        B && B->getOpcode() == BO_Assign && updatedVariable(B) == Index)
      return Lane.evaluate(B->getRHS());
    return std::nullopt;
  }

  /// `++i`, `--i`, `i += 2`; other steps are not taken.
  std::optional<int64_t> valueAfter(const Expr *Step, int64_t At) {
    Step = Step->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(Step))
      return At + (U->isIncrementOp() ? 1 : -1);
    const auto *B = dyn_cast<BinaryOperator>(Step);
    auto By = B ? Lane.evaluate(B->getRHS()) : std::nullopt;
    if (By && B->getOpcode() == BO_AddAssign)
      return At + *By;
    if (By && B->getOpcode() == BO_SubAssign)
      return At - *By;
    return std::nullopt;
  }

  /// Warps that differ by a number of rows conflict alike.
  static void add(RowAccess &A, WarpPlaces Warp) {
    auto First = llvm::find_if(Warp, [](const auto &P) { return bool(P); });
    if (First == Warp.end())
      return;
    int64_t Row = (*First)->Row;
    for (std::optional<LanePlace> &P : Warp)
      if (P)
        P->Row -= Row;
    if (!llvm::is_contained(A.Warps, Warp))
      A.Warps.push_back(Warp);
  }
};

} // namespace

std::vector<SharedLayout> findSharedLayouts(const LoopFacts &Facts,
                                            const BlockShapes &Blocks) {
  std::vector<SharedLayout> All;
  for (const StagedBuffer &B : Facts.Tile.Buffers)
    All.push_back(LayoutReader(Facts, Blocks, B).run());
  return All;
}

} // namespace kpipe
