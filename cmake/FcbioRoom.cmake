# fcbio_room(NAME LINKS ... PRIVATE_LINKS ... SOURCE_DIR dir COLD regex): one static library per folder of src/.  Every
# .cpp in the folder, or in a folder of it, belongs to the room.  Files whose names match `regex` are compiled as cold
# code (FcbioPrecompiled.cmake).
add_library(fcbio_warnings INTERFACE)
target_compile_options(fcbio_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

# Same bits everywhere: no contraction of a*b+c behind our back, no value-changing optimisation.
add_compile_options(-ffp-contract=off)

# g++ collects garbage from 128 MB on, again and again: a tenth of its time, for a tenth less memory.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

if(FCBIO_SANITIZE)
  add_compile_options(-fsanitize=${FCBIO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # What is read before it is written shows: no sanitizer of g++ sees that.
  add_compile_definitions(EIGEN_INITIALIZE_MATRICES_BY_NAN)
  add_link_options(-fsanitize=${FCBIO_SANITIZE})
endif()
if(FCBIO_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

function(fcbio_room name)
  cmake_parse_arguments(room "" "SOURCE_DIR;COLD" "LINKS;PRIVATE_LINKS" ${ARGN})
  if(NOT room_SOURCE_DIR)
    set(room_SOURCE_DIR src/${name})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${room_SOURCE_DIR}/*.cpp ${room_SOURCE_DIR}/*/*.cpp)
  set(cold_sources)
  if(room_COLD)
    set(cold_sources ${sources})
    list(FILTER cold_sources INCLUDE REGEX "/(${room_COLD})\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "/(${room_COLD})\\.cpp$")
  endif()
  add_library(fcbio_${name} STATIC)
  set(parts fcbio_${name})
  fcbio_batches(batches ${name} ${sources})
  target_sources(fcbio_${name} PRIVATE ${batches})
  if(cold_sources)
    fcbio_batches(batches ${name}_cold ${cold_sources})
    add_library(fcbio_${name}_cold OBJECT ${batches})
    fcbio_precompiled(fcbio_${name}_cold COLD)
    target_sources(fcbio_${name} PRIVATE $<TARGET_OBJECTS:fcbio_${name}_cold>)
    list(APPEND parts fcbio_${name}_cold)
  endif()
  foreach(part IN LISTS parts)
    target_include_directories(${part}
      PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
      PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
    target_link_libraries(${part} PUBLIC ${room_LINKS} PRIVATE fcbio_warnings ${room_PRIVATE_LINKS})
  endforeach()
  fcbio_precompiled(fcbio_${name})
endfunction()

# fcbio_hot_first(TARGET ROOM...): the linker takes the first of several copies of a template, so code that must be fast
# stands before cold code.
function(fcbio_hot_first target)
  foreach(room IN LISTS ARGN)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:fcbio_${room}>)
  endforeach()
  foreach(room IN LISTS ARGN)
    if(TARGET fcbio_${room}_cold)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:fcbio_${room}_cold>)
    endif()
  endforeach()
endfunction()
