/* Asks the kernel for the other end of a local connection (AF_UNIX), by inode. */
#ifndef GLIMPSE_PROBES_THREADS_LOCAL_PEER_H
#define GLIMPSE_PROBES_THREADS_LOCAL_PEER_H

#include <stdint.h>

/*
 * Returns the inode of the other end; 0 if the kernel does not tell: it knows none for what is not
 * yet accepted, or is closed. Makes system calls, and needs a descriptor meanwhile; allocates
 * nothing.
 */
uint32_t local_peer(uint64_t inode);

#endif
