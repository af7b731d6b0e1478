# gfx950 assembly, by LLVM's own assembler and linker.

find_program(MXPROOF_ASSEMBLER NAMES clang-22 clang)

# mxproof_assembly(TARGET OUTPUT SOURCE [FLAGS...]) - assemble and link SOURCE into the code object file OUTPUT; building
# TARGET makes it.
function(mxproof_assembly target output source)
  add_custom_command(OUTPUT ${output}
    COMMAND ${MXPROOF_ASSEMBLER} -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx950 ${ARGN} -o ${output}
            ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${source} VERBATIM
    COMMENT "Assembling ${source}")
  add_custom_target(${target} DEPENDS ${output})
endfunction()
