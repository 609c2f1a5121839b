# POSENC_GIT_REVISION: the commit that is built, "-dirty" with changes of one's own, "unknown" outside a checkout.
set(POSENC_GIT_REVISION unknown)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" describe --always --dirty
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(POSENC_GIT_REVISION "${revision}")
  endif()
endif()
# Every commit is a line of this log; configuring again is how the new one gets into the program.
if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
endif()
