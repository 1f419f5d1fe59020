# fcbio_room(NAME LINKS ... PRIVATE_LINKS ... SOURCE_DIR dir): one static library per folder of src/.  Every .cpp in
# the folder, or in a folder of it, belongs to the room.
add_library(fcbio_warnings INTERFACE)
target_compile_options(fcbio_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

# Same bits everywhere: no contraction of a*b+c behind our back, no value-changing optimisation.
add_compile_options(-ffp-contract=off)

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
  cmake_parse_arguments(room "" "SOURCE_DIR" "LINKS;PRIVATE_LINKS" ${ARGN})
  if(NOT room_SOURCE_DIR)
    set(room_SOURCE_DIR src/${name})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${room_SOURCE_DIR}/*.cpp ${room_SOURCE_DIR}/*/*.cpp)
  fcbio_batches(batches ${name} ${sources})
  add_library(fcbio_${name} STATIC ${batches})
  target_include_directories(fcbio_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(fcbio_${name} PUBLIC ${room_LINKS} PRIVATE fcbio_warnings ${room_PRIVATE_LINKS})
  fcbio_precompiled(fcbio_${name})
endfunction()
