// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SwizzledArray.h. Whoever reads from an element on stays within 16 bytes,
// which the swizzle keeps together: an access of so many bytes that is aligned
// to them does.
#include "SwizzledArray.h"
#include "Code/AstUtils.h"
#include "Code/Effects.h"
#include "Code/Ranges.h"
#include "Metrics/UseContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

static constexpr unsigned PieceBytes = 16, LineBytes = 128, HalfLine = 64,
                          MostRows = 256;

SwizzledArray::SwizzledArray(const LoopFacts &Facts, const TileBox &Box,
                             Extent3 Block, const SourceText &Source)
    : Facts(Facts), Box(Box), V(Facts.Tile.Buffers[Box.Buffer].Var),
      Context(Facts.In->context()), Source(Source), Any(Context),
      OneThread(Context), Block(Block) {
  Any.Block = OneThread.Block = Block;
}

bool SwizzledArray::run() {
  return measure() && declare() && align() && mentions();
}

/// The box fills all rows of the array from their beginning on; what is behind
/// them is padding.
bool SwizzledArray::measure() {
  const auto *Outer = Context.getAsConstantArrayType(V->getType());
  const auto *Inner =
      Outer ? Context.getAsConstantArrayType(Outer->getElementType()) : nullptr;
  if (!Inner || Inner->getElementType()->isArrayType() ||
      V->getType().isVolatileQualified())
    return fail({msg::tma_not_two_dimensions});
  const QualType Element = Inner->getElementType();
  Rows.ElementBytes = Context.getTypeSizeInChars(Element).getQuantity();
  if (Rows.ElementBytes != 1 && Rows.ElementBytes != 2 &&
      Rows.ElementBytes != 4)
    return fail({msg::tma_element_bytes, Rows.ElementBytes});
  const uint64_t RowBytes = Inner->getSize().getZExtValue() * Rows.ElementBytes;
  if (Box.First != 0 || Box.SharedPitch != int64_t(RowBytes) ||
      Box.Rows != Outer->getSize().getZExtValue() || RowBytes % PieceBytes)
    return fail({msg::tma_not_whole});
  const unsigned Width = Box.Columns * Box.ElementBytes;
  if (Width != HalfLine && Width % LineBytes != 0)
    return fail({msg::tma_width, Width});
  Rows.Rows = Box.Rows;
  Rows.Panels = Width == HalfLine ? 1 : Width / LineBytes;
  Rows.Columns = Width / Rows.Panels / Rows.ElementBytes;
  if (Rows.Rows > MostRows ||
      Rows.Rows * Rows.Columns * Rows.ElementBytes % Alignment)
    return fail({msg::tma_rows, Rows.Rows});
  return true;
}

/// `half Bs[64][128 + 8]` becomes `half Bs[2][64][64]`.
bool SwizzledArray::declare() {
  const TypeSourceInfo *Written = V->getTypeSourceInfo();
  const auto Outer =
      Written ? Written->getTypeLoc().getAs<ArrayTypeLoc>() : ArrayTypeLoc();
  const auto Inner =
      Outer ? Outer.getElementLoc().getAs<ArrayTypeLoc>() : ArrayTypeLoc();
  if (!Inner || !Inner.getSizeExpr() || V->getLocation().isMacroID())
    return fail({msg::tma_declaration});
  const auto Open = Source.offset(Outer.getLBracketLoc());
  const auto From = Source.offset(Inner.getLBracketLoc()),
             To = Source.offset(Inner.getRBracketLoc());
  if (!Open || !From || !To || *Open >= *From)
    return fail({msg::tma_declaration});
  const unsigned Width = Rows.Columns * Rows.Panels * Rows.ElementBytes;
  if (Rows.Panels > 1)
    Edits.push_back({*Open, 0, "[" + std::to_string(Rows.Panels) + "]"});
  // The author's own words stay where they say how many there are.
  if (Rows.Panels > 1 || Box.SharedPitch != Width)
    Edits.push_back({*From + 1, *To - *From - 1, std::to_string(Rows.Columns)});
  return true;
}

/// Where an alignment is asked for already another number stands there.
bool SwizzledArray::align() {
  const auto *Shared = V->getAttr<CUDASharedAttr>();
  if (!Shared || isa<ParmVarDecl>(V) || V->hasExternalStorage())
    return fail({msg::tma_declaration});
  if (Context.getDeclAlign(V).getQuantity() >= Alignment)
    return true;
  const std::string Wanted = std::to_string(Alignment);
  for (const auto *A : V->specific_attrs<AlignedAttr>()) {
    const Expr *Asked = A->isAlignmentExpr() ? A->getAlignmentExpr() : nullptr;
    const std::optional<Range> R =
        Asked ? Source.expression(Asked) : std::nullopt;
    if (!R)
      return fail({msg::tma_declaration});
    Edits.push_back({R->Begin, R->size(), Wanted});
    return true;
  }
  const llvm::StringRef Word = "__shared__";
  const unsigned At = Source.expansionOffset(Shared->getLocation());
  if (!Source.all().substr(At).starts_with(Word))
    return fail({msg::tma_declaration});
  Edits.push_back(
      {unsigned(At + Word.size()), 0, " __align__(" + Wanted + ")"});
  return true;
}

namespace {

/// Mentions of what is declared at a place: a template's pattern has its own.
struct MentionsOf : ConstDynamicRecursiveASTVisitor {
  SourceLocation Declared;
  std::set<SourceLocation> Found;
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl()->getLocation() == Declared)
      Found.insert(D->getLocation());
    return true;
  }
};

} // namespace

bool SwizzledArray::mentions() {
  const FunctionDecl *F = Facts.Tile.Function;
  std::set<SourceLocation> Known;
  for (const ArrayUse &U : findArrayUses(F, V, 2, Any)) {
    Known.insert(U.Mention->getLocation());
    if (!isGone(U) && !mention(U))
      return false;
  }
  MentionsOf All;
  All.Declared = V->getLocation();
  All.TraverseStmt(F->getBody());
  if (const FunctionDecl *P = F->getTemplateInstantiationPattern())
    All.TraverseStmt(P->getBody());
  if (All.Found != Known)
    return fail({msg::tma_other_mention});
  llvm::sort(Edits);
  Edits.erase(std::unique(Edits.begin(), Edits.end()), Edits.end());
  return true;
}

/// In the copies, which go.
bool SwizzledArray::isGone(const ArrayUse &U) const {
  return llvm::any_of(Box.Items, [&](unsigned I) {
    return llvm::is_contained(U.Path, Facts.Tile.Body[I].S);
  });
}

bool SwizzledArray::mention(const ArrayUse &U) {
  const unsigned Line = Context.getSourceManager().getExpansionLineNumber(
      U.Mention->getLocation());
  if (U.NotUnderstood)
    return fail({msg::in_line, U.NotUnderstood, Line});
  if (U.Write)
    return fail({msg::tma_written, Line});
  if (U.What == ArrayUse::Kind::Matrix || U.Offset != 0 || !U.Bytes ||
      U.Bytes > PieceBytes || U.Bytes > U.Alignment || PieceBytes % U.Bytes)
    return fail({msg::tma_access, Line});
  if (!staysInRow(U))
    return fail({msg::index_may_leave_row, Line});
  // Subscripts are evaluated in order, arguments are not.
  if (hasEffects(U.Column) ||
      llvm::any_of(U.Rows, [&](const Expr *E) { return hasEffects(E); }))
    return fail({msg::tma_index_effect, Line});
  return rewrite(U) || fail({msg::tma_not_two_subscripts, Line});
}

bool SwizzledArray::hasEffects(const Expr *E) const {
  const Effects Of = E ? effectsOf(E, *Facts.In) : Effects();
  return !Of.isPure() || !Of.Writes.empty();
}

/// The column is one that the copies fill, for every thread.
bool SwizzledArray::staysInRow(const ArrayUse &U) {
  const UseContext Site(U.Path);
  auto Fits = [&](Values &Known) {
    Ranges R(Context, Known, Block);
    for (const ForStmt *F : Site.Loops)
      R.enter(F);
    const std::optional<Range64> Column =
        U.Column ? R.of(U.Column) : std::nullopt;
    return Column && Column->Low >= 0 &&
           Column->High < int64_t(Rows.Columns * Rows.Panels);
  };
  if (Fits(Any))
    return true;
  for (unsigned Z = 0; Z != Block[2]; ++Z)
    for (unsigned Y = 0; Y != Block[1]; ++Y)
      for (unsigned X = 0; X != Block[0]; ++X) {
        OneThread.Thread = Extent3{X, Y, Z};
        if (takesPart(OneThread, Site) && !Fits(OneThread))
          return false;
      }
  return true;
}

/// The subscript of which E is the base, as text; what stands between is no
/// part of it.
static const ArraySubscriptExpr *
subscriptOf(const std::vector<const Stmt *> &Path, size_t &At) {
  const Stmt *Below = Path[At];
  while (At-- != 0) {
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(Path[At]))
      return A->getBase() == Below ? A : nullptr;
    if (!isa<ImplicitCastExpr>(Path[At]))
      return nullptr;
    Below = Path[At];
  }
  return nullptr;
}

static bool hasComma(const Expr *E) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  return B && B->getOpcode() == BO_Comma;
}

/// `As[r][c]` becomes `kpipe::swizzled(As, r, c)`.
bool SwizzledArray::rewrite(const ArrayUse &U) {
  size_t Place = U.Path.size() - 1;
  const ArraySubscriptExpr *Row = subscriptOf(U.Path, Place),
                           *Column = Row ? subscriptOf(U.Path, Place) : nullptr;
  if (!Column || hasComma(Row->getIdx()) || hasComma(Column->getIdx()))
    return false;
  const auto Name = Source.offset(U.Mention->getLocation());
  const auto RowEnd = Source.offset(Row->getRBracketLoc()),
             End = Source.offset(Column->getRBracketLoc());
  if (!Name || !RowEnd || !End || U.Mention->getLocation().isMacroID() ||
      Row->getRBracketLoc().isMacroID() || Column->getRBracketLoc().isMacroID())
    return false;
  const unsigned Open = Source.skipSpaceAndComments(Source.tokenEnd(*Name)),
                 Next = Source.skipSpaceAndComments(*RowEnd + 1);
  if (Source.all()[Open] != '[' || Source.all()[Next] != '[' ||
      Source.all()[*End] != ']' || !(Open < *RowEnd && Next < *End))
    return false;
  Edits.push_back({*Name, 0, "kpipe::swizzled("});
  Edits.push_back({Open, 1, ", "});
  Edits.push_back({*RowEnd, Next + 1 - *RowEnd, ", "});
  Edits.push_back({*End, 1, ")"});
  return true;
}

} // namespace kpipe
