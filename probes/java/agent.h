/* The agent in the JVM: what the parts of libglimpse-java.so share. */
#ifndef GLIMPSE_PROBES_JAVA_AGENT_H
#define GLIMPSE_PROBES_JAVA_AGENT_H

#include "probes/java/releases.h"
#include <jvmti.h>

#define AGENT_NAME 256 /* bytes of a name */

/* Returns the path of a file beside this library, or of the build's; NULL: it is not there. */
char *agent_beside(const char *name);
/*
 * Writes the name of the class of a signature, "Ljava/lang/Object;", to `out`: "java.lang.Object".
 */
void agent_class_name(char out[AGENT_NAME], const char *signature);

/* Returns the monitor of an object, which keeps it as its tag; NULL: there is no memory. */
struct monitor *agent_monitor(JNIEnv *jni, jobject object);

/*
 * Returns what stands for the place where a thread waits (NULL: the calling one), and sets *line;
 * NULL: it is not known. back: HotSpot counts a thread that takes a monitor as one instruction
 * further.
 */
const void *agent_place(jthread thread, jint back, jint *line);

/* Adds what is to be called for sleeps and parked threads, as the agent is loaded. */
void rests_prepare(jvmtiEnv *of, jvmtiEventCallbacks *callbacks);
/* Begins to log these, once the callbacks are set. */
void rests_begin(void);
/* The JVM is initialized: what threads are parked for can be asked. */
void rests_init(JNIEnv *jni);
/* The calling thread ends. */
void rests_thread_end(void);

/*
 * If the recorder wants names of compiled methods: adds what is to be called then, as the agent is
 * loaded.
 */
void compiled_prepare(jvmtiEnv *jvm, jvmtiEventCallbacks *callbacks);
/* Begins to write these names, once the callbacks are set. */
void compiled_begin(jvmtiEnv *jvm);

#endif
