/*
 * Lists what the merge adds to a recording, so that a merge that did not end can be undone: else
 * the readers would find what the recorder observed twice. The list is in the recorder's own
 * directory, which readers do not see any more once all is added.
 */
#ifndef GLIMPSE_RECORDER_MERGE_JOURNAL_H
#define GLIMPSE_RECORDER_MERGE_JOURNAL_H

/* Begins a list in the recorder's directory. If that fails, nothing can be undone. */
void journal_begin(const char *recorder);
/* Notes a file or directory that was made. */
void journal_note(const char *path);
/* All has been added to the recording in a directory: removes the recorder's directory inside. */
void journal_end(const char *recording);
/*
 * Removes what a merge that did not end has added to the recording in a directory, or what one that
 * did has left.
 */
void journal_undo(const char *recording);

#endif
