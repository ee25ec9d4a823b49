/* The agent in the JVM: what the parts of libglimpse-java.so share. */
#ifndef GLIMPSE_PROBES_JAVA_AGENT_H
#define GLIMPSE_PROBES_JAVA_AGENT_H

/* Returns the path of a file beside this library, or of the build's; NULL: it is not there. */
char *agent_beside(const char *name);

#endif
