# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# The dynamic symbol table of LIBRARY must neither offer BLAS, LAPACK, MKL or OSQP names (another library in
# the process would use ours) nor ask for them (ours would use another's).
execute_process(COMMAND ${NM} -D ${LIBRARY} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} -D ${LIBRARY} failed")
endif()
if(NOT symbols MATCHES "subspace")
  message(FATAL_ERROR "${LIBRARY}: no symbol of ours in the table, so this check would see nothing")
endif()
string(REGEX MATCHALL
  "[ \t][A-Za-z] (mkl_|MKL_|cblas_|LAPACKE_|lapack_|osqp_|QDLDL_|amd_|[sdcz]gemm|[sdcz]gemv|dsy|dpotr)[^\n]*"
  foreign "${symbols}")
if(foreign)
  list(LENGTH foreign count)
  list(SUBLIST foreign 0 5 sample)
  message(FATAL_ERROR "${LIBRARY}: ${count} names of the back end in its table, e.g. ${sample}")
endif()
