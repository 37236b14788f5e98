// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop whose rows the copy engine brings, one copy each. Where nothing says
// that rows are aligned in global memory this is asked in front of the loop; if
// they are not, the engine brings nothing, and the author's copies follow the
// wait. See kpipe/TmaCopies.h.
#include "Code/AstUtils.h"
#include "Code/DeclaredAlignment.h"
#include "EngineText.h"
#include "Remap/AlignedText.h"
#include "Remap/OwnElements.h"
#include "Remap/WrappedItems.h"
#include "RowText.h"
#include "RowWraps.h"
#include "kpipe/TextMarks.h"
#include "kpipe/TmaCopies.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What the copy engine relies on, bytes; the shortest copy that pays, and how
/// many one thread may ask for: each costs its warp 30 to 45 cycles (H200).
constexpr int64_t BulkPiece = 16, ShortestCopy = 512, MostCopies = 32;

class BulkWriter {
public:
  BulkWriter(const LoopFacts &Facts, Extent3 Block)
      : Facts(Facts), Loop(Facts.Tile), Context(Facts.In->context()),
        Source(Context, Context.getSourceManager().getFileID(
                            Context.getSourceManager().getExpansionLoc(
                                Loop.Loop->getBeginLoc()))),
        Words(takenWords(Source)), Fresh(Words, Context.Idents, {}),
        Boxes(Facts, Block), Aligned(Facts, Boxes.offsets()),
        Wraps(Facts, Boxes.offsets(), Aligned),
        Places(Facts, Boxes.offsets(), Source),
        Text(Facts, Block, Source, Fresh) {}

  TmaCopies run() {
    Out.File = Source.file();
    if (!arrays() || !body())
      Out.Arrays.clear();
    else
      Out.Edits.assign(Text.Edits.begin(), Text.Edits.end());
    return std::move(Out);
  }

private:
  const LoopFacts &Facts;
  const TileLoop &Loop;
  ASTContext &Context;
  const SourceText Source;
  const llvm::StringSet<> Words;
  kpipe::Names Fresh;
  TileBoxes Boxes;
  Alignments Aligned;
  RowWraps Wraps;
  RowText Places;
  EngineText Text;
  TmaCopies Out;
  std::set<unsigned> Held; ///< items with copies
  int64_t Bytes = 0, Count = 0;
  std::string Copies; ///< with marks for ends of lines
  /// An array whose rows may be unaligned, and is not filled whole.
  const VarDecl *Partly = nullptr;
  bool Asks = false;

  bool no(Message Why) {
    if (!Out.Not)
      Out.Not = std::move(Why);
    return false;
  }
  bool ofArray(const VarDecl *V, Message Why) {
    return no({msg::tma_of_array, V->getNameAsString(), std::move(Why)});
  }

  bool arrays() {
    if (Message Why = whyNotByEngine(Facts))
      return no(std::move(Why));
    for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
      if (!array(Loop.Buffers[I].Var, Boxes.All[I]))
        return false;
    if (Count > MostCopies)
      return no({msg::bulk_rows_many, Count});
    // What wraps is asked for even where an access says that it is aligned.
    Asks |= !Aligned.numbers().empty();
    if (Asks && Partly)
      return ofArray(Partly, {msg::bulk_rows_unaligned});
    return Count != 0;
  }

  bool array(const VarDecl *V, const BoxOrNot &Found) {
    if (!Found.Box)
      return ofArray(V, Found.Not);
    const TileBox &Box = *Found.Box;
    for (const CopiedElement &E : Box.Elements)
      if (Message Not = whyNoElement(E, Box))
        return ofArray(V, std::move(Not));
    if (Message Not = otherUse(Facts, Box))
      return ofArray(V, std::move(Not));
    const int64_t Row = int64_t(Box.Columns) * Box.ElementBytes;
    const int64_t Pitch = Box.Rows > 1 ? Box.SharedPitch : Row;
    if (Row < ShortestCopy)
      return ofArray(V, {msg::bulk_rows_short, Row});
    if (Row % BulkPiece || Box.First % BulkPiece || Pitch % BulkPiece)
      return ofArray(V, {msg::bulk_row_bytes, Row});
    if (const VarDecl *Changed = changedIn(Box))
      return ofArray(V, {msg::bulk_place_changes, quoted(Changed)});
    if (!align(V))
      return ofArray(V, {msg::tma_declaration});
    if (!knownAligned(Box) && !askAligned(Box))
      return ofArray(V, {msg::remap_global_row});
    const int64_t Whole =
        Context.getTypeSizeInChars(V->getType()).getQuantity();
    if (Row * Box.Rows != Whole)
      Partly = V;
    Held.insert(Box.Items.begin(), Box.Items.end());
    Out.Arrays.push_back(V->getNameAsString());
    return rows(V, Box, Row);
  }

  /// Why the engine cannot do what a thread does for an element.
  Message whyNoElement(const CopiedElement &E, const TileBox &Box) const {
    const TileCopy &Copy = Loop.Copies[E.Copy];
    if (!E.Guards.empty() || Copy.Guard || !Box.Around.empty())
      return {msg::tma_guard};
    const QualType T = Copy.Dst->getType();
    if (T.isVolatileQualified() || Copy.Source->getType().isVolatileQualified())
      return {msg::copy_is_volatile};
    // It copies any number of bytes, wherever they are a thread's.
    const Message &Not = Copy.NotAsync;
    if (Not.is(msg::copies_one_byte) || Not.is(msg::copies_odd_size) ||
        Not.is(msg::copy_is_underaligned))
      return T.isTriviallyCopyableType(Context)
                 ? Message()
                 : Message(msg::copy_is_not_trivial);
    return Not;
  }

  /// A variable of a row's place that the loop's body changes: the next tile is
  /// asked for before that.
  const VarDecl *changedIn(const TileBox &Box) {
    llvm::SmallVector<unsigned, 8> Symbols{Box.Global.Base};
    for (const Polynomial *P : {&Box.Global.Bytes, &Box.Pitch})
      for (const auto &[Product, Factor] : P->Terms)
        Symbols.append(Product.begin(), Product.end());
    const VarDecl *Found = nullptr;
    for (unsigned S : Symbols)
      namesAny(Boxes.offsets().symbol(S).Text, [&](const VarDecl *V) {
        if (Facts.Body.Writes.count(V) && !Facts.Body.Declared.count(V))
          Found = V;
        return Found != nullptr;
      });
    return Found;
  }

  /// Threads copy 16 bytes at once: all that they copy is aligned.
  bool knownAligned(const TileBox &Box) const {
    return llvm::all_of(Box.Elements, [&](const CopiedElement &E) {
      const TileCopy &Copy = Loop.Copies[E.Copy];
      return Copy.Bytes % BulkPiece == 0 &&
             declaredAlignment(Copy.Source, Context) >= BulkPiece;
    });
  }

  bool askAligned(const TileBox &Box) {
    Asks = true;
    return Aligned.ask(Box.Global.Bytes, BulkPiece) &&
           (Box.Rows == 1 || Aligned.ask(Box.Pitch, BulkPiece)) &&
           Aligned.askPointer(Box.Global.Base, BulkPiece);
  }

  /// Rows begin at multiples of 16 bytes in shared memory, too.
  bool align(const VarDecl *V) {
    const auto *Shared = V->getAttr<CUDASharedAttr>();
    if (!Shared || isa<ParmVarDecl>(V) || V->hasExternalStorage())
      return false;
    if (Context.getDeclAlign(V).getQuantity() >= BulkPiece)
      return true;
    const llvm::StringRef Word = "__shared__";
    const unsigned At = Source.expansionOffset(Shared->getLocation());
    if (!Source.all().substr(At).starts_with(Word))
      return false;
    Text.Edits.insert({unsigned(At + Word.size()), 0, " __align__(16)"});
    return true;
  }

  /// `kpipe::load_row(As[1][0], &A[1LL * n + k0], 2048, full);`
  bool rows(const VarDecl *V, const TileBox &Box, int64_t RowBytes) {
    Count += Box.Rows;
    for (unsigned R = 0; R != Box.Rows && Count <= MostCopies; ++R) {
      if (!Wraps.hold(Box, R))
        return ofArray(V, {msg::tma_may_wrap});
      const auto From = add(Box.Global.Bytes, Box.Pitch, R);
      const auto There =
          From ? Places.global(Box.Global.Base, *From, Wraps.As) : std::nullopt;
      const auto Here = There
                            ? Places.shared(V, Box.First + R * Box.SharedPitch)
                            : std::nullopt;
      if (!Here)
        return ofArray(V, Places.Why ? Places.Why
                                     : Message(msg::box_global_place));
      Copies += lineMark(EngineText::Deeper) + "kpipe::load_row(" + *Here +
                ", " + *There + ", " + std::to_string(RowBytes) + ", " +
                Text.full() + ");";
      Bytes += RowBytes;
    }
    return true;
  }

  bool body() {
    if (Loop.BarrierFirst)
      return no({msg::tma_barrier_first});
    return Asks ? besideThreads() : alone();
  }

  bool alone() {
    // The barrier goes, which orders what else is done in front of it.
    for (unsigned I = *Held.begin(); Loop.Body[I].S != Loop.LoadBarrier; ++I)
      if (!Held.count(I) &&
          (!isa<DeclStmt>(Loop.Body[I].S) || !Facts.Items[I].isPure() ||
           Facts.Items[I].readsShared()))
        return no({msg::remap_apart});
    for (unsigned I : Held)
      if (!Text.replace(Loop.Body[I].S, I == *Held.begin()
                                            ? Text.issue(Bytes, Copies)
                                            : GoneMark.str()))
        return no(Text.Why);
    return (Text.replace(Loop.LoadBarrier, Text.wait()) && Text.inFront()) ||
           no(Text.Why);
  }

  /// The author's copies and their barrier stay, where rows are unaligned.
  bool besideThreads() {
    const unsigned First = *Held.begin();
    unsigned Last = First;
    while (Last != Loop.Body.size() && Held.count(Last))
      ++Last;
    if (Last == Loop.Body.size() || Loop.Body[Last].S != Loop.LoadBarrier ||
        Last - First != Held.size())
      return no({msg::bulk_apart});
    const auto Condition =
        alignedText(Facts, Boxes.offsets(), Aligned, Source, std::nullopt);
    if (!Condition)
      return no({msg::tma_names});
    const std::string Flag = Fresh.fresh("aligned");
    auto Edits = wrapped(Source, Loop.Body[First].S, Loop.LoadBarrier,
                         Text.issue(Bytes, Copies) + lineMark(0) + Text.wait() +
                             lineMark(0) + "if (!" + Flag + ") {");
    if (!Edits)
      return no({msg::remap_in_macro});
    Text.Edits.insert(Edits->begin(), Edits->end());
    return Text.inFront({"const bool " + Flag + " = " + *Condition + ";"}) ||
           no(Text.Why);
  }
};

} // namespace

TmaCopies copyInBulk(const LoopFacts &Facts, Extent3 Block) {
  return BulkWriter(Facts, Block).run();
}

} // namespace kpipe
