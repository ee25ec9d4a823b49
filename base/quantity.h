/* Times, counts and sizes as people write and read them. */
#ifndef GLIMPSE_BASE_QUANTITY_H
#define GLIMPSE_BASE_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Room for any text of this module. */
#define QUANTITY_TEXT 48

/* Reads nanoseconds from "1500", "10ms", "2.5 us": ns (the default), us, ms, s, min. */
bool quantity_parse_time(const char *text, int64_t *ns);
/* Reads bytes from "512 MiB", "2GB", "1000000". */
bool quantity_parse_bytes(const char *text, uint64_t *bytes);

/* The texts are written to buffer, which is returned. */
const char *quantity_time(char buffer[QUANTITY_TEXT], double ns);          /* "12.3 ms" */
const char *quantity_count(char buffer[QUANTITY_TEXT], uint64_t count);    /* "1,234,567" */
const char *quantity_bytes(char buffer[QUANTITY_TEXT], uint64_t bytes);    /* "1.50 MiB" */
const char *quantity_frequency(char buffer[QUANTITY_TEXT], double hertz);  /* "2.10 GHz" */

#endif
