// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order validator by itself: loops are planned without asking the rules, so
// that nothing but it can object.
#ifndef KPIPE_TEST_UNIT_ORDERFIXTURE_H
#define KPIPE_TEST_UNIT_ORDERFIXTURE_H

#include "Recognition/Loops/Recognition.h"
#include "Validation/Order/OrderValidator.h"
#include "kpipe/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace kpipe {

/// A kernel with one loop, in parts.
struct Code {
  std::string Outside, Before;
  std::string Header = "int i = 0; i < n; i += T";
  std::string Load = "xs[threadIdx.x] = x[i + threadIdx.x];";
  std::string Compute = "sum += xs[threadIdx.x ^ 1];";
  std::string After;
  /// The loop has its second barrier first.
  bool BarrierFirst = false;
  /// Around the loop.
  std::string Open, Close;

  Code &outside(std::string S) { return Outside = std::move(S), *this; }
  Code &before(std::string S) { return Before = std::move(S), *this; }
  Code &header(std::string S) { return Header = std::move(S), *this; }
  Code &load(std::string S) { return Load = std::move(S), *this; }
  Code &compute(std::string S) { return Compute += std::move(S), *this; }
  Code &after(std::string S) { return After = std::move(S), *this; }
  Code &barrierFirst() { return BarrierFirst = true, *this; }
  Code &within(std::string A, std::string B) {
    return Open = std::move(A), Close = std::move(B), *this;
  }

  std::string loop() const {
    return Open + "for (" + Header + ") {\n" +
           (BarrierFirst ? "__syncthreads();\n" : "") + Load +
           "\n__syncthreads();\n" + Compute + "\n" +
           (BarrierFirst ? "" : "__syncthreads();\n") + "}\n" + Close;
  }
  std::string text() const {
    return "constexpr int T = 32;\n" + Outside +
           "\n__global__ void __launch_bounds__(T)\n"
           "k(const float *__restrict__ x, float *__restrict__ y, float *p,\n"
           "  float *q, int *limit, int n) {\n__shared__ float xs[T];\n"
           "__shared__ float zs[T];\nfloat sum = 0, t = 0;\n" +
           Before + "\n" + loop() + After + "\ny[threadIdx.x] = sum;\n}\n";
  }
};

struct Way {
  unsigned Stages = 2;
  Route Copies = Route::Registers;
  bool NoAlias = false;
  std::string Function = "k";
  /// The analysis says that a parameter is the array that a call names.
  bool GivenWhole = false;
  /// The analysis says that no variable has to be the load's own.
  bool NonePrivate = false;
};

/// Whatever part of an array a call gives, the whole is said to be given.
inline void claimGiven(TileLoop &Tile, const CodeIndex &Index) {
  for (StagedBuffer &B : Tile.Buffers) {
    const auto *P = llvm::dyn_cast<clang::ParmVarDecl>(B.Var);
    if (!P)
      continue;
    B.NoRing = {};
    B.Given.clear();
    for (const CodeIndex::Call &C : Index.callsOf(Tile.Function)) {
      const clang::Expr *E = C.At->getArg(P->getFunctionScopeIndex());
      while (const auto *A = llvm::dyn_cast<clang::ArraySubscriptExpr>(
                 E->IgnoreParenImpCasts()))
        E = A->getBase();
      const auto *D = llvm::cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts());
      const auto *Array = llvm::cast<clang::VarDecl>(D->getDecl());
      B.Given.push_back({C.At, C.In, Array});
      B.Bytes = Index.context()
                    .getTypeSizeInChars(Array->getType())
                    .getQuantity();
    }
  }
}

/// "kept"; the barriers that the output needs; or what is lost.
inline std::string verdict(clang::ASTContext &Context, const CallIndex &Calls,
                    const CodeIndex &Index, const clang::FunctionDecl *F,
                    const Way &W) {
  auto In = std::make_shared<Scope>(Context, F, &Calls);
  auto Loops = findCandidates(F, *In);
  if (Loops.size() != 1)
    return "not one loop";
  LoopFacts Facts = recognise(Loops.front(), In);
  if (!Facts.IsTileLoop)
    return "no tile loop: " + Facts.Obstacles.front().Why.str();
  PipelinePlan Plan;
  Plan.Buffers = W.Stages;
  for (unsigned I = 0; I != Facts.Tile.Copies.size(); ++I)
    Plan.Copies.push_back({W.Copies, {}});
  // What the analysis asks for is not believed.
  Facts.Tile.BarrierFirst = false;
  Facts.Tile.BarrierBefore = Facts.Tile.BarrierAfter = false;
  if (W.NonePrivate)
    Facts.Tile.PrivateToLoad.clear();
  if (W.GivenWhole)
    claimGiven(Facts.Tile, Index);
  OrderVerdict V = validateOrder(Facts.Tile, Plan, Index, W.NoAlias);
  if (V.Violation)
    return V.Violation->What.str();
  return V.BarrierBefore && V.BarrierAfter ? "before, after"
         : V.BarrierBefore                 ? "before"
         : V.BarrierAfter                  ? "after"
                                           : "kept";
}

/// What a test expects is collected and looked at in one parse.
class Order : public testing::Test {
protected:
  struct Case {
    std::string Text, Shown;
    std::vector<std::string> Wanted; ///< one of them is in the verdict
    Way W;
  };
  std::vector<Case> Cases;

  static std::string shown(const Code &C) {
    return C.Before + " | " + C.Open + " | " + C.Header + " | " + C.Load +
           " | " + C.Compute + " | " + C.Close + " | " + C.After;
  }
  void expectLost(const Code &C, const char *Said, Way W = {}) {
    Cases.push_back({C.text(), shown(C), {Said}, W});
  }
  void expectLost(const Code &C, Way W = {}) {
    Cases.push_back(
        {C.text(), shown(C),
         {"would run after", "would be lost", "not by the copies"}, W});
  }
  void expectIs(const char *Wanted, const Code &C, Way W = {}) {
    Cases.push_back({C.text(), shown(C), {"=" + std::string(Wanted)}, W});
  }

  void TearDown() override {
    llvm::SmallString<128> Path;
    int Descriptor;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor, Path));
    {
      llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
      for (unsigned I = 0; I != Cases.size(); ++I)
        OS << "namespace c" << I << " {\n" << Cases[I].Text << "}\n";
    }
    auto Unit = llvm::cantFail(parseUnit(Path, "sm_86", {}));
    llvm::sys::fs::remove(Path);
    for (const ParseError &E : Unit->errors())
      ADD_FAILURE() << E.Message << " in line " << E.Where.Line;
    clang::ASTContext &Context = Unit->context();
    CallIndex Calls = indexCalls(Context);
    CodeIndex Index(Context);
    unsigned Seen = 0;
    for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls()) {
      const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(D);
      unsigned I = 0;
      if (!Space || !Space->getName().starts_with("c") ||
          Space->getName().drop_front().getAsInteger(10, I))
        continue;
      for (const clang::Decl *One : Space->decls()) {
        const auto *F = llvm::dyn_cast<clang::FunctionDecl>(One);
        if (!F || !F->doesThisDeclarationHaveABody() ||
            F->getNameAsString() != Cases[I].W.Function)
          continue;
        ++Seen;
        std::string V = verdict(Context, Calls, Index, F, Cases[I].W);
        EXPECT_TRUE(llvm::any_of(Cases[I].Wanted,
                                 [&](const std::string &Wanted) {
                                   return Wanted[0] == '='
                                              ? V == Wanted.substr(1)
                                              : V.find(Wanted) != V.npos;
                                 }))
            << "CASE " << V << ", not " << Cases[I].Wanted.front() << ": "
            << Cases[I].Shown;
      }
    }
    EXPECT_EQ(Seen, Cases.size());
  }
};

} // namespace kpipe

#endif // KPIPE_TEST_UNIT_ORDERFIXTURE_H
