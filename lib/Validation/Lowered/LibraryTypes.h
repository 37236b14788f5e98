// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the types of the toolkit's classes and pointers say of a copy. Private
// to the validation.
#ifndef KPIPE_LIB_VALIDATION_LIBRARYTYPES_H
#define KPIPE_LIB_VALIDATION_LIBRARYTYPES_H

#include "Validation/Trees/Addresses.h"

namespace kpipe {

/// \returns the toolkit's class that \p T is, refers to or points to.
const clang::CXXRecordDecl *recordOf(clang::QualType T);

/// Whether \p T is an object of the toolkit's class of that name.
bool isClass(const Tree &T, llvm::StringRef Name);

/// \returns the template argument of a function or a class, if it is a number.
std::optional<int64_t> templateNumber(const clang::Decl *D, unsigned N);

/// \returns the alignment in bytes of what \p Pointer points to, before it
/// became a pointer to anything.
unsigned alignmentOf(const Tree &Pointer, const Frame &F);

/// \param Alignment becomes that of `cuda::aligned_size_t<16>(n)` if that is
/// more.
/// \returns the number in it, or the number itself.
const Tree *sizeIn(const Tree &Size, const Frame &F, unsigned &Alignment);

/// `cg::this_thread()`: a group without others.
bool isOneThread(const Tree &Group);

/// Bytes of what a pointer points to; 0 where they are not known.
unsigned pointeeSize(const Tree &Pointer, const Frame &F);

/// The group that an expression is, by its spelling in the outermost function:
/// a parameter is what it was given, and a copy what it is a copy of.
std::string groupOf(const Tree &Group, const Frame &F);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_LIBRARYTYPES_H
