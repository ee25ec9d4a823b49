/* Demangles names of C++ and Rust. */
#ifndef GLIMPSE_TRACE_SYMBOLS_DEMANGLE_H
#define GLIMPSE_TRACE_SYMBOLS_DEMANGLE_H

/* The longest name that is shown; what is longer ends in "...". */
enum { NAME_MOST = 500 };

/*
 * Returns what a symbol is called in its source, without a version (name@@GLIBC_2.2.5), all of it
 * visible; the caller frees it.
 */
char *demangle(const char *symbol);

#endif
