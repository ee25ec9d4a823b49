/* Writes a page that leads a browser to an address. */
#ifndef GLIMPSE_VIEWERS_WEB_LEADING_PAGE_H
#define GLIMPSE_VIEWERS_WEB_LEADING_PAGE_H

/* Returns a page that leads on to an address at once, without a word of itself; to be freed. */
char *leading_page(const char *address);

#endif
