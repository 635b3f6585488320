# SPDX-License-Identifier: GPL-2.0-or-later
# Runs PROGRAM, whose objects below FROM leave counts beside them, and copies these to where the objects below TO look for them.

file(GLOB_RECURSE counts RELATIVE ${FROM} ${FROM}/*.gcda)
list(TRANSFORM counts PREPEND ${FROM}/)
if(counts)
  file(REMOVE ${counts})
endif()
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE counts RELATIVE ${FROM} ${FROM}/*.gcda)
if(NOT counts)
  message(FATAL_ERROR "${PROGRAM} left no counts below ${FROM}")
endif()
foreach(count IN LISTS counts)
  cmake_path(GET count PARENT_PATH folder)
  file(MAKE_DIRECTORY ${TO}/${folder})
  file(COPY_FILE ${FROM}/${count} ${TO}/${count} ONLY_IF_DIFFERENT)
endforeach()
