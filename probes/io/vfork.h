/*
 * Whether the calling thread is the child of a vfork(): it has the memory of its parent, which
 * waits, and descriptors of its own.
 */
#ifndef GLIMPSE_PROBES_IO_VFORK_H
#define GLIMPSE_PROBES_IO_VFORK_H

extern __thread int vfork_child __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
