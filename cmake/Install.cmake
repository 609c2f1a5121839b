# What `cmake --install` does: the program, its configurations and pages, and where POSENC_BUNDLE_LIBTORCH asks for it the
# libraries of LibTorch beside them. Include it after find_package(LibTorch) and add_executable(posenc).
include(GNUInstallDirs)
option(POSENC_BUNDLE_LIBTORCH "cmake --install also copies what posenc needs of LibTorch (460 MB, CPU only)" OFF)
if(POSENC_BUNDLE_LIBTORCH AND LibTorch_CUDA)
  message(FATAL_ERROR "POSENC_BUNDLE_LIBTORCH=ON copies LibTorch for the CPU alone, since CUDA's libraries load others that no "
                      "file names. Add -DPOSENC_CUDA=OFF, or leave LibTorch where it is.")
endif()

# A folder of its own, so that no other program of the prefix meets LibTorch's libgomp.
set(_bundle "${CMAKE_INSTALL_LIBDIR}/posenc")
file(RELATIVE_PATH _to_bundle "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/posenc")
# An installed program looks for LibTorch beside itself, then where it was built against; never in the build folder.
set(_rpath "$ORIGIN/${_to_bundle}")
if(NOT POSENC_BUNDLE_LIBTORCH)
  list(APPEND _rpath "$ORIGIN/../lib" "$ORIGIN/../torch/lib" "${LibTorch_DIR_USED}/lib")
endif()
set_target_properties(posenc PROPERTIES INSTALL_RPATH "${_rpath}")

install(TARGETS posenc RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY configs/ DESTINATION "${CMAKE_INSTALL_DATADIR}/posenc/configs" FILES_MATCHING PATTERN "*.toml")
install(FILES LICENSE README.md THIRD-PARTY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}") # the README links to them

if(POSENC_BUNDLE_LIBTORCH)
  configure_file(cmake/BundleLibTorch.cmake.in BundleLibTorch.cmake @ONLY)
  install(SCRIPT "${PROJECT_BINARY_DIR}/BundleLibTorch.cmake")
else()
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${LibTorch_DIR_USED}" _in_sources)
  set(_where "")
  if(_in_sources)
    set(_where ", which is part of the source tree")
  endif()
  install(CODE "message(STATUS \"The installed posenc loads LibTorch from ${LibTorch_DIR_USED}/lib${_where}: keep that folder, \
or configure with -DPOSENC_BUNDLE_LIBTORCH=ON, which installs its libraries as well (460 MB).\")")
endif()
