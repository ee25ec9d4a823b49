/* Where this process stands: in a parallel job, and on which machine. */
#ifndef GLIMPSE_RUNTIME_JOB_H
#define GLIMPSE_RUNTIME_JOB_H

#include <stdint.h>

/*
 * Returns the number that the launcher gave this process, plus 1, as its environment says: Open
 * MPI, MPICH and others that speak PMI, Slurm. 0: there is none.
 */
uint32_t gl_job_rank(void);

/* Returns the inode of the name space in which getpid() is a number; 0: unknown. */
uint64_t gl_job_pid_space(void);

/* Reads the kernel's boot id, 16 bytes; leaves zeros where it is not known. */
void gl_job_boot(unsigned char *boot);

#endif
