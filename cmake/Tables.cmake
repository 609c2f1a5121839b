# read_table(FILE MACRO FOLDER OUT): the source file of every MACRO(name) line of a .def table, which C++ reads too.
function(read_table file macro folder out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
  file(STRINGS "${PROJECT_SOURCE_DIR}/${file}" lines REGEX "^${macro}\\(")
  list(TRANSFORM lines REPLACE "^${macro}\\(([a-z0-9_]+)\\).*" "${folder}/\\1.cpp")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()
