// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of lowered copies by itself: an asynchronous text beside a plain
// one that somebody else wrote, right or wrong. All cases are parsed together
// when the last of the tests has run.
#ifndef KPIPE_TEST_UNIT_LOWEREDFIXTURE_H
#define KPIPE_TEST_UNIT_LOWEREDFIXTURE_H

#include "Validation/Lowered/LoweredCode.h"
#include "kpipe/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace kpipe {

inline const char *const OutsideLowered = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__device__ inline unsigned number(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void cp16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::
                   "r"(number(to)), "l"(from));
}
__device__ inline void cp4(void *to, const void *from, bool keep) {
  int bytes = keep ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::
                   "r"(number(to)), "l"(from), "r"(bytes));
}
__device__ inline void cp4_if(bool p, void *to, const void *from) {
  asm volatile("{\n .reg .pred q;\n setp.ne.b32 q, %0, 0;\n"
               " @q cp.async.ca.shared.global [%1], [%2], 4;\n}\n" ::
                   "r"((int)p), "r"(number(to)), "l"(from));
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ inline void left() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
__device__ int count(int *of);
__device__ inline void some_bytes(void *to, const void *from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::
                   "r"(number(to)), "l"(from), "r"(bytes));
}
__device__ inline void half_of_bytes(void *to, const void *from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::
                   "r"(number(to)), "l"(from), "r"(bytes / 2));
}
__device__ inline void passes_on(void *to, const void *from, int bytes) {
  some_bytes(to, from, bytes);
}
__device__ inline void passes_low_on(void *to, const void *from,
                                     long long bytes) {
  some_bytes(to, from, bytes);
}
__device__ inline void passes_half_on(void *to, const void *from, int bytes) {
  some_bytes(to, from, bytes / 2);
}
template <bool All> __device__ inline void decided(void *to, const void *from) {
  if constexpr (All) {
    cp16(to, from);
  } else {
    __pipeline_memcpy_async(to, from, 4);
  }
}
__device__ inline void decided_by(bool all, void *to, const void *from) {
  if (all) cp16(to, from);
}
// In the lowered text the first two have plain copies, see plainFunctions().
__device__ inline void plain_rows(float *to, const float *from) {
  for (int r = 0; r < 2; ++r) cp16(to + r * 4, from + r * 4);
}
__device__ inline void plain_rows_that_waited(float *to, const float *from) {
  for (int r = 0; r < 2; ++r) cp16(to + r * 4, from + r * 4);
  commit();
  left<0>();
}
__device__ inline void async_rows(float *to, const float *from) {
  for (int r = 0; r < 2; ++r) cp16(to + r * 4, from + r * 4);
}
struct Ends {
  int *at;
  __device__ ~Ends() { ++*at; }
};
__device__ inline void init_bar(unsigned long long *bar, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::
                   "r"(number(bar)), "r"(count));
}
__device__ inline void arrive_noinc(unsigned long long *bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::
                   "r"(number(bar)));
}
__device__ inline void wait_for(unsigned long long *bar, unsigned parity) {
  asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p,"
               " [%0], %1; @!p bra again; }" ::"r"(number(bar)), "r"(parity));
}
__device__ inline void wait_elsewhere(unsigned long long *bar, unsigned parity) {
  asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p,"
               " [%0], %1; @!p bra other; }" ::"r"(number(bar)), "r"(parity));
}
__device__ inline bool ask(unsigned long long *bar, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1],"
               " %2; selp.u32 %0, 1, 0, p; }" : "=r"(done)
               : "r"(number(bar)), "r"(parity));
  return done;
}
__device__ inline void ask_once(unsigned long long *bar, unsigned parity) {
  ask(bar, parity);
}
#define COPY(to, from) do { cp16(to, from); commit(); } while (0)
)";

class LoweredMeaning : public ::testing::Test {
protected:
  struct Case {
    std::string Before, Author, Lowered;
    bool Same;
  };
  /// Of all tests: CUDA's headers are read once.
  static inline std::vector<Case> Cases;
  std::string Before;

  void same(const char *Author, const char *Lowered) {
    Cases.push_back({Before, Author, Lowered, true});
  }
  void other(const char *Author, const char *Lowered) {
    Cases.push_back({Before, Author, Lowered, false});
  }

  static std::unique_ptr<ParsedUnit> parsed(const std::vector<Case> &Cases,
                                            bool Lowered) {
    llvm::SmallString<128> Path;
    int Descriptor;
    if (llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor, Path))
      return nullptr;
    {
      llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
      OS << OutsideLowered;
      for (unsigned I = 0; I != Cases.size(); ++I)
        OS << "namespace c" << I << " {\n"
           << "__global__ void k(const float *x, float *y, int *at, int n) {\n"
              "__shared__ __align__(16) float s[1024], z[1024];\n"
              "int t = threadIdx.x, r = t / 8, c = t % 8;\n"
              "auto block = cg::this_thread_block();\n"
           << Cases[I].Before << "\nfor (int i = 0; i < n; i += 256) {\n"
           << (Lowered ? Cases[I].Lowered : Cases[I].Author)
           << "\n__syncthreads();\ny[t] += s[t ^ 1];\n__syncthreads();\n}\n"
              "}\n}\n";
    }
    auto Unit = llvm::cantFail(parseUnit(Path, "sm_86", {}));
    llvm::sys::fs::remove(Path);
    for (const ParseError &E : Unit->errors())
      ADD_FAILURE() << E.Message << " in line " << E.Where.Line;
    return Unit;
  }

  static std::vector<const clang::FunctionDecl *> kernels(ParsedUnit &Unit) {
    std::vector<const clang::FunctionDecl *> All;
    for (const clang::Decl *D :
         Unit.context().getTranslationUnitDecl()->noload_decls())
      if (const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(D);
          Space && Space->getName() == "c" + std::to_string(All.size()))
        for (const clang::Decl *One : Space->decls())
          if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(One))
            All.push_back(F);
    return All;
  }

  static PlainFunctions plainFunctions(ParsedUnit &Unit) {
    PlainFunctions Plain;
    for (const clang::Decl *D :
         Unit.context().getTranslationUnitDecl()->noload_decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->getIdentifier() && F->getName().starts_with("plain_rows"))
        Plain[F] = F->getName().ends_with("waited");
    return Plain;
  }

  static void TearDownTestSuite() {
    auto Author = parsed(Cases, false), Lowered = parsed(Cases, true);
    auto Old = kernels(*Author), New = kernels(*Lowered);
    ASSERT_EQ(Old.size(), Cases.size());
    ASSERT_EQ(New.size(), Cases.size());
    const PlainFunctions Plain = plainFunctions(*Author);
    ASSERT_EQ(Plain.size(), 2u);
    for (unsigned I = 0; I != Cases.size(); ++I) {
      auto A = treeOf(Old[I], Author->context()),
           L = treeOf(New[I], Lowered->context());
      LoweredCode Code =
          compareLowered(*A, Author->context(), *L, Lowered->context());
      const bool Same =
          !Code.Differs &&
          !waitThatIsMissed(*A, Author->context(), Code.Gone, Plain) &&
          !phaseThatIsMissed(*A, Author->context(), Code.Gone);
      EXPECT_EQ(Same, Cases[I].Same) << Cases[I].Author << "\n  as\n"
                                     << Cases[I].Lowered;
    }
  }
};

} // namespace kpipe

#endif
