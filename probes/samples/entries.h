/*
 * Every function that this probe defines anew: ENTRY(name), and SIGNAL_LIKE(name) for those that
 * have the type of signal(). From this table come the addresses of the real functions.
 */
#ifndef SIGNAL_LIKE
#define SIGNAL_LIKE(name)
#endif
ENTRY(sigaction)
ENTRY(pthread_sigmask)
ENTRY(sigprocmask)
ENTRY(sigwait)
ENTRY(sigwaitinfo)
ENTRY(sigtimedwait)
ENTRY(signalfd)
ENTRY(setitimer)
ENTRY(pthread_create)
ENTRY(thrd_create)
ENTRY(dlclose)
SIGNAL_LIKE(signal)
SIGNAL_LIKE(bsd_signal)
SIGNAL_LIKE(ssignal)
SIGNAL_LIKE(sysv_signal)
SIGNAL_LIKE(__sysv_signal)
SIGNAL_LIKE(sigset)
#undef SIGNAL_LIKE
