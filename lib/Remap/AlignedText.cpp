// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AlignedText.h.
#include "AlignedText.h"
#include "Code/AstUtils.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct Declared : ConstDynamicRecursiveASTVisitor {
  explicit Declared(const VarDecl *V) : V(V) {}
  const VarDecl *V;
  bool Another = false;
  bool VisitVarDecl(const VarDecl *D) override {
    Another |= D != V && D->getDeclName() == V->getDeclName();
    return true;
  }
};

} // namespace

bool isDeclaredTwice(const LoopFacts &Facts, const VarDecl *V) {
  Declared Others(V);
  Others.TraverseStmt(Facts.Tile.Function->getBody());
  return Others.Another ||
         llvm::any_of(Facts.Tile.Function->parameters(), [&](const auto *P) {
           return P != V && P->getDeclName() == V->getDeclName();
         });
}

std::optional<std::string> alignedText(const LoopFacts &Facts, Offsets &At,
                                       const Alignments &Of,
                                       const SourceText &Source,
                                       std::optional<Extent3> Block) {
  std::set<std::string> Parts; // the same for all instances of a template
  bool Good = true;
  auto TextOf = [&](unsigned Symbol) {
    const BlockSymbol &S = At.symbol(Symbol);
    if (S.Var) {
      Good &= !isDeclaredTwice(Facts, S.Var);
      return S.Var->getNameAsString();
    }
    Good &= !namesAny(S.Text, [&](const VarDecl *V) {
      return isDeclaredTwice(Facts, V);
    });
    std::string Text = Source.text(S.Text);
    Good &= !Text.empty();
    return isa<DeclRefExpr, MemberExpr>(S.Text->IgnoreParenImpCasts())
               ? Text
               : "(" + Text + ")";
  };
  for (auto [Symbol, Bytes] : Of.pointers())
    Parts.insert("(size_t)" + TextOf(Symbol) + " % " + std::to_string(Bytes) +
                 " == 0");
  for (auto [Symbol, Step] : Of.numbers())
    Parts.insert(TextOf(Symbol) + " % " + std::to_string(Step) + " == 0");
  if (!Good)
    return std::nullopt;
  std::string Text;
  auto Add = [&](const std::string &Part) {
    Text += (Text.empty() ? "" : " && ") + Part;
  };
  llvm::for_each(Parts, Add);
  for (unsigned Axis = 0; Block && Axis != 3; ++Axis)
    Add(std::string("blockDim.") + "xyz"[Axis] +
        " == " + std::to_string((*Block)[Axis]));
  return Text;
}

} // namespace kpipe
