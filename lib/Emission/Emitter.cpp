// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of one unit, one after the other, see kpipe/Emission.h: which can be
// emitted at all, and names that no two of them take for different things.
#include "PipelineWriter.h"
#include "kpipe/Refusal.h"
#include "kpipe/RuntimeText.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace kpipe {

char InternalError::ID = 0;

InternalError takeInternalError(llvm::Error Why) {
  std::optional<InternalError> Found;
  llvm::handleAllErrors(std::move(Why), [&](InternalError &E) {
    Found.emplace(std::move(E.What));
  });
  return std::move(*Found);
}

/// A word of the primitives' text that is a macro in the unit, which would
/// change what they are.
static std::string macroInRuntime(llvm::ArrayRef<std::string> Primitives,
                                  const ASTContext &Context) {
  for (const std::string &P : Primitives) {
    std::string Code; // conditions ask for macros
    for (llvm::StringRef Line : llvm::split(runtimeText(P), '\n'))
      if (!Line.ltrim().starts_with("#"))
        Code += (Line + "\n").str();
    for (const auto &Word : identifiersOf(Code, Context.getLangOpts()))
      // Reserved names are CUDA's own, and those inside the primitives.
      if (!Word.first().starts_with("_") && !Word.first().starts_with("cuda") &&
          // Clang's own headers define it for a while.
          (Word.first() == "dim3"
               ? Context.Idents.get(Word.first()).hasMacroDefinition()
               : Context.Idents.get(Word.first()).hadMacroDefinition()))
        return Word.first().str();
  }
  return {};
}

/// Does all that is taken apart stand in the file, with none of it included?
static bool standsIn(FileID ID, const TileLoop &Loop, const SourceManager &SM) {
  auto In = [&](SourceRange R) {
    SourceRange Whole = SM.getExpansionRange(R).getAsRange();
    return SM.getFileID(Whole.getBegin()) == ID &&
           SM.getFileID(Whole.getEnd()) == ID;
  };
  auto InOrNone = [&](const Stmt *S) {
    return !S || In(S->getSourceRange());
  };
  return In(Loop.Loop->getSourceRange()) && InOrNone(Loop.Init) &&
         InOrNone(Loop.Cond) &&
         llvm::all_of(Loop.HeaderVars,
                      [&](const HeaderVar &V) { return InOrNone(V.Update); }) &&
         llvm::all_of(Loop.Loop->children(), InOrNone) &&
         llvm::all_of(Loop.Body,
                      [&](const BodyItem &I) { return InOrNone(I.S); });
}

llvm::Expected<EmittedLoop> Emitter::emit(const TileLoop &Loop,
                                          const PipelinePlan &Plan) {
  const SourceManager &SM = Context.getSourceManager();
  FileID ID = SM.getFileID(SM.getExpansionLoc(Loop.Loop->getBeginLoc()));
  if (!standsIn(ID, Loop, SM))
    return cannotMove(msg::loop_text_in_two_files);
  SourceText Source(Context, ID);
  auto [It, New] = Files.try_emplace(ID);
  File &Known = It->second;
  if (New)
    Known.Words = takenWords(Source);

  // Another loop of the function may stand in the same block, or in one inside.
  llvm::StringSet<> Taken;
  const unsigned At = Source.expansionOffset(Loop.Loop->getBeginLoc());
  auto &Beside =
      Known.Beside[Source.expansionOffset(Loop.Function->getBeginLoc())];
  for (const auto &[Other, Names] : Beside)
    if (Other != At)
      Taken.insert_range(Names);
  for (;;) {
    auto E = writePipeline(Loop, Plan, Source,
                           Names(Known.Words, Context.Idents, Taken));
    if (!E)
      return E;
    bool Clash = false;
    for (const EmittedClone &C : E->Clones)
      for (const std::string &Name : C.Names) {
        auto Other = Clones.find(Name);
        Clash |= Other != Clones.end() &&
                 Other->second != std::make_pair(ID, C.Text);
      }
    for (const EmittedClone &C : E->Clones)
      for (const std::string &Name : C.Names)
        if (Clash)
          Taken.insert(Name);
        else
          Clones.try_emplace(Name, ID, C.Text);
    if (Clash)
      continue;
    if (std::string Macro = macroInRuntime(E->Primitives, Context);
        !Macro.empty())
      return cannotMove(msg::macro_in_runtime, Macro);
    Beside[At] = E->Beside;
    return E;
  }
}

} // namespace kpipe
