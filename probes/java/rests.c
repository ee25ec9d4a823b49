/*
 * Logs Thread.sleep() and LockSupport.park(). The tool interface has no events of these. Both call
 * a native method, and the JVM asks the agent which function stands for it.
 */
#include "java_glimpse.h"
#include "probes/java/agent.h"
#include "probes/wrap.h"
#include <string.h>

typedef void JNICALL sleep_function(JNIEnv *jni, jclass class, jlong time);
typedef void JNICALL park_function(JNIEnv *jni, jobject unsafe, jboolean absolute, jlong time);

static sleep_function *real_sleep;
static park_function *real_park;
static jvmtiEnv *jvm;

static void JNICALL sleep_logged(JNIEnv *jni, jclass class, jlong time)
{
	uint64_t now = glimpse_now();
	jint line;
	const void *method = agent_place(NULL, 0, &line);

	ThreadSleepBegin_StampAt(now, method, line);
	real_sleep(jni, class, time);
	ThreadSleepEnd_Stamp();
}

static void JNICALL park_logged(JNIEnv *jni, jobject unsafe, jboolean absolute, jlong time)
{
	uint64_t now = glimpse_now();
	jint line;
	const void *method = agent_place(NULL, 0, &line);

	ParkBegin_StampAt(now, method, line);
	real_park(jni, unsafe, absolute, time);
	ParkEnd_Stamp();
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns where the JVM's own function of a method is kept; NULL: the agent does not replace it. */
static void **real_of(const char *class, const char *method, const char *types, void **ours)
{
	/* sleep(), sleep0() and sleepNanos0() of the versions */
	if (!strcmp(class, "Ljava/lang/Thread;") && begins(method, "sleep") &&
	    !strcmp(types, "(J)V")) {
		*ours = (void *)sleep_logged;
		return (void **)&real_sleep;
	}
	if ((!strcmp(class, "Ljdk/internal/misc/Unsafe;") || !strcmp(class, "Lsun/misc/Unsafe;")) &&
	    !strcmp(method, "park") && !strcmp(types, "(ZJ)V")) {
		*ours = (void *)park_logged;
		return (void **)&real_park;
	}
	return NULL;
}

static void JNICALL on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
			    void *address, void **chosen)
{
	char *name = NULL, *types = NULL, *signature = NULL;
	void **real, *ours;
	jclass of;

	(void)jni, (void)thread;
	if ((*env)->GetMethodName(env, method, &name, &types, NULL) == JVMTI_ERROR_NONE &&
	    (begins(name, "sleep") || !strcmp(name, "park")) &&
	    (*env)->GetMethodDeclaringClass(env, method, &of) == JVMTI_ERROR_NONE &&
	    (*env)->GetClassSignature(env, of, &signature, NULL) == JVMTI_ERROR_NONE &&
	    (real = real_of(signature, name, types, &ours)) && address != ours) {
		*real = address;
		*chosen = ours;
	}
	(*env)->Deallocate(env, (unsigned char *)name);
	(*env)->Deallocate(env, (unsigned char *)types);
	(*env)->Deallocate(env, (unsigned char *)signature);
}

void rests_prepare(jvmtiEnv *of, jvmtiEventCallbacks *callbacks)
{
	jvmtiCapabilities can, wanted;

	memset(&can, 0, sizeof can);
	memset(&wanted, 0, sizeof wanted);
	(*of)->GetPotentialCapabilities(of, &can);
	/* both methods are bound before the JVM is initialized */
	wanted.can_generate_native_method_bind_events = can.can_generate_native_method_bind_events;
	wanted.can_generate_early_vmstart = can.can_generate_early_vmstart;
	if (!can.can_generate_native_method_bind_events || !can.can_generate_early_vmstart ||
	    (*of)->AddCapabilities(of, &wanted))
		return;
	jvm = of;
	callbacks->NativeMethodBind = on_bind;
}

void rests_begin(void)
{
	if (jvm)
		(*jvm)->SetEventNotificationMode(jvm, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND,
						 NULL);
}
