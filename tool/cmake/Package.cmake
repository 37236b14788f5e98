# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cpack -G DEB: a package of what `cmake --install` installs. Portable, it needs
# nothing; else the LLVM that it was built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The kpipe developers <kpipe@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "software pipelining of CUDA kernels, from source to source")
set(CPACK_PACKAGE_DESCRIPTION
"kpipe finds tiled load / __syncthreads / compute loops in CUDA files and
 gives back source in which the next tile is loaded while this one is
 computed: right, or refused with the reason.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, cmake")
if(NOT KPIPE_PORTABLE) # libraries, and headers of the compiler's own
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-22-dev")
endif()
include(CPack)
