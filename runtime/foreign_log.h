/* Logs for other threads: a recorder writes what it observes of each thread to a log of its own. */
#ifndef GLIMPSE_RUNTIME_FOREIGN_LOG_H
#define GLIMPSE_RUNTIME_FOREIGN_LOG_H

/* Ends the logs that no other thread has selected, at the end. Inside a guard, under the lock. */
void gl_foreign_log_end_all(void);

/* Lets the open logs begin anew in a forked child. Under the lock. */
void gl_foreign_log_forget(void);

#endif
