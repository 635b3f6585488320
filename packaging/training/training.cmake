# SPDX-License-Identifier: GPL-2.0-or-later
# What runs for every packet is a small part of the core. sctpa_train(TARGET SOURCE...) has GCC learn which: the sources are compiled
# once more so that they count what they execute, train_core.c feeds them what ordinary captures hold, and TARGET is compiled by these
# counts, which lie beside its objects. Code that did not run there is compiled as without counts. After a change of a source all are
# counted again, but no others are compiled again for that.

function(sctpa_train target)
  add_library(${target}_counting STATIC ${ARGN})
  target_include_directories(${target}_counting PUBLIC $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${target}_counting PUBLIC $<TARGET_PROPERTY:${target},INTERFACE_LINK_LIBRARIES>)
  set(by_order --param=profile-func-internal-id=1) # functions are the same by their order in a source, not by the name of its object
  target_compile_options(${target}_counting PRIVATE -fprofile-generate ${by_order})
  target_link_options(${target}_counting INTERFACE -fprofile-generate)
  add_executable(${target}_training ${PROJECT_SOURCE_DIR}/packaging/training/train_core.c)
  target_link_libraries(${target}_training PRIVATE ${target}_counting)
  set_target_properties(${target}_counting ${target}_training PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)

  set(objects ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles)
  add_custom_command(OUTPUT ${target}_trained
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}_training> -DFROM=${objects}/${target}_counting.dir
            -DTO=${objects}/${target}.dir -P ${PROJECT_SOURCE_DIR}/packaging/training/train.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${target}_trained
    DEPENDS ${target}_training ${PROJECT_SOURCE_DIR}/packaging/training/train.cmake)
  add_custom_target(${target}_train DEPENDS ${target}_trained)
  add_dependencies(${target} ${target}_train)
  target_compile_options(${target} PRIVATE -fprofile-use -fprofile-partial-training ${by_order} -Wno-missing-profile
    -Wno-coverage-mismatch) # compilers behind ccache may be told other names of the same source
endfunction()
