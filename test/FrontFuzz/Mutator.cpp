// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token here is a word, a run of blanks or one other byte: enough to keep
// names and numbers whole, and good for any of the input's languages.
#include "Mutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe::fuzz {
namespace {

size_t below(size_t Limit, std::minstd_rand &Random) {
  return Limit ? Random() % Limit : 0;
}

std::string unescape(llvm::StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    unsigned Byte = 0;
    if (Text.consume_front("\\x")) {
      Text.take_front(2).getAsInteger(16, Byte);
      Text = Text.drop_front(std::min<size_t>(2, Text.size()));
      Out += char(Byte);
      continue;
    }
    if (Text.size() > 1)
      Text.consume_front("\\");
    Out += Text.front();
    Text = Text.drop_front();
  }
  return Out;
}

bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

std::vector<llvm::StringRef> tokens(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Tokens;
  while (!Text.empty()) {
    size_t Size = 1;
    if (isWord(Text.front()))
      Size = Text.take_while(isWord).size();
    else if (llvm::isSpace(Text.front()))
      Size = Text.take_while(llvm::isSpace).size();
    Tokens.push_back(Text.take_front(Size));
    Text = Text.drop_front(Size);
  }
  return Tokens;
}

std::vector<llvm::StringRef> lines(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Lines;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Lines.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Lines;
}

std::string join(llvm::ArrayRef<llvm::StringRef> Parts) {
  std::string Text;
  for (llvm::StringRef Part : Parts)
    Text += Part;
  return Text;
}

/// Deletes, doubles, moves or swaps Parts.
void shuffle(std::vector<llvm::StringRef> &Parts, std::minstd_rand &Random) {
  if (Parts.empty())
    return;
  size_t A = below(Parts.size(), Random), B = below(Parts.size(), Random);
  size_t Count = 1 + below(3, Random);
  auto End = [&](size_t From) {
    return Parts.begin() + std::min(From + Count, Parts.size());
  };
  switch (below(4, Random)) {
  case 0:
    Parts.erase(Parts.begin() + A, End(A));
    break;
  case 1: {
    std::vector<llvm::StringRef> Taken(Parts.begin() + A, End(A));
    Parts.insert(Parts.begin() + B, Taken.begin(), Taken.end());
    break;
  }
  case 2:
    std::swap(Parts[A], Parts[B]);
    break;
  case 3:
    Parts[A] = Parts[B];
    break;
  }
}

} // namespace

Mutator::Mutator(llvm::StringRef Dictionary) {
  for (llvm::StringRef Line : llvm::split(Dictionary, '\n')) {
    Line = Line.trim();
    if (Line.consume_front("\"") && Line.consume_back("\""))
      Words.push_back(unescape(Line));
  }
}

void Mutator::addSeed(llvm::StringRef Seed) {
  for (llvm::StringRef Line : lines(Seed))
    Lines.push_back(Line.str());
}

void Mutator::changeOnce(std::string &Text, std::minstd_rand &Random) const {
  std::string Copy = Text;
  unsigned Way = below(16, Random);
  if (Way < 3) { // lines of the input
    std::vector<llvm::StringRef> Parts = lines(Copy);
    shuffle(Parts, Random);
    Text = join(Parts);
  } else if (Way < 5 && !Lines.empty()) { // a line of a seed
    std::vector<llvm::StringRef> Parts = lines(Copy);
    const std::string &Line = Lines[below(Lines.size(), Random)];
    Parts.insert(Parts.begin() + below(Parts.size() + 1, Random), Line);
    Text = join(Parts);
  } else if (Way < 9) { // tokens of the input
    std::vector<llvm::StringRef> Parts = tokens(Copy);
    shuffle(Parts, Random);
    Text = join(Parts);
  } else if (Way < 14 && !Words.empty()) { // a word of the dictionary
    std::vector<llvm::StringRef> Parts = tokens(Copy);
    const std::string &Word = Words[below(Words.size(), Random)];
    size_t At = below(Parts.size() + 1, Random);
    if (At < Parts.size() && below(2, Random))
      Parts[At] = Word;
    else
      Parts.insert(Parts.begin() + At, Word);
    Text = join(Parts);
  } else if (!Text.empty()) { // a byte
    size_t At = below(Text.size(), Random);
    if (below(4, Random) == 0)
      Text.erase(At, 1 + below(8, Random));
    else
      Text[At] ^= char(1u << below(8, Random));
  }
}

std::string Mutator::mutate(llvm::StringRef Input,
                            std::minstd_rand &Random) const {
  std::string Text = Input.str();
  // Mostly one: few inputs with several changes still hold a K-loop.
  for (int Changes = 0; Changes == 0 || (Changes < 4 && below(2, Random));
       ++Changes)
    changeOnce(Text, Random);
  return Text;
}

} // namespace kpipe::fuzz
