# The report page: web/ is bundled by node into a C++ source of the room `report`.
find_program(FCBIO_NODE NAMES node nodejs DOC "node, version 18 or later: bundles the report page")
if(NOT FCBIO_NODE)
  message(FATAL_ERROR "node was not found; it bundles the report page under web/.  Run scripts/setup, "
    "or install nodejs (18 or later) and npm, and run 'npm ci' in web/.")
endif()
execute_process(COMMAND ${FCBIO_NODE} --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^v" "" node_version "${node_version}")
if(node_version VERSION_LESS 18)
  message(FATAL_ERROR "node ${node_version} is too old to bundle the report page; 18 or later is needed")
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
set(page_source ${PROJECT_BINARY_DIR}/report/page.cpp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/report)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/src/*)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${FCBIO_NODE} ${web}/build.mjs ${page_source}
  DEPENDS ${web_sources} ${web}/build.mjs ${web}/package.json ${web}/package-lock.json
  COMMENT "Bundling the report page" VERBATIM)
target_sources(fcbio_report PRIVATE ${page_source})
