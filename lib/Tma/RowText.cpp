// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowText.h. The author's threads have computed the same number of that
// very element; in between they may have had others, so that no sum here is one
// of 32 bits.
#include "RowText.h"
#include "Code/AstUtils.h"
#include "TileSource.h"

using namespace clang;

namespace kpipe {

std::optional<std::string> RowText::shared(const VarDecl *Array,
                                           uint64_t Bytes) {
  const ASTContext &Context = Facts.In->context();
  std::string Text = Array->getNameAsString();
  QualType T = Array->getType();
  while (const auto *A = Context.getAsConstantArrayType(T)) {
    T = A->getElementType();
    const uint64_t Size = Context.getTypeSizeInChars(T).getQuantity();
    Text += "[" + std::to_string(Bytes / Size) + "]";
    Bytes %= Size;
  }
  return Bytes ? no({msg::box_shared_place}) : std::optional(std::move(Text));
}

std::optional<std::string>
RowText::global(unsigned Base, const Polynomial &Bytes, llvm::StringRef As) {
  const BlockSymbol &Of = At.symbol(Base);
  QualType T = Of.Var ? Of.Var->getType() : Of.Text->getType();
  T = T.getNonReferenceType();
  const auto *Array = T->getAsArrayTypeUnsafe();
  T = Array ? Array->getElementType() : T->getPointeeType();
  if (T.isNull() || T->isArrayType() || !hasSize(T))
    return no({msg::bulk_base});
  const int64_t Size = Facts.In->context().getTypeSizeInChars(T).getQuantity();
  Polynomial Elements;
  for (const auto &[Product, Factor] : Bytes.Terms) {
    if (!Size || Factor % Size)
      return no({msg::bulk_base});
    Elements.Terms[Product] = Factor / Size;
  }
  const auto Name = symbolText(Facts, At, Source, Base);
  const auto Index = index(Elements);
  if (!Name || !Index)
    return no({msg::tma_names});
  if (!As.empty())
    return "&" + *Name + "[(" + As.str() + ")(" + *Index + ")]";
  return "&" + *Name + "[" + *Index + "]";
}

std::optional<std::string> RowText::index(const Polynomial &Elements) {
  struct Term {
    std::string Names;
    int64_t Factor;
    unsigned Symbols;
  };
  std::vector<Term> Terms; // products first, a number last
  for (const auto &[Product, Factor] : Elements.Terms) {
    Term One{"", Factor, unsigned(Product.size())};
    for (unsigned S : Product) {
      const auto Text = symbolText(Facts, At, Source, S);
      if (!Text)
        return std::nullopt;
      One.Names += (One.Names.empty() ? "" : " * ") + *Text;
    }
    Terms.push_back(std::move(One));
  }
  auto IsProduct = [](const Term &T) {
    return T.Symbols > 1 || (T.Symbols == 1 && T.Factor != 1 && T.Factor != -1);
  };
  std::stable_sort(Terms.begin(), Terms.end(), [&](auto &A, auto &B) {
    return std::pair(A.Symbols == 0, !IsProduct(A)) <
           std::pair(B.Symbols == 0, !IsProduct(B));
  });
  std::string Sum;
  for (const Term &T : Terms) {
    const bool First = Sum.empty();
    const std::string Size =
        std::to_string(T.Factor < 0 ? -uint64_t(T.Factor) : uint64_t(T.Factor));
    Sum += First ? (T.Factor < 0 ? "-" : "") : T.Factor < 0 ? " - " : " + ";
    if (!T.Symbols)
      Sum += Size + (First ? "" : "LL");
    else if (IsProduct(T) || T.Factor < 0 || (First && Terms.size() > 2) ||
             (First && Terms.size() == 2 && Terms[1].Symbols))
      Sum += Size + "LL * " + T.Names;
    else
      Sum += T.Names;
  }
  return Sum.empty() ? "0" : Sum;
}

} // namespace kpipe
