# posenc_warnings(TARGET): the warnings this project is clean of, and its sanitizers where POSENC_SANITIZE asks for them.
set(POSENC_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, such as address,undefined")

function(posenc_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
  if(POSENC_SANITIZE)
    # -Wmaybe-uninitialized finds a std::function inside <regex> once it is instrumented (GCC 12).
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -fsanitize=${POSENC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${POSENC_SANITIZE})
  endif()
endfunction()
