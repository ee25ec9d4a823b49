/* Keeps the notes about a run in the file notes.txt of its directory. */
#ifndef GLIMPSE_GORGE_SERVER_NOTES_FILE_H
#define GLIMPSE_GORGE_SERVER_NOTES_FILE_H

#include "viewers/gorge/answers/session.h"

/*
 * Returns the text of the file, for the caller to free, or NULL. Then *why, which is the caller's,
 * too, says what is wrong; it is NULL if there is no such file.
 */
char *notes_file_read(const char *directory, char **why);

/*
 * Answers requests that read or change the file: "notes", "add-note" and "remove-note", whose body
 * is a line of the file. Returns false if the request is another one.
 */
bool notes_file_answer(struct session *s, const struct http_request *request, struct reply *reply);

#endif
