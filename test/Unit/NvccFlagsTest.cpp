// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option of nvcc: what it becomes, or that it is dropped with exactly the
// arguments that are its own.
#include "Frontend/NvccFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

std::vector<std::string> words(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, ' ', -1, /*KeepEmpty=*/false);
  return {Parts.begin(), Parts.end()};
}

TranslatedFlags translate(llvm::StringRef Line) {
  return llvm::cantFail(translateNvccFlags(words(Line), ""));
}

std::string flags(llvm::StringRef Line) {
  return llvm::join(translate(Line).Flags, " ");
}

std::string unknown(llvm::StringRef Line) {
  return llvm::join(translate(Line).Unknown, " ");
}

std::string code(llvm::StringRef Line) {
  return llvm::join(translate(Line).Code, " ");
}

// What decides the code goes to nvcc as it was written.
TEST(Code, InNvccsWords) {
  for (const char *Same :
       {"-maxrregcount 64", "-maxrregcount=64", "--maxrregcount=64",
        "-use_fast_math", "--fmad=false", "-ftz true", "-Xptxas -O2,-v",
        "--extra-device-vectorization", "-rdc=true", "--extended-lambda", "-G",
        "-Werror all-warnings", "-ccbin g++-12", "-w"})
    EXPECT_EQ(code(Same), Same);
  EXPECT_EQ(code("-dc x.cu"), "-rdc=true");
  EXPECT_EQ(code("--device-c"), "-rdc=true");
  EXPECT_EQ(code("-DX -Iy -std=c++17 -O2 -lineinfo -arch=sm_80 -o x -c x.cu"),
            "");
}

struct FlagsCase {
  const char *Nvcc, *Clang;
};

class Translated : public testing::TestWithParam<FlagsCase> {};

TEST_P(Translated, ToClang) {
  EXPECT_EQ(flags(GetParam().Nvcc), GetParam().Clang);
  EXPECT_EQ(unknown(GetParam().Nvcc), "");
}

const FlagsCase Cases[] = {
    {"-DX=1", "-DX=1"},
    {"-D X=1", "-DX=1"},
    {"-D=X", "-DX"},
    {"--define-macro=X", "-DX"},
    {"--define-macro X", "-DX"},
    {"-UX", "-UX"},
    {"--undefine-macro X", "-UX"},
    {"-Iinclude", "-I include"},
    {"-I=include", "-I include"},
    {"-I include", "-I include"},
    {"--include-path=a,b", "-I a -I b"},
    {"-isystem=/usr/x", "-isystem /usr/x"},
    {"-isystem /usr/x", "-isystem /usr/x"},
    {"--system-include x", "-isystem x"},
    {"-include a.h", "-include a.h"},
    {"--pre-include=a.h,b.h", "-include a.h -include b.h"},
    {"-std=c++17", "-std=c++17"},
    {"--std c++20", "-std=c++20"},
    {"-O3", "-O3"},
    {"-O 2", "-O2"},
    {"--optimize=1", "-O1"},
    {"--optimize 1", "-O1"},
    {"-rdc=true", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"--relocatable-device-code true", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"-rdc=false", ""},
    {"-dc", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"--device-c", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"--expt-relaxed-constexpr", "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"-expt-relaxed-constexpr", "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"--extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"-extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"--expt-extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"--default-stream per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
    {"-default-stream=legacy", ""},
    {"-w", "-w"},
    {"--disable-warnings", "-w"},
    {"-ftemplate-depth 99", "-ftemplate-depth=99"},
    {"--ftemplate-depth=99", "-ftemplate-depth=99"},
    {"--no-exceptions", "-fno-exceptions"},
    {"-noeh", "-fno-exceptions"},
    {"-G", "-D__CUDACC_DEBUG__"},
    {"--device-debug", "-D__CUDACC_DEBUG__"},
    // Of the host compiler's flags, what changes how the text reads.
    {"-Xcompiler -fPIC,-Wall", ""},
    {"-Xcompiler=-DX,-Iinclude", "-D X -I include"},
    {"--compiler-options -O2,-std=c++17", "-std=c++17"},
    {"--compiler-options=-UX", "-U X"},
    {"-Xcompiler -include -Xcompiler a.h", "-include a.h"},
    {"-forward-unknown-to-host-compiler -fopenmp -march=native", ""},
    {"--forward-unknown-opts -iquote dir", "-iquote dir"},
};
INSTANTIATE_TEST_SUITE_P(NvccFlags, Translated, testing::ValuesIn(Cases));

class Dropped : public testing::TestWithParam<const char *> {};

/// Nothing of it stays, and what follows it is not taken for its argument.
TEST_P(Dropped, Alone) {
  EXPECT_EQ(flags(std::string(GetParam()) + " -DX"), "-DX");
  EXPECT_EQ(unknown(std::string(GetParam()) + " -DX"), "");
}

const char *const Switches[] = {
    "--cuda", "-cuda", "--cubin", "-cubin", "--fatbin", "-fatbin", "--ptx",
    "-ptx", "--optix-ir", "-optix-ir", "--ltoir", "-ltoir", "--preprocess",
    "-E", "--generate-dependencies", "-M", "--generate-nonsystem-dependencies",
    "-MM", "--generate-dependencies-with-compile", "-MD",
    "--generate-nonsystem-dependencies-with-compile", "-MMD",
    "--generate-dependency-targets", "-MP", "--compile", "-c", "--device-w",
    "-dw", "--device-link", "-dlink", "--link", "-link", "--lib", "-lib",
    "--run", "-run", "--objdir-as-tempdir", "-objtemp", "--shared", "-shared",
    "--relocatable-link", "-r", "--no-device-link", "-nodlink",
    "--clean-targets", "-clean", "--help", "-h", "--version", "-V", "--verbose",
    "-v", "--dryrun", "-dryrun", "--list-gpu-code", "-code-ls",
    "--list-gpu-arch", "-arch-ls", "--keep", "-keep", "--save-temps",
    "-save-temps", "--fdevice-syntax-only", "-fdevice-syntax-only",
    "--jobserver", "-jobserver", "--dont-use-profile", "-noprof",
    "--use-local-env", "-use-local-env", "--force-cl-env-setup",
    "-force-cl-env-setup", "--no-align-double", "--m64", "-m64",
    "--allow-unsupported-compiler", "-allow-unsupported-compiler",
    "--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker",
    "--augment-host-linker-script", "-aug-hls", "--profile", "-pg", "--debug",
    "-g", "--generate-line-info", "-lineinfo", "--dlink-time-opt", "-dlto",
    "--lto", "-lto", "--gen-opt-lto", "-gen-opt-lto",
    "--no-host-device-initializer-list", "-nohdinitlist",
    "--no-host-device-move-forward", "-nohdmoveforward", "--use_fast_math",
    "-use_fast_math", "--extra-device-vectorization",
    "-extra-device-vectorization", "--keep-device-functions",
    "-keep-device-functions", "--source-in-ptx", "-src-in-ptx", "--restrict",
    "-restrict", "--extensible-whole-program", "-ewp", "--no-compress",
    "-no-compress", "--compile-as-tools-patch", "-astoolspatch",
    "--relocatable-ptx", "-reloc-ptx", "--resource-usage", "-res-usage",
    "--Wreorder", "-Wreorder", "--Wdefault-stream-launch",
    "-Wdefault-stream-launch", "--Wmissing-launch-bounds",
    "-Wmissing-launch-bounds", "--Wext-lambda-captures-this",
    "-Wext-lambda-captures-this", "--Wno-deprecated-declarations",
    "-Wno-deprecated-declarations", "--Wno-deprecated-gpu-targets",
    "-Wno-deprecated-gpu-targets", "--display-error-number", "-err-no",
    "--no-display-error-number", "-no-err-no", "kernel.cu"};
INSTANTIATE_TEST_SUITE_P(Switches, Dropped, testing::ValuesIn(Switches));

class DroppedWithValue : public testing::TestWithParam<const char *> {};

TEST_P(DroppedWithValue, SeparateAndJoined) {
  std::string Option = GetParam();
  for (const char *Between : {" ", "="}) {
    EXPECT_EQ(flags(Option + Between + "value -DX"), "-DX");
    EXPECT_EQ(unknown(Option + Between + "value -DX"), "");
  }
}

const char *const WithValues[] = {
    "--x", "--dependency-output", "-MF", "--dependency-target-name", "-MT",
    "--output-file", "--output-directory", "-odir", "--run-args", "-run-args",
    "--threads", "--split-compile", "-split-compile",
    "--split-compile-extended", "-split-compile-extended", "--keep-dir",
    "-keep-dir", "--time", "-time", "--fdevice-time-trace",
    "-fdevice-time-trace", "--drive-prefix", "-dp", "--input-drive-prefix",
    "-idp", "--dependency-drive-prefix", "-ddp", "--gpu-architecture", "-arch",
    "--gpu-code", "-code", "--generate-code", "-gencode", "--machine",
    "--linker-options", "-Xlinker", "--archive-options", "-Xarchive",
    "--ptxas-options", "-Xptxas", "--nvlink-options", "-Xnvlink",
    "--cudafe-options", "-Xcudafe", "--fatbin-options", "-Xfatbin",
    "--compiler-bindir", "-ccbin", "--archiver-binary", "-arbin", "--library",
    "--library-path", "--cudart", "-cudart", "--cudadevrt", "-cudadevrt",
    "--libdevice-directory", "-ldir", "--target-directory", "-target-dir",
    "--host-linker-script", "-hls", "--optimization-info", "-opt-info",
    "--Ofast-compile", "-Ofc", "--dopt", "-dopt",
    "--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit",
    "--static-global-template-stub", "-static-global-template-stub",
    "--device-entity-has-hidden-visibility",
    "-device-entity-has-hidden-visibility", "--entries", "-e",
    "--maxrregcount", "-maxrregcount", "--ftz", "-ftz", "--prec-div",
    "-prec-div", "--prec-sqrt", "-prec-sqrt", "--fmad", "-fmad",
    "--compress-mode", "-compress-mode", "--qpp-config", "-qpp-config",
    "--jump-table-density", "-jtd", "--device-stack-protector",
    "-device-stack-protector", "--frandom-seed", "-frandom-seed", "--sanitize",
    "-sanitize", "--Werror", "-Werror", "--diag-error", "-diag-error",
    "--diag-suppress", "-diag-suppress", "--diag-warn", "-diag-warn",
    "--brief-diagnostics", "-brief-diag",
    // Options of one letter.
    "-x", "-o", "-t", "-m", "-l", "-L"};
INSTANTIATE_TEST_SUITE_P(WithValues, DroppedWithValue,
                         testing::ValuesIn(WithValues));

TEST(NvccFlags, WhatLooksAlikeIsKeptApart) {
  EXPECT_EQ(flags("-lineinfo -lfoo -use_fast_math -odir=x -optf= -o x -DY"),
            "-DY");
  EXPECT_EQ(flags("-G -DX"), "-D__CUDACC_DEBUG__ -DX");
  EXPECT_EQ(flags("-Werror all-warnings -DX"), "-DX");
}

TEST(NvccFlags, WhatIsUnknownIsNamed) {
  EXPECT_EQ(unknown("-nonsense -DX --made-up=1"), "-nonsense --made-up=1");
  EXPECT_EQ(flags("-nonsense -DX"), "-DX");
}

TEST(NvccFlags, ACMakeLine) {
  EXPECT_EQ(
      flags("-forward-unknown-to-host-compiler -DNAME=1 -I/src/include "
            "-isystem=/opt/x -O3 -DNDEBUG -std=c++17 "
            "--generate-code=arch=compute_86,code=[compute_86,sm_86] "
            "-Xcompiler=-fPIC -fopenmp -x cu -rdc=true -c /src/k.cu -o k.o"),
      "-DNAME=1 -I /src/include -isystem /opt/x -O3 -DNDEBUG -std=c++17 "
      "-fgpu-rdc -D__CUDACC_RDC__");
}

TEST(NvccFlags, FilesOfOptions) {
  llvm::SmallString<128> Folder, File;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kpipe", Folder));
  File = Folder;
  File += "/flags.rsp";
  {
    std::error_code Failed;
    llvm::raw_fd_ostream OS(File, Failed);
    ASSERT_FALSE(Failed);
    OS << "-DA=\"two words\"\n-I include\n";
  }
  for (std::string Spelled : {"--options-file=", "-optf="}) {
    auto Found = translateNvccFlags({Spelled + "flags.rsp", "-DB"}, Folder);
    ASSERT_TRUE(bool(Found));
    EXPECT_EQ(llvm::join(Found->Flags, "|"), "-DA=two words|-I|include|-DB");
  }
  auto None = translateNvccFlags({"-optf", "none.rsp"}, Folder);
  ASSERT_FALSE(bool(None));
  EXPECT_NE(llvm::toString(None.takeError()).find("none.rsp: file of options"),
            std::string::npos);
  llvm::sys::fs::remove(File);
  llvm::sys::fs::remove(Folder);
}

TEST(NvccFlags, WhoseFlagsTheyAre) {
  for (const char *Nvcc : {"-arch=sm_86", "-gencode", "-rdc=true",
                           "--expt-relaxed-constexpr", "-lineinfo",
                           "-use_fast_math", "--generate-code=x", "-dc"})
    EXPECT_TRUE(isNvccOnly(Nvcc)) << Nvcc;
  for (const char *Both : {"-DX", "-Iinclude", "-std=c++17", "-O3", "-isystem",
                           "--cuda-path=/x", "-fPIC", "x.cu"})
    EXPECT_FALSE(isNvccOnly(Both)) << Both;
  EXPECT_TRUE(isNvcc("/usr/local/cuda/bin/nvcc"));
  EXPECT_FALSE(isNvcc("clang++-22"));
}

} // namespace
