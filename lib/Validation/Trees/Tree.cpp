// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees as text: a line for each node, parents first. It must not know Clang.
#include "Tree.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

namespace {

constexpr char Between = '\x1f';

void field(llvm::StringRef Value, std::string &Text) {
  for (char C : Value)
    Text += C == '\n' || C == Between ? ' ' : C;
  Text += Between;
}

} // namespace

std::unique_ptr<Tree> nodeOf(const Tree &T) {
  auto New = std::make_unique<Tree>();
  New->Kind = T.Kind;
  New->Label = T.Label;
  New->Type = T.Type;
  New->Local = T.Local;
  New->Name = T.Name;
  New->Origin = T.Origin;
  New->Of = T.Of;
  return New;
}

void writeTree(const Tree &T, std::string &Text) {
  Text += std::to_string(T.Kids.size()) + Between;
  Text += std::to_string(T.Local) + Between;
  field(T.Kind, Text);
  field(T.Label, Text);
  field(T.Type, Text);
  field(T.Name, Text);
  Text += '\n';
  for (const std::unique_ptr<Tree> &Kid : T.Kids)
    writeTree(*Kid, Text);
}

std::unique_ptr<Tree> readTree(llvm::StringRef &Text) {
  auto [Line, Rest] = Text.split('\n');
  if (Line.empty())
    return nullptr;
  Text = Rest;
  llvm::SmallVector<llvm::StringRef, 8> Fields;
  Line.split(Fields, Between);
  unsigned Kids = 0;
  auto T = std::make_unique<Tree>();
  if (Fields.size() < 6 || Fields[0].getAsInteger(10, Kids) ||
      Fields[1].getAsInteger(10, T->Local))
    return nullptr;
  T->Kind = Fields[2].str();
  T->Label = Fields[3].str();
  T->Type = Fields[4].str();
  T->Name = Fields[5].str();
  for (unsigned I = 0; I != Kids; ++I) {
    T->Kids.push_back(readTree(Text));
    if (!T->Kids.back())
      return nullptr;
  }
  return T;
}

} // namespace kpipe
