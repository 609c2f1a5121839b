# POSENC_GIT_REVISION: the commit that is built, "-dirty" with changes of one's own, "unknown" outside a checkout.
set(POSENC_GIT_REVISION unknown)
find_package(Git QUIET)
if(Git_FOUND)
  # Git refuses to read a checkout of another user (as under sudo, or in a container) unless told that it is safe. Who
  # configures a source tree runs its code anyway.
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" -c "safe.directory=${PROJECT_SOURCE_DIR}" -C "${PROJECT_SOURCE_DIR}" describe --always --dirty
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE git_error RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(POSENC_GIT_REVISION "${revision}")
  elseif(EXISTS "${PROJECT_SOURCE_DIR}/.git")
    string(REGEX REPLACE "\n.*" "" git_error "${git_error}")
    message(WARNING "The revision is not known to the program, so results will not name it: ${git_error}")
  endif()
endif()
# Every commit is a line of this log; configuring again is how the new one gets into the program.
if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
endif()
