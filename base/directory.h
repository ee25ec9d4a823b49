/* Removes directories. */
#ifndef GLIMPSE_BASE_DIRECTORY_H
#define GLIMPSE_BASE_DIRECTORY_H

/*
 * Removes a directory and what is in it; links are not followed. Says nothing of what cannot be
 * removed.
 */
void directory_remove(const char *path);

#endif
