/*
 * Names of methods that the JVM compiles, for samples of call stacks: a perf map in the folder
 * GLIMPSE_JIT, from which the recorder takes what it needs.
 */
#include "probes/java/agent.h"
#include "probes/wrap.h"
#include "runtime/system.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *map; /* path of the perf map; NULL: nobody asked for one */

/* By system calls, since the probe io has functions of these names. */
static int map_open(int flags)
{
	return system_openat(AT_FDCWD, map, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags,
			     0600);
}

/* No descriptor is kept open, which the program could close. */
static void line_write(const void *code, jint size, const char *name)
{
	char line[3 * AGENT_NAME];
	int n =
	    snprintf(line, sizeof line, "%lx %x %s\n", (unsigned long)code, (unsigned)size, name);
	int fd = n > 0 && n < (int)sizeof line ? map_open(0) : -1;

	if (fd < 0)
		return;
	/* where the disk is full names are missing */
	(void)!system_write(fd, line, (size_t)n);
	system_close(fd);
}

static void JNICALL on_compiled(jvmtiEnv *env, jmethodID method, jint size, const void *code,
				jint length, const jvmtiAddrLocationMap *locations,
				const void *information)
{
	char class[AGENT_NAME], text[2 * AGENT_NAME];
	char *name = NULL, *signature = NULL;
	jclass of;

	(void)length, (void)locations, (void)information;
	if ((*env)->GetMethodDeclaringClass(env, method, &of) == JVMTI_ERROR_NONE &&
	    (*env)->GetClassSignature(env, of, &signature, NULL) == JVMTI_ERROR_NONE &&
	    (*env)->GetMethodName(env, method, &name, NULL, NULL) == JVMTI_ERROR_NONE) {
		agent_class_name(class, signature);
		snprintf(text, sizeof text, "%s.%.255s", class, name);
		line_write(code, size, text);
	}
	(*env)->Deallocate(env, (unsigned char *)signature);
	(*env)->Deallocate(env, (unsigned char *)name);
}

/* The interpreter, and code between methods. */
static void JNICALL on_generated(jvmtiEnv *env, const char *name, const void *code, jint size)
{
	(void)env;
	line_write(code, size, name);
}

static void map_name(void)
{
	const char *folder = getenv("GLIMPSE_JIT");
	int fd;

	if (!folder || *folder != '/' ||
	    asprintf(&map, "%s/perf-%ld.map", folder, (long)system_getpid()) < 0)
		map = NULL;
	if (!map)
		return;
	fd = map_open(O_CREAT | O_EXCL);
	if (fd >= 0) {
		system_close(fd);
		return;
	}
	free(map);
	map = NULL;
}

void compiled_prepare(jvmtiEnv *jvm, jvmtiEventCallbacks *callbacks)
{
	jvmtiCapabilities can, wanted;

	memset(&can, 0, sizeof can);
	memset(&wanted, 0, sizeof wanted);
	(*jvm)->GetPotentialCapabilities(jvm, &can);
	wanted.can_generate_compiled_method_load_events =
	    can.can_generate_compiled_method_load_events;
	map_name();
	if (!map || !can.can_generate_compiled_method_load_events ||
	    (*jvm)->AddCapabilities(jvm, &wanted))
		return;
	callbacks->CompiledMethodLoad = on_compiled;
	callbacks->DynamicCodeGenerated = on_generated;
}

void compiled_begin(jvmtiEnv *jvm)
{
	if (!map)
		return;
	(*jvm)->SetEventNotificationMode(jvm, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL);
	(*jvm)->SetEventNotificationMode(jvm, JVMTI_ENABLE, JVMTI_EVENT_DYNAMIC_CODE_GENERATED,
					 NULL);
}
