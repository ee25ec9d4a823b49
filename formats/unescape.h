/* Escapes in texts, as JSON and base/visible.h have them. */
#ifndef GLIMPSE_FORMATS_UNESCAPE_H
#define GLIMPSE_FORMATS_UNESCAPE_H

#include <stddef.h>

/*
 * Replaces escapes by what they stand for, in place: \n \r \t \b \f \" \/ \\ \xNN \uNNNN. Others
 * stay. Returns the new length, which is not greater.
 */
size_t unescape(char *text, size_t length);

#endif
