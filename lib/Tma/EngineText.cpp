// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EngineText.h.
#include "EngineText.h"
#include "Code/AstUtils.h"
#include "OtherWrites.h"
#include "Remap/PlaceInFront.h"
#include "kpipe/TextMarks.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Message whyNotByEngine(const LoopFacts &Facts) {
  const TileLoop &Loop = Facts.Tile;
  if (Loop.Bulk || Loop.Matrix)
    return {msg::tma_bulk_already};
  if (Loop.Kind != LoopKind::For)
    return {msg::tma_no_for};
  if (Loop.LeftBefore)
    return {msg::box_threads_left};
  if (!Loop.LoadBarrier)
    return {msg::remap_no_barrier};
  return writesBefore(Facts);
}

std::string EngineText::firstThread() const {
  std::string Text = "threadIdx.x == 0";
  for (unsigned Axis : {1, 2})
    if (Block[Axis] > 1)
      Text += std::string(" && threadIdx.") + "xyz"[Axis] + " == 0";
  return Text;
}

/// `(k0 / BK) & 1` where the loop counts from 0; else a bit of its own.
void EngineText::findParity() {
  const auto *D = dyn_cast_or_null<DeclStmt>(Loop.Init);
  for (const HeaderVar &H : Loop.HeaderVars) {
    if (!D || !llvm::is_contained(D->decls(), H.Var) || !H.Var->hasInit() ||
        constantValue(H.Var->getInit(), Facts.In->context()) != 0)
      continue;
    const std::string Name = H.Var->getNameAsString();
    const auto *U = dyn_cast<UnaryOperator>(H.Update->IgnoreParens());
    const auto *B = dyn_cast<BinaryOperator>(H.Update->IgnoreParens());
    if (U && U->isIncrementOp()) {
      Parity = Name + " & 1";
      return;
    }
    const auto Step = B && B->getOpcode() == BO_AddAssign
                          ? constantValue(B->getRHS(), Facts.In->context())
                          : std::nullopt;
    const auto *By = Step ? B->getRHS()->IgnoreParenImpCasts() : nullptr;
    if (Step && *Step > 0 && *Step <= 1 << 20 &&
        isa<DeclRefExpr, IntegerLiteral>(By) && !Source.text(By).empty()) {
      Parity = Name + " / " + Source.text(By) + " & 1";
      return;
    }
  }
  HasBit = true;
  Parity = Fresh.fresh("parity");
}

std::string EngineText::issue(uint64_t Bytes, llvm::StringRef Copies) const {
  return "if (" + firstThread() + ") {" + lineMark(Deeper) +
         "kpipe::expect_tile(" + Full + ", " + std::to_string(Bytes) + ");" +
         Copies.str() + lineMark(0) + "}";
}

std::string EngineText::wait() const {
  return "kpipe::wait_full(" + Full + ", " + Parity + ");" +
         (HasBit ? lineMark(0) + Parity + " ^= 1;" : "");
}

bool EngineText::replace(const Stmt *S, std::string By) {
  if (S->getBeginLoc().isMacroID() || S->getEndLoc().isMacroID())
    return no({msg::remap_in_macro});
  const Range R = Source.statement(S);
  // Lines stay where they are.
  size_t Lines = Source.at(R).count('\n');
  if (Source.at(R).starts_with("#") && Lines-- != 0)
    By = GoneMark.str() + "\n" + Source.indentation(S).str() + By;
  for (; Lines != 0; --Lines)
    By += "\n" + GoneMark.str();
  Edits.insert({R.Begin, R.size(), std::move(By)});
  return true;
}

bool EngineText::inFront(llvm::ArrayRef<std::string> Also) {
  const std::optional<unsigned> At = placeInFront(Facts, Source);
  if (!At)
    return no({msg::tma_no_place});
  const int More = deeperThan(*At - 1);
  const std::string Line = lineMark(More), In = lineMark(More + int(Deeper));
  std::string Others;
  for (const std::string &One : Also)
    Others += Line + One;
  Edits.insert({*At, 0,
                Others + Line + "__shared__ unsigned long long " + Full + ";" +
                    Line + "if (" + firstThread() + ") {" + In +
                    "kpipe::init_full(" + Full + ");" + In +
                    "kpipe::fence_proxy_async();" + Line + "}" + Line +
                    "__syncthreads();" +
                    (HasBit ? Line + "unsigned " + Parity + " = 0;" : "")});
  return true;
}

/// How much deeper the loop's line is than that of an offset.
int EngineText::deeperThan(unsigned Offset) const {
  return int(Source.indentation(Loop.Loop).size()) -
         int(Source.indentation(Offset).size());
}

} // namespace kpipe
