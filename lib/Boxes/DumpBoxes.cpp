// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes as text, for `--dump=boxes`.
#include "TileBox.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kpipe {

namespace {

class BoxWriter {
public:
  BoxWriter(const LoopFacts &Facts, TileBoxes &Boxes)
      : Loop(Facts.Tile), Context(Facts.In->context()), Boxes(Boxes), OS(Text) {
  }

  std::string run() {
    const SourceManager &SM = Context.getSourceManager();
    OS << "boxes " << Loop.Function->getQualifiedNameAsString() << ' '
       << SM.getExpansionLineNumber(Loop.Loop->getBeginLoc()) << '\n';
    for (unsigned I = 0; I != Loop.Buffers.size(); ++I) {
      OS << "  " << Loop.Buffers[I].Var->getName() << ": ";
      if (const auto &Box = Boxes.All[I].Box)
        box(*Box);
      else
        OS << "no box: " << Boxes.All[I].Not.str();
      OS << '\n';
    }
    return std::move(Text);
  }

private:
  const TileLoop &Loop;
  const ASTContext &Context;
  TileBoxes &Boxes;
  std::string Text;
  llvm::raw_string_ostream OS;

  void box(const TileBox &B) {
    OS << B.Rows << (B.Rows == 1 ? " row" : " rows") << " of " << B.Columns
       << " elements of " << B.ElementBytes << " bytes, shared " << B.First;
    if (B.Rows > 1)
      OS << " + " << B.SharedPitch << " r";
    OS << ", global " << nameOf(B.Global.Base) << " + " << text(B.Global.Bytes);
    if (B.Rows > 1)
      OS << " + (" << text(B.Pitch) << ") r";
    for (const GuardTest &G : B.at(0, 0).Guards)
      OS << ", where " << text(G.L) << (G.Op == BO_LT ? " < " : " <= ")
         << text(G.R);
  }

  std::string nameOf(unsigned S) const {
    const BlockSymbol &Symbol = Boxes.offsets().symbol(S);
    if (Symbol.Var)
      return Symbol.Var->getNameAsString();
    const SourceManager &SM = Context.getSourceManager();
    return Lexer::getSourceText(
               SM.getExpansionRange(Symbol.Text->getSourceRange()), SM,
               Context.getLangOpts())
        .str();
  }

  std::string text(const Polynomial &P) const {
    if (P.Terms.empty())
      return "0";
    std::string Sum;
    for (const auto &[Product, Factor] : P.Terms) {
      std::string Term =
          Factor == 1 && !Product.empty() ? "" : std::to_string(Factor);
      for (unsigned S : Product)
        Term += (Term.empty() ? "" : " ") + nameOf(S);
      Sum += (Sum.empty() ? "" : " + ") + Term;
    }
    return Sum;
  }
};

} // namespace

std::string dumpBoxes(const LoopFacts &Facts, TileBoxes &Boxes) {
  return BoxWriter(Facts, Boxes).run();
}

} // namespace kpipe
