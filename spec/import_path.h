/* Finds imports. */
#ifndef GLIMPSE_SPEC_IMPORT_PATH_H
#define GLIMPSE_SPEC_IMPORT_PATH_H

/*
 * Adds a folder, of an option -I, behind those that were added before. It must outlive all reads.
 */
void import_folder_add(const char *folder);

/* Returns the path of an import that lies beside the importing file; the caller frees it. */
char *import_beside(const char *importer, const char *path);

/*
 * Returns the path of an import: beside the importing file, in the folders added, in those of
 * GLIMPSE_SPEC_PATH, or among the installed specifications, whichever has it first; beside the
 * importing file if none has. An absolute path is itself. The caller frees the result.
 */
char *import_find(const char *importer, const char *path);

#endif
