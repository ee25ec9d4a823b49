/* Embeds the page in the program; its parts are in viewers/gorge/page. */
#ifndef GLIMPSE_GORGE_PAGE_ASSETS_H
#define GLIMPSE_GORGE_PAGE_ASSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the whole page as one document, for a server to answer. */
void assets_page(FILE *out);

/*
 * Write the page in two parts. assets_begin() writes it up to the place of its data, with head
 * before its styles. assets_end() writes it from its scripts on. These ask a server, or the engine
 * that is among the data.
 */
void assets_begin(FILE *out, const char *head);
void assets_end(FILE *out, bool is_served);

/*
 * Returns what the page may load and run, as directives of a Content-Security-Policy, for the
 * caller to free: its own scripts and styles, by their hashes, and nothing that is put into it.
 */
char *assets_policy(bool is_served);

/* Returns the size of the engine of documents, WebAssembly, and its bytes; 0: it was not built. */
size_t assets_engine(const void **bytes);

#endif
