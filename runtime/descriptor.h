/* Descriptors of the runtime's own, which programs must not come across by low numbers. */
#ifndef GLIMPSE_RUNTIME_DESCRIPTOR_H
#define GLIMPSE_RUNTIME_DESCRIPTOR_H

#define GL_DESCRIPTOR_LOW 3 /* standard streams have the numbers below */

/* Opens a file as openat(2) does, with O_CLOEXEC and mode 0600; a signal does not end that. */
int gl_descriptor_open(int directory, const char *name, int flags);
/* Moves a descriptor to a high number. Returns that, or -1 with errno set: it is then closed. */
int gl_descriptor_raise(int fd);
/* Closes a descriptor and keeps errno. */
void gl_descriptor_close(int fd);

#endif
