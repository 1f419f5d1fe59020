# fcbio_batches(OUT NAME FILE...): the files of a room, most often all at a time.  Most of what the compiler does for a small file
# is the same for its neighbours: reading headers, instantiating Eigen.  So neighbours in the alphabet are included into
# one file, at most FCBIO_BATCH of them; OUT is the list of these files.  Names are therefore unique in a room, also
# those in anonymous namespaces.  Not batched are kernels, recognised by linalg/lanes.hpp: how they are inlined must not
# depend on their neighbours.
# Who changes one file again and again waits less with FCBIO_BATCH=4, and the first build takes longer.
# FCBIO_BATCH=1 compiles every file by itself, which shows includes that are missing (preset dev).
set(FCBIO_BATCH 48 CACHE STRING "most files of a room that are compiled together")

function(fcbio_batches out name)
  set(alone)
  set(together)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} lanes REGEX "^#include \"linalg/lanes.hpp\"" LIMIT_COUNT 1)
    if(lanes OR FCBIO_BATCH LESS_EQUAL 1)
      list(APPEND alone ${source})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()

  list(LENGTH together count)
  set(batches ${alone})
  if(count GREATER 0)
    math(EXPR parts "(${count} + ${FCBIO_BATCH} - 1) / ${FCBIO_BATCH}")
    foreach(part RANGE 1 ${parts})
      math(EXPR begin "${count} * (${part} - 1) / ${parts}")
      math(EXPR length "${count} * ${part} / ${parts} - ${begin}")
      list(SUBLIST together ${begin} ${length} members)
      set(text "// Written by cmake/FcbioBatches.cmake.\n")
      foreach(member IN LISTS members)
        # Relative to the root of the tree, so that a compiler cache serves every clone of it.
        file(RELATIVE_PATH member ${PROJECT_SOURCE_DIR} ${member})
        string(APPEND text "#include \"${member}\"\n")
      endforeach()
      set(batch ${PROJECT_BINARY_DIR}/batches/${name}_${part}.cpp)
      file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
      list(APPEND batches ${batch})
    endforeach()
  endif()
  set(${out} ${batches} PARENT_SCOPE)
endfunction()
