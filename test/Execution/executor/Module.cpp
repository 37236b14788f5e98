// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading, and the symbol table of shared arrays. See Module.h.
#include "Module.h"

#include <algorithm>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kpipe::exec;

Module *Module::Loading = nullptr;

bool Module::load(const std::string &ThePath, std::string &Error) {
  Path = ThePath;
  Loading = this;
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  Loading = nullptr;
  if (!Handle) {
    Error = dlerror();
    return false;
  }
  link_map *Map = nullptr;
  dlinfo(Handle, RTLD_DI_LINKMAP, &Map);
  LoadBase = reinterpret_cast<const char *>(Map->l_addr);
  return readSymbols(Error);
}

// "_ZZ4gemmPKfE2As" -> "As": what stands after the last "::", without the
// number that tells equal names of one function apart.
static std::string arrayName(const char *Symbol) {
  int Status = 0;
  char *Demangled = abi::__cxa_demangle(Symbol, nullptr, nullptr, &Status);
  std::string Name = Status == 0 ? Demangled : Symbol;
  std::free(Demangled);
  std::size_t At = Name.rfind("::");
  if (At != std::string::npos)
    Name = Name.substr(At + 2);
  return Name.substr(0, Name.find_first_of(" ([."));
}

bool Module::readSymbols(std::string &Error) {
  int File = open(Path.c_str(), O_RDONLY);
  struct stat Info {};
  if (File < 0 || fstat(File, &Info) != 0) {
    Error = "cannot read " + Path;
    return false;
  }
  void *Mapped = mmap(nullptr, std::size_t(Info.st_size), PROT_READ,
                      MAP_PRIVATE, File, 0);
  close(File);
  if (Mapped == MAP_FAILED) {
    Error = "cannot map " + Path;
    return false;
  }
  const char *Bytes = static_cast<const char *>(Mapped);
  const auto *Header = reinterpret_cast<const Elf64_Ehdr *>(Bytes);
  const auto *Sections =
      reinterpret_cast<const Elf64_Shdr *>(Bytes + Header->e_shoff);
  std::size_t Begin = std::size_t(SharedBegin - LoadBase);
  std::size_t End = std::size_t(SharedEnd - LoadBase);
  for (unsigned I = 0; I < Header->e_shnum; ++I) {
    if (Sections[I].sh_type != SHT_SYMTAB)
      continue;
    const char *Names = Bytes + Sections[Sections[I].sh_link].sh_offset;
    const auto *Symbols =
        reinterpret_cast<const Elf64_Sym *>(Bytes + Sections[I].sh_offset);
    for (std::size_t S = 0; S < Sections[I].sh_size / sizeof(Elf64_Sym); ++S) {
      const Elf64_Sym &Symbol = Symbols[S];
      if (Symbol.st_value < Begin || Symbol.st_value >= End ||
          ELF64_ST_TYPE(Symbol.st_info) != STT_OBJECT)
        continue;
      std::string Name = arrayName(Names + Symbol.st_name);
      if (Name.rfind("kx_red_zone", 0) == 0)
        continue;
      Arrays.push_back({Name, Symbol.st_value - Begin, Symbol.st_size,
                        Name == "kx_dynamic_shared"});
    }
  }
  munmap(Mapped, std::size_t(Info.st_size));
  std::sort(Arrays.begin(), Arrays.end(),
            [](const SharedArray &A, const SharedArray &B) {
              return A.Offset < B.Offset;
            });
  if (Arrays.size() >= 0xFFFF) {
    Error = Path + " has too many shared arrays";
    return false;
  }
  return true;
}
