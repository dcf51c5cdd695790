# Precompiled headers, one for each set of flags: core, core tests, window, window tests. A target that differs in a
# flag compiles as without one.
set(crosspoint_pch_source ${CMAKE_BINARY_DIR}/precompiled.cpp)
if(CROSSPOINT_PCH AND NOT EXISTS ${crosspoint_pch_source})
  file(WRITE ${crosspoint_pch_source} "// Only here to be compiled with the headers before it.\n")
endif()

# crosspoint_pch(TARGET SET [LIBRARIES ...] [DEFINITIONS ...] [OPTIONS ...] HEADERS ...): TARGET takes the headers of
# SET, which its first user defines.
function(crosspoint_pch target set)
  if(NOT CROSSPOINT_PCH)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;DEFINITIONS;OPTIONS;HEADERS")
  set(owner crosspoint_pch_${set})
  if(NOT TARGET ${owner})
    add_library(${owner} OBJECT ${crosspoint_pch_source})
    set_target_properties(${owner} PROPERTIES AUTOMOC OFF AUTOUIC OFF AUTORCC OFF)
    target_link_libraries(${owner} PRIVATE crosspoint_options ${arg_LIBRARIES})
    target_compile_definitions(${owner} PRIVATE ${arg_DEFINITIONS})
    target_compile_options(${owner} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${owner} PRIVATE ${arg_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  set_target_properties(${target} PROPERTIES PCH_WARN_INVALID OFF)
endfunction()
