/* Sanitizers look at addresses and threads, not at random cases, and take long over each. */
#ifndef GLIMPSE_TESTS_SANITIZED_H
#define GLIMPSE_TESTS_SANITIZED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
