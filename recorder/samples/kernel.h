/*
 * Code of the kernel in samples: its frames, and their names. The kernel gives frames only to those
 * who may see them, and addresses of its functions (/proc/kallsyms) perhaps not even to these: then
 * one frame stands for all of them.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_KERNEL_H
#define GLIMPSE_RECORDER_SAMPLES_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct space;

enum { KERNEL_FRAMES_MOST = 256 };

/* Forgets all addresses. */
void kernel_close(void);

/*
 * Stores the frames of a call chain of a sample, n words, innermost first: the instruction, of
 * callers one within the call. Returns how many.
 */
unsigned kernel_frames(const unsigned char *chain, uint64_t n, uint64_t frames[KERNEL_FRAMES_MOST]);
/* Returns whether an address is in the kernel's half. */
bool kernel_has(uint64_t address);

/* Notes a frame of a space, so that its name will be written. Only so many are kept. */
void kernel_note(const struct space *s, uint64_t address);
/*
 * Finds the names of all noted frames, and writes them in lines as made_write() does. Says on
 * stderr if names are missing.
 */
void kernel_names_write(FILE *out);

#endif
