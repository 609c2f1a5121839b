# posenc::fmt, for code that does not use torch: the fmt headers that LibTorch carries, and nothing else of LibTorch.
# LibTorch's include folder holds its own fmt, which shadows a system's fmt of another release in every file that includes
# torch. One program must not mix two releases, so all of posenc takes LibTorch's, header-only.
# Include it after find_package(LibTorch).
include_guard(GLOBAL)

add_library(posenc_fmt INTERFACE)
add_library(posenc::fmt ALIAS posenc_fmt)
if(EXISTS "${LibTorch_DIR_USED}/include/fmt/format.h")
  # The version in the path makes ninja rebuild when another LibTorch is chosen.
  set(_fmt_include "${PROJECT_BINARY_DIR}/fmt-include/${LibTorch_VERSION}")
  file(MAKE_DIRECTORY "${_fmt_include}")
  file(CREATE_LINK "${LibTorch_DIR_USED}/include/fmt" "${_fmt_include}/fmt" SYMBOLIC)
  target_include_directories(posenc_fmt SYSTEM INTERFACE "${_fmt_include}")
  target_compile_definitions(posenc_fmt INTERFACE FMT_HEADER_ONLY=1)
else()
  find_package(fmt REQUIRED)
  target_link_libraries(posenc_fmt INTERFACE fmt::fmt-header-only)
endif()
