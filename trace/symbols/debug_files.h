/*
 * Finds the separate file of debug information of a program or library, which stripping leaves
 * without. It must have the build id that was logged; without one, the checksum in the program.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_DEBUG_FILES_H
#define GLIMPSE_TRACE_SYMBOLS_DEBUG_FILES_H

#include "trace/symbols/debug_link.h"
#include "trace/symbols/elf_look.h"

/* Returns the folders of separate debug information, a list with colons: $GLIMPSE_DEBUG_PATH. */
const char *debug_folders(void);

/*
 * Returns the folder where libdebuginfod keeps what it has fetched: $DEBUGINFOD_CACHE_PATH,
 * $XDG_CACHE_HOME/debuginfod_client, or ~/.cache/debuginfod_client. To be freed.
 */
char *debuginfod_folder(void);

/*
 * Opens FOLDER/.build-id/xx/yyy.debug for the build id xxyyy, or what debuginfod_folder() has of
 * it; returns -1 if no folder has it. The caller closes it.
 */
int debug_file_by_id(const struct build_id *id);
/* Opens the program or library itself, which debuginfod_folder() may have; else returns -1. */
int program_file_by_id(const struct build_id *id);
/*
 * Opens the file whose parts several debug files share (dwz), by its build id: the file of that
 * name or, if it does not exist, FOLDER/.dwz/REST, if the name ends so.
 */
int debug_file_shared(const struct build_id *id, const char *name);
/*
 * Opens FOLDER/.build-id/xx/yyy.debug or, if there is none, the one that the program's link names:
 * beside the program, in .debug beside it, or in FOLDER/PATH of the program.
 */
int debug_file_find(const char *program, const struct build_id *id, const struct debug_link *link);

#endif
