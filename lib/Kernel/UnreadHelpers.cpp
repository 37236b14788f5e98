// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that conditions on the architecture hold and the loop's function does
// not, see UnreadText.h: each pass has its own, but only one of them clones.
#include "Code/AstUtils.h"
#include "FileTokens.h"
#include "Support/RawNames.h"
#include "UnreadText.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

std::optional<Obstacle>
UnreadText::helperObstacle(const LoopFacts &Facts) const {
  for (const TileCopy &C : Facts.Tile.Copies) {
    if (!C.Helper)
      continue;
    const FunctionDecl *W = written(C.Helper);
    const auto [File, At] =
        SM.getDecomposedLoc(SM.getExpansionLoc(W->getEndLoc()));
    const auto Stretches = Varying.find(File);
    if (Stretches == Varying.end() ||
        llvm::none_of(Stretches->second, [&, At = At](const auto &S) {
          return S.first <= At && At < S.second;
        }))
      continue;
    const auto [Own, Loop] =
        SM.getDecomposedLoc(SM.getExpansionLoc(Facts.Tile.Loop->getBeginLoc()));
    if (Own == File && At < Loop && !endsBefore(File, At, Loop))
      continue;
    return Obstacle{RuleId::Preprocessor,
                    W->getLocation(),
                    {msg::helper_under_condition, C.Helper->getNameAsString()},
                    {}};
  }
  return std::nullopt;
}

/// Does a branch of a conditional that is open at From end before To?
bool UnreadText::endsBefore(FileID File, unsigned From, unsigned To) const {
  bool Hash = false, Ends = false;
  int Open = 0;
  eachToken(Context, File, From, To, [&](const Token &T) {
    const bool Directive = Hash && T.is(tok::raw_identifier);
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
    if (!Directive)
      return;
    const llvm::StringRef Name = rawName(T, Context);
    Open += Name.starts_with("if") ? 1 : Name == "endif" ? -1 : 0;
    Ends |= Open < 0 || (Open == 0 && Name.starts_with("el"));
  });
  return Ends;
}

} // namespace kpipe
