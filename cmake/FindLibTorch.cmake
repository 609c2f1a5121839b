# LibTorch without the wheel's TorchConfig.cmake, which stops at configure time where no CUDA toolkit is installed.
#
# Target      LibTorch::LibTorch   torch_cpu and c10, with the CUDA half where POSENC_CUDA allows it
# Variables   LibTorch_FOUND, LibTorch_VERSION, LibTorch_DIR_USED, LibTorch_CUDA
# Options     POSENC_TORCH_DIR     an unpacked LibTorch, or the torch folder of a wheel (also read from the environment)
#             POSENC_CUDA          AUTO (the CUDA half if it is there and can be loaded), ON (required), OFF (never)
#
# Order: POSENC_TORCH_DIR, then what scripts/setup.sh installed, then the torch of the python3 on PATH. System folders are
# not searched, so that a distribution's older libtorch is never picked up by accident.

set(_lt_minimum 2.6)
set(_lt_golden 2.11.0)
set(POSENC_TORCH_DIR "" CACHE PATH "An unpacked LibTorch, or the torch folder of a wheel")
if(NOT POSENC_TORCH_DIR AND NOT "$ENV{POSENC_TORCH_DIR}" STREQUAL "") # kept, for when the build system runs cmake again
  set_property(CACHE POSENC_TORCH_DIR PROPERTY VALUE "$ENV{POSENC_TORCH_DIR}")
endif()
set(POSENC_CUDA AUTO CACHE STRING "Link LibTorch's CUDA half: AUTO, ON or OFF")
set_property(CACHE POSENC_CUDA PROPERTY STRINGS AUTO ON OFF)
string(TOUPPER "${POSENC_CUDA}" _lt_want_cuda)
if(NOT _lt_want_cuda MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "POSENC_CUDA is '${POSENC_CUDA}'; it takes AUTO, ON or OFF.")
endif()

# What a folder lacks to be a LibTorch, as readable text; empty if nothing.
function(_lt_missing dir out)
  set(missing "")
  if(NOT IS_DIRECTORY "${dir}")
    set(missing "the folder itself")
  else()
    foreach(file IN ITEMS include/ATen/ATen.h include/c10/util/Type.h include/torch/csrc/api/include/torch/torch.h
                          lib/libc10.so lib/libtorch_cpu.so)
      if(NOT EXISTS "${dir}/${file}")
        list(APPEND missing "${file}")
      endif()
    endforeach()
  endif()
  list(JOIN missing ", " missing)
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# From the headers, since these are what posenc is compiled with; the other two files serve releases that lack them.
function(_lt_version dir out)
  set(version "")
  foreach(header IN ITEMS include/torch/headeronly/version.h include/torch/csrc/api/include/torch/version.h)
    if(NOT version AND EXISTS "${dir}/${header}")
      file(STRINGS "${dir}/${header}" lines REGEX "^#define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
      list(JOIN lines "." lines)
      if(lines MATCHES "MAJOR +([0-9]+).*MINOR +([0-9]+).*PATCH +([0-9]+)")
        set(version "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
      endif()
    endif()
  endforeach()
  foreach(file IN ITEMS version.py build-version)
    if(NOT version AND EXISTS "${dir}/${file}")
      file(STRINGS "${dir}/${file}" lines REGEX "[0-9]+\\.[0-9]+\\.[0-9]+")
      string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${lines}")
    endif()
  endforeach()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# The shared libraries that the loader does not find for a library, as readable text; empty if it can be loaded. This
# machine's loader knows nothing of another processor's libraries, so that it is not asked when cross-compiling.
function(_lt_unresolved library out)
  set(unresolved "")
  find_program(LibTorch_LDD ldd)
  mark_as_advanced(LibTorch_LDD)
  if(LibTorch_LDD AND NOT CMAKE_CROSSCOMPILING)
    execute_process(COMMAND "${LibTorch_LDD}" "${library}" OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
    string(REGEX MATCHALL "[^ \t\n]+ => not found" unresolved "${output}")
    list(TRANSFORM unresolved REPLACE " => not found" "")
    list(REMOVE_DUPLICATES unresolved)
    list(JOIN unresolved ", " unresolved)
    if(NOT code EQUAL 0 AND NOT unresolved)
      string(STRIP "${output}${errors}" unresolved)
    endif()
  endif()
  set(${out} "${unresolved}" PARENT_SCOPE)
endfunction()

set(_lt_advice "Run scripts/setup.sh, or set POSENC_TORCH_DIR to an unpacked LibTorch ${_lt_golden} or a wheel's torch folder.")
set(_lt_dir "")
set(_lt_rejected "")
if(POSENC_TORCH_DIR)
  file(REAL_PATH "${POSENC_TORCH_DIR}" _lt_dir BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" EXPAND_TILDE)
  _lt_missing("${_lt_dir}" _lt_lacks)
  if(_lt_lacks)
    set(_lt_hint "")
    foreach(_lt_sub IN ITEMS torch libtorch)
      _lt_missing("${_lt_dir}/${_lt_sub}" _lt_sub_lacks)
      if(NOT _lt_sub_lacks)
        set(_lt_hint "\nIts folder '${_lt_sub}' is one: POSENC_TORCH_DIR=${_lt_dir}/${_lt_sub}")
      endif()
    endforeach()
    message(FATAL_ERROR "POSENC_TORCH_DIR=${POSENC_TORCH_DIR} is no LibTorch. Missing: ${_lt_lacks}.${_lt_hint}")
  endif()
else()
  foreach(_lt_place IN ITEMS installed python)
    set(_lt_candidate "${PROJECT_SOURCE_DIR}/.libtorch/current/torch")
    if(_lt_place STREQUAL python AND NOT _lt_dir)
      execute_process(
        COMMAND python3 -c
                "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
        OUTPUT_VARIABLE _lt_candidate OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(NOT _lt_dir AND _lt_candidate AND EXISTS "${_lt_candidate}")
      file(REAL_PATH "${_lt_candidate}" _lt_candidate)
      _lt_missing("${_lt_candidate}" _lt_lacks)
      _lt_version("${_lt_candidate}" _lt_candidate_version)
      if(_lt_lacks)
        string(APPEND _lt_rejected "\n${_lt_candidate} is incomplete. Missing: ${_lt_lacks}.")
      elseif(_lt_candidate_version VERSION_LESS _lt_minimum)
        string(APPEND _lt_rejected "\n${_lt_candidate} is ${_lt_candidate_version}; posenc needs ${_lt_minimum} or later.")
      else()
        set(_lt_dir "${_lt_candidate}")
      endif()
    endif()
  endforeach()
endif()
if(NOT _lt_dir)
  if(EXISTS /usr/include/torch/csrc/api/include/torch/version.h)
    _lt_version(/usr _lt_system_version)
    string(APPEND _lt_rejected "\nThe system's own LibTorch (${_lt_system_version}, in /usr) is never used: "
           "posenc needs ${_lt_minimum} or later, and checks its numbers against ${_lt_golden}.")
  endif()
  set(LibTorch_FOUND FALSE)
  if(LibTorch_FIND_REQUIRED)
    message(FATAL_ERROR "LibTorch not found.${_lt_rejected}\n${_lt_advice}")
  endif()
  return()
endif()

_lt_version("${_lt_dir}" LibTorch_VERSION)
if(LibTorch_VERSION VERSION_LESS _lt_minimum)
  message(FATAL_ERROR "LibTorch in ${_lt_dir} is '${LibTorch_VERSION}'; posenc needs ${_lt_minimum} or later. ${_lt_advice}")
elseif(NOT LibTorch_VERSION VERSION_EQUAL _lt_golden)
  message(WARNING "LibTorch ${LibTorch_VERSION}: posenc's golden digits are those of ${_lt_golden}, so tests that compare "
                  "with them may fail in the last places. Everything else works.")
endif()

_lt_unresolved("${_lt_dir}/lib/libtorch_cpu.so" _lt_lacks)
if(_lt_lacks)
  cmake_path(GET _lt_dir PARENT_PATH _lt_beside)
  if(_lt_lacks MATCHES "libcu" AND NOT EXISTS "${_lt_beside}/nvidia" AND EXISTS "${_lt_dir}/version.py")
    set(_lt_advice "They are in the folder nvidia/ that pip installs beside torch/, and ${_lt_beside} has none: copy both folders.")
  endif()
  message(FATAL_ERROR "${_lt_dir}/lib/libtorch_cpu.so cannot be loaded. Missing: ${_lt_lacks}. ${_lt_advice}")
endif()

# A library built with the other C++ ABI fails at link time with pages of undefined references; say it here in one line.
if(NOT LibTorch_ABI_CHECKED STREQUAL _lt_dir)
  set(_lt_program "#include <c10/util/Type.h>\nint main() { return c10::demangle(\"i\").empty(); }\n")
  foreach(_lt_abi IN ITEMS "" "-D_GLIBCXX_USE_CXX11_ABI=0")
    try_compile(_lt_links_${_lt_abi}x
      SOURCE_FROM_VAR abi.cpp _lt_program
      COMPILE_DEFINITIONS "${_lt_abi}"
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${_lt_dir}/include"
      LINK_LIBRARIES "${_lt_dir}/lib/libc10.so"
      CXX_STANDARD 17
      OUTPUT_VARIABLE _lt_output_${_lt_abi}x
      NO_CACHE)
    if(_lt_links_x)
      break()
    endif()
  endforeach()
  if(NOT _lt_links_x)
    if(_lt_links_-D_GLIBCXX_USE_CXX11_ABI=0x)
      message(FATAL_ERROR "LibTorch in ${_lt_dir} was built with the old C++ ABI (_GLIBCXX_USE_CXX11_ABI=0), which does not "
                          "link with this compiler's std::string. Take a build with the new ABI. ${_lt_advice}")
    endif()
    message(FATAL_ERROR "A one-line program does not compile and link with LibTorch in ${_lt_dir}:\n${_lt_output_x}")
  endif()
  set(LibTorch_ABI_CHECKED "${_lt_dir}" CACHE INTERNAL "The LibTorch folder whose C++ ABI was found to be the compiler's")
endif()

# The CPU set of wheels carries libtorch_cuda.so without the libraries it needs, so that existence says too little.
# Whether it can be loaded on the machine that will run the program is unknown when cross-compiling: it takes POSENC_CUDA=ON.
set(LibTorch_CUDA FALSE)
set(_lt_half "CPU only")
if(CMAKE_CROSSCOMPILING AND _lt_want_cuda STREQUAL AUTO)
  set(_lt_want_cuda OFF)
endif()
if(NOT _lt_want_cuda STREQUAL OFF)
  set(_lt_lacks "")
  foreach(_lt_library IN ITEMS libtorch_cuda.so libc10_cuda.so)
    if(NOT EXISTS "${_lt_dir}/lib/${_lt_library}")
      list(APPEND _lt_lacks "${_lt_library}")
    endif()
  endforeach()
  list(JOIN _lt_lacks ", " _lt_lacks)
  if(NOT _lt_lacks)
    _lt_unresolved("${_lt_dir}/lib/libtorch_cuda.so" _lt_lacks)
  endif()
  if(NOT _lt_lacks)
    set(LibTorch_CUDA TRUE)
    set(_lt_half "with CUDA")
  elseif(_lt_want_cuda STREQUAL ON)
    message(FATAL_ERROR "POSENC_CUDA=ON, but the CUDA half of LibTorch in ${_lt_dir} cannot be used. Missing: ${_lt_lacks}. "
                        "POSENC_TORCH_SET=full scripts/setup.sh installs a set that has it.")
  endif()
endif()

if(NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${_lt_dir}/include" "${_lt_dir}/include/torch/csrc/api/include")
  # LibTorch carries fmt's headers but not its compiled half.
  target_compile_definitions(LibTorch::LibTorch INTERFACE FMT_HEADER_ONLY=1)
  if(LibTorch_CUDA)
    # Nothing names a symbol of these two; they register themselves when loaded, and a linker with --as-needed drops them.
    target_link_libraries(LibTorch::LibTorch INTERFACE
      "-Wl,--push-state,--no-as-needed,\"${_lt_dir}/lib/libtorch_cuda.so\",\"${_lt_dir}/lib/libc10_cuda.so\",--pop-state")
  endif()
  target_link_libraries(LibTorch::LibTorch INTERFACE "${_lt_dir}/lib/libtorch_cpu.so" "${_lt_dir}/lib/libc10.so")
  if(CMAKE_CROSSCOMPILING)
    # A cross linker does not follow the run path of LibTorch's libraries to the libraries that these need.
    file(GLOB _lt_beside LIST_DIRECTORIES TRUE "${_lt_dir}/../nvidia/*/lib")
    foreach(_lt_folder IN ITEMS "${_lt_dir}/lib" LISTS _lt_beside)
      target_link_options(LibTorch::LibTorch INTERFACE "LINKER:-rpath-link,${_lt_folder}")
    endforeach()
  endif()
endif()

set(LibTorch_FOUND TRUE)
set(LibTorch_DIR_USED "${_lt_dir}" CACHE INTERNAL "The LibTorch folder in use")
if(NOT LibTorch_FIND_QUIETLY)
  message(STATUS "LibTorch ${LibTorch_VERSION} (${_lt_half}): ${_lt_dir}")
endif()
