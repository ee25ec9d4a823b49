/* Finds the folder for files that this program keeps for the user and can make again. */
#ifndef GLIMPSE_BASE_USER_CACHE_H
#define GLIMPSE_BASE_USER_CACHE_H

/*
 * Returns $XDG_CACHE_HOME/glimpse, or ~/.cache/glimpse, which the caller frees; makes it if it is
 * missing. NULL: it cannot be made, or the folder around it is another user's.
 */
char *user_cache_make(void);

#endif
