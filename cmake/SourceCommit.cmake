# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Script (cmake -P): writes OUTPUT from TEMPLATE with SUBSPACE_SOURCE_COMMIT, the commit of SOURCE, and "+" behind it if
# tracked files differ from it. Leaves OUTPUT alone when nothing changed, so that nothing is compiled anew.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=+
                OUTPUT_VARIABLE SUBSPACE_SOURCE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
