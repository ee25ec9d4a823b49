/* Reads the memory of a running process, which goes on. */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_MEMORY_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns how many bytes were read from an address on, at most size: up to what cannot be read. */
size_t live_memory_read(pid_t pid, uint64_t address, void *to, size_t size);
/* Reads all of the bytes; returns false if that is impossible. */
bool live_memory_get(pid_t pid, uint64_t address, void *to, size_t size);

#endif
