// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of an address, divided by those of a row. See TileSource.h.
#include "TileSource.h"
#include "Code/AstUtils.h"
#include "FitsInt.h"
#include "NotNegative.h"
#include "Remap/AlignedText.h"
#include "Remap/Alignments.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// What the copy engine relies on, of the matrix and of its rows.
static constexpr unsigned RowAlignment = 16;

std::optional<TileSource> TileSources::of(const TileBox &Box,
                                          unsigned ElementBytes) {
  Why = {};
  TileSource Out;
  BlockAddress From = Box.Global;
  At.Narrow = Box.Elements.front().Narrow;
  if (Box.Rows < 2)
    fail({msg::tma_one_row});
  else if (follow(From) && divide(From.Bytes, Box.Pitch, ElementBytes, Out) &&
           isAligned(Out, ElementBytes) && notNegative(Out.Row) &&
           notNegative(Out.Column) && fitInts(Out, Box, ElementBytes)) {
    Out.Base = cast<ParmVarDecl>(At.symbol(From.Base).Var);
    return Out;
  }
  return std::nullopt;
}

/// From pointers that were made in front of the loop to a parameter.
bool TileSources::follow(BlockAddress &From) {
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    const VarDecl *V = At.symbol(From.Base).Var;
    if (V && isa<ParmVarDecl>(V))
      return At.values().unchanged(V) || fail({msg::tma_base, quoted(V)});
    auto Before = At.initialPlace(From.Base);
    auto Bytes = Before ? add(From.Bytes, Before->Bytes) : std::nullopt;
    if (!Bytes)
      return fail(V ? Message(msg::tma_base, quoted(V))
                    : Message(msg::tma_no_parameter));
    From = {Before->Base, std::move(*Bytes)};
  }
  return fail({msg::tma_no_parameter});
}

/// P in terms that a launch knows.
std::optional<Polynomial> TileSources::ofParameters(const Polynomial &P,
                                                    unsigned Depth) {
  if (Depth == 8)
    return std::nullopt;
  Polynomial Sum;
  for (const auto &[Product, Factor] : P.Terms) {
    std::optional<Polynomial> Term = Polynomial::number(Factor);
    for (unsigned S : Product) {
      const VarDecl *V = At.symbol(S).Var;
      std::optional<Polynomial> Known;
      if (V && isa<ParmVarDecl>(V) && At.values().unchanged(V))
        Known = Polynomial::symbol(S);
      else if (auto Before = At.initialNumber(S))
        Known = ofParameters(*Before, Depth + 1);
      Term = Known && Term ? multiply(*Term, *Known) : std::nullopt;
    }
    auto Next = Term ? add(Sum, *Term) : std::nullopt;
    if (!Next)
      return std::nullopt;
    Sum = std::move(*Next);
  }
  return Sum;
}

/// Is Part among the factors of Whole? Rest has the others.
static bool isFactor(const Polynomial::Product &Part,
                     const Polynomial::Product &Whole,
                     Polynomial::Product &Rest) {
  Rest = Whole;
  for (unsigned S : Part) {
    auto Found = llvm::find(Rest, S);
    if (Found == Rest.end())
      return false;
    Rest.erase(Found);
  }
  return true;
}

/// Bytes = Row * Pitch + Column.
bool TileSources::divide(const Polynomial &Bytes, const Polynomial &Pitch,
                         unsigned ElementBytes, TileSource &Into) {
  if (Pitch.Terms.size() != 1)
    return fail({msg::tma_pitch});
  const auto &[Length, PerRow] = *Pitch.Terms.begin();
  if (PerRow <= 0 || PerRow % ElementBytes)
    return fail({msg::tma_pitch});
  Polynomial InElements;
  InElements.Terms[Length] = PerRow / ElementBytes;
  auto Known = ofParameters(InElements);
  if (!Known)
    return fail({msg::tma_pitch});
  Into.Pitch = std::move(*Known);
  for (const auto &[Product, Factor] : Bytes.Terms) {
    Polynomial::Product Rest;
    if (isFactor(Length, Product, Rest) && Factor % PerRow == 0)
      Into.Row.Terms[Rest] = Factor / PerRow;
    else if (Factor % ElementBytes == 0)
      Into.Column.Terms[Product] = Factor / ElementBytes;
    else
      return fail({msg::tma_place});
  }
  return true;
}

/// Threads copy 16 bytes at once, so that all that they copy is aligned, from
/// row to row as well. What the column adds is a multiple: so the matrix begins
/// at one.
bool TileSources::isAligned(const TileSource &Of, unsigned ElementBytes) {
  Alignments Asked(Facts, At);
  auto Bytes = multiply(Of.Column, Polynomial::number(ElementBytes));
  return (Bytes && Asked.ask(*Bytes, RowAlignment) &&
          Asked.numbers().empty()) ||
         fail({msg::tma_alignment});
}

bool TileSources::notNegative(const Polynomial &P) {
  NotNegative Sign(Facts, At.values());
  for (const auto &[Product, Factor] : P.Terms)
    if (Factor < 0 || !llvm::all_of(Product, [&](unsigned S) {
          const BlockSymbol &Of = At.symbol(S);
          return Of.Var ? Sign.has(Of.Var) : Sign.has(Of.Text);
        }))
      return fail({msg::tma_negative});
  return true;
}

/// The copy engine counts rows and columns as int.
bool TileSources::fitInts(const TileSource &Of, const TileBox &Box,
                          unsigned ElementBytes) {
  FitsInt Fits(Facts.In->context(), At, At.Narrow);
  const unsigned Columns = Box.Columns * Box.ElementBytes / ElementBytes;
  return (Fits.has(Of.Row, Box.Rows, Box.Pitch.Terms.begin()->first) &&
          Fits.has(Of.Column, Columns)) ||
         fail({msg::tma_wide_index});
}

std::string sumText(const Polynomial &P,
                    llvm::function_ref<std::string(unsigned)> Named,
                    bool Wide) {
  std::string Sum;
  // A number comes last.
  for (bool Number : {false, true})
    for (const auto &[Product, Factor] : P.Terms) {
      if (Product.empty() != Number)
        continue;
      std::string Term = Wide && !Number ? "1LL" : "";
      for (unsigned S : Product)
        Term += (Term.empty() ? "" : " * ") + Named(S);
      const uint64_t Size = Factor < 0 ? -uint64_t(Factor) : uint64_t(Factor);
      if (Product.empty() || Size != 1)
        Term += (Term.empty() ? "" : " * ") + std::to_string(Size);
      if (Sum.empty())
        Sum = (Factor < 0 ? "-" : "") + Term;
      else
        Sum += (Factor < 0 ? " - " : " + ") + Term;
    }
  return Sum.empty() ? "0" : Sum;
}

std::optional<std::string> symbolText(const LoopFacts &Facts, Offsets &At,
                                      const SourceText &Source, unsigned S) {
  const BlockSymbol &Of = At.symbol(S);
  auto Twice = [&](const VarDecl *V) { return isDeclaredTwice(Facts, V); };
  if (Of.Var)
    return Twice(Of.Var) ? std::nullopt
                         : std::optional(Of.Var->getNameAsString());
  std::string Text = Source.text(Of.Text);
  if (Text.empty() || namesAny(Of.Text, Twice))
    return std::nullopt;
  return isa<DeclRefExpr, MemberExpr, PseudoObjectExpr>(
             Of.Text->IgnoreParenImpCasts())
             ? Text
             : "(" + Text + ")";
}

std::optional<std::string> TileSources::text(const Polynomial &P) {
  bool Good = true;
  std::string Sum = sumText(P, [&](unsigned S) {
    auto Text = symbolText(Facts, At, Source, S);
    Good &= Text.has_value();
    return Text.value_or("");
  });
  return Good ? std::optional(std::move(Sum)) : std::nullopt;
}

} // namespace kpipe
