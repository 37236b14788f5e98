// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which items of the body become a branch, and the condition. See Remap.h.
#include "Remap.h"
#include "AlignedText.h"
#include "Code/AstUtils.h"
#include "Emission/Names.h"
#include "OwnElements.h"
#include "PieceText.h"
#include "PlaceInFront.h"
#include "WrappedItems.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Steps of indentation that a branch adds.
constexpr int Deeper = 2;

/// How a buffer is copied in pieces.
struct CopiedPieces {
  unsigned Count = 0;
  std::string Declaration, Copy; ///< of one, statements
};

class Remapper {
public:
  Remapper(const LoopFacts &Facts, const KnownBlock &Block)
      : Facts(Facts), Loop(Facts.Tile), Context(Facts.In->context()),
        Block(*Block.Size), Certain(Block.Certain),
        Source(Context, Context.getSourceManager().getFileID(
                            Context.getSourceManager().getExpansionLoc(
                                Loop.Loop->getBeginLoc()))),
        Words(takenWords(Source)), Fresh(Words, Context.Idents, {}),
        Boxes(Facts, this->Block), Aligned(Facts, Boxes.offsets()) {}

  RemappedCopies run() {
    Out.File = Source.file();
    Names = {Fresh.fresh("piece"), Fresh.fresh("piece_row"),
             Fresh.fresh("piece_col")};
    Flag = Fresh.fresh("aligned");
    for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
      buffer(I);
    takeWholeRuns();
    if (Pieces.empty())
      return std::move(Out);
    for (const auto &[Buffer, Copies] : Pieces)
      Out.Arrays.push_back(Loop.Buffers[Buffer].Var->getNameAsString());
    Out.Whole = Pieces.size() == Loop.Buffers.size() && arePiecesEnough();
    const bool AllAligned = alignArrays();
    std::optional<std::string> Condition =
        alignedText(Facts, Boxes.offsets(), Aligned, Source,
                    Certain ? std::nullopt : std::optional(Block));
    if (!AllAligned || !Condition || !branches(*Condition)) {
      for (const std::string &Array : Out.Arrays)
        Out.Not.push_back({Array, {msg::remap_in_macro}});
      Out.Arrays.clear();
      Out.Edits.clear();
      Out.Whole = false;
    }
    return std::move(Out);
  }

private:
  const LoopFacts &Facts;
  const TileLoop &Loop;
  ASTContext &Context;
  const Extent3 Block;
  const bool Certain;
  const SourceText Source;
  const llvm::StringSet<> Words;
  kpipe::Names Fresh;
  TileBoxes Boxes;
  Alignments Aligned;
  PieceNames Names;
  std::string Flag;
  RemappedCopies Out;
  /// Of each buffer that is remapped.
  std::map<unsigned, CopiedPieces> Pieces;

  unsigned threads() const { return Block[0] * Block[1] * Block[2]; }

  void no(unsigned Buffer, Message Why) {
    Out.Not.push_back(
        {Loop.Buffers[Buffer].Var->getNameAsString(), std::move(Why)});
  }

  void buffer(unsigned I) {
    const BoxOrNot &Found = Boxes.All[I];
    if (!Found.Box)
      return no(I, Found.Not);
    const TileBox &Box = *Found.Box;
    if (Box.ElementBytes != 4 && Box.ElementBytes != 8)
      return no(I, {msg::remap_element_bytes, Box.ElementBytes});
    for (const CopiedElement &E : Box.Elements)
      if (Message Not = Loop.Copies[E.Copy].NotAsync)
        return no(I, std::move(Not));
    if (Message Not = otherUse(Facts, Box))
      return no(I, std::move(Not));
    Message Why = pieces(I, Box);
    // Rows that lie one behind the other are one row, which the author may
    // count row by row.
    for (unsigned Columns = Box.Columns / 2;
         Why && Box.Rows == 1 && Columns >= PieceText::Bytes / Box.ElementBytes;
         Columns /= 2)
      if (std::optional<TileBox> Cut = cutShorter(Box, Columns);
          Cut && !pieces(I, *Cut))
        Why = {};
    if (Why)
      no(I, std::move(Why));
  }

  /// Writes the copies of a buffer's box, or tells why there are none.
  Message pieces(unsigned I, const TileBox &Box) {
    PieceText Text(Facts, Boxes, Box, Source, Names);
    const std::string Copy = Text.statement();
    Alignments Before = Aligned;
    if (Copy.empty() || !Text.holds(Aligned)) {
      Aligned.restore(Before);
      return Text.Why;
    }
    Pieces[I] = {Text.pieces(), Text.declaration(), Copy};
    return {};
  }

  std::string loopOver(const CopiedPieces &Copied) const {
    std::string Thread = "threadIdx.x";
    if (Block[1] > 1)
      Thread = "threadIdx.y * " + std::to_string(Block[0]) + " + " + Thread;
    if (Block[2] > 1)
      Thread = "threadIdx.z * " + std::to_string(Block[0] * Block[1]) + " + " +
               Thread;
    return "for (int " + Names.Piece + " = " + Thread + "; " + Names.Piece +
           " < " + std::to_string(Copied.Count) + "; " + Names.Piece +
           " += " + std::to_string(threads()) + ") {" + lineMark(2 * Deeper) +
           Copied.Declaration + lineMark(2 * Deeper) + Copied.Copy +
           lineMark(Deeper) + "}";
  }

  /// Which buffers' copies an item holds; nothing where it holds others.
  std::optional<std::set<unsigned>> heldBy(unsigned Item) const {
    std::set<unsigned> All;
    for (const auto &[Buffer, Copies] : Pieces)
      if (llvm::is_contained(Boxes.All[Buffer].Box->Items, Item))
        All.insert(Buffer);
    for (const TileCopy &C : Loop.Copies)
      if (!Pieces.count(C.Buffer) &&
          !pathTo(C.Store, Loop.Body[Item].S).empty())
        return std::nullopt;
    return All;
  }

  /// Runs of neighbours that hold nothing but copies of boxes. A buffer's have to
  /// stand in one.
  std::vector<std::pair<unsigned, unsigned>> runs() const {
    std::vector<std::pair<unsigned, unsigned>> All;
    for (unsigned I = 0; I != Loop.Body.size(); ++I) {
      auto Held = heldBy(I);
      if (!Held || Held->empty())
        continue;
      if (!All.empty() && All.back().second == I)
        All.back().second = I + 1;
      else
        All.push_back({I, I + 1});
    }
    return All;
  }

  /// Has each thread a piece of each array, but for some that are a sixteenth of
  /// the tile or less, such as the weights of a filter beside its rows?
  bool arePiecesEnough() const {
    unsigned All = 0, OfFew = 0;
    for (const auto &[Buffer, Copies] : Pieces) {
      All += Copies.Count;
      OfFew += Copies.Count < threads() ? Copies.Count : 0;
    }
    return OfFew * 16 <= All;
  }

  /// Leaves out buffers whose copies are not all in one run.
  void takeWholeRuns() {
    for (bool Again = true; Again;) {
      Again = false;
      const auto Runs = runs();
      for (const auto &[Buffer, Copies] : Pieces) {
        const auto &Items = Boxes.All[Buffer].Box->Items;
        const bool InOne = llvm::any_of(Runs, [&](auto Run) {
          return llvm::all_of(Items, [&](unsigned I) {
            return Run.first <= I && I < Run.second;
          });
        });
        if (InOne)
          continue;
        no(Buffer, {msg::remap_apart});
        Pieces.erase(Buffer);
        Again = true;
        break;
      }
    }
  }

  /// Pieces are stored to places of their own alignment.
  bool alignArrays() {
    std::set<TextEdit> All;
    for (const auto &[Buffer, Copies] : Pieces) {
      const VarDecl *V = Loop.Buffers[Buffer].Var;
      if (V->hasExternalStorage())
        return false; // others declare it, too
      if (Context.getDeclAlign(V).getQuantity() >= PieceText::Bytes)
        continue;
      const auto *Shared = V->getAttr<CUDASharedAttr>();
      const llvm::StringRef Word = "__shared__";
      const unsigned At = Shared ? Source.expansionOffset(Shared->getLocation())
                                 : 0;
      if (!Source.all().substr(At).starts_with(Word))
        return false;
      All.insert({unsigned(At + Word.size()), 0, " __align__(16)"});
    }
    Out.Edits.assign(All.begin(), All.end());
    return true;
  }

  /// How much deeper the loop's line is than that of an offset.
  int deeperThan(unsigned Offset) const {
    return int(Source.indentation(Loop.Loop).size()) -
           int(Source.indentation(Offset).size());
  }

  bool branches(std::string Condition) {
    if (std::optional<unsigned> At = placeInFront(Facts, Source)) {
      Out.Edits.push_back({*At, 0,
                           lineMark(deeperThan(*At - 1)) + "const bool " +
                               Flag + " = " + Condition + ";"});
      Condition = Flag;
    }
    for (auto [First, End] : runs())
      if (!branch(First, End, Condition))
        return false;
    return true;
  }

  /// Both ways to copy what the items from First to End hold.
  bool branch(unsigned First, unsigned End, llvm::StringRef Condition) {
    const Stmt *From = Loop.Body[First].S, *To = Loop.Body[End - 1].S;
    std::string Head = "if (" + Condition.str() + ") {";
    for (const auto &[Buffer, Copies] : Pieces)
      if (llvm::any_of(Boxes.All[Buffer].Box->Items,
                       [&, First = First, End = End](unsigned I) {
                         return First <= I && I < End;
                       }))
        Head += lineMark(Deeper) + loopOver(Copies);
    auto Edits = wrapped(Source, From, To, Head + lineMark(0) + "} else {");
    if (!Edits)
      return false;
    Out.Edits.insert(Out.Edits.end(), Edits->begin(), Edits->end());
    return true;
  }
};

} // namespace

std::string boxesAsText(const LoopFacts &Facts, Extent3 Block) {
  TileBoxes Boxes(Facts, Block);
  return dumpBoxes(Facts, Boxes);
}

RemappedCopies remapCopies(const LoopFacts &Facts, const KnownBlock &Block) {
  return Remapper(Facts, Block).run();
}

} // namespace kpipe
