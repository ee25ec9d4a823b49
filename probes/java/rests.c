/*
 * Logs Thread.sleep(), LockSupport.park() and unpark(). The tool interface has no events of these.
 * They call native methods, and the JVM asks the agent which function stands for each.
 */
#include "java_glimpse.h"
#include "probes/java/agent.h"
#include "probes/wrap.h"
#include <stdlib.h>
#include <string.h>

typedef void JNICALL sleep_function(JNIEnv *jni, jclass class, jlong time);
typedef void JNICALL park_function(JNIEnv *jni, jobject unsafe, jboolean absolute, jlong time);

typedef void JNICALL unpark_function(JNIEnv *jni, jobject unsafe, jobject thread);
typedef void JNICALL interrupt_function(JNIEnv *jni, jobject thread);

static sleep_function *real_sleep;
static park_function *real_park;
static unpark_function *real_unpark;
static interrupt_function *real_interrupt;
static jvmtiEnv *jvm;

/* The state of a parked thread. Later threads use it again; never freed, as others may look. */
struct parked {
	uint64_t wait; /* 0: it is not parked */
	struct monitor *blocker;
	bool owned; /* a thread has it, which releases it */
	struct parked *next;
};

static struct parked *unused;
static jrawMonitorID using;
static __thread struct parked *own __attribute__((tls_model("initial-exec")));

static jfieldID blocker_field, owner_field;
static jclass owned_class; /* of locks that have an owner; NULL: not known */

/* Returns the calling thread's; NULL: there is no memory. */
static struct parked *own_parked(void)
{
	if (own)
		return own;
	(*jvm)->RawMonitorEnter(jvm, using);
	own = unused;
	if (own)
		unused = own->next;
	(*jvm)->RawMonitorExit(jvm, using);
	if (!own)
		own = calloc(1, sizeof *own);
	if (own && (*jvm)->SetThreadLocalStorage(jvm, NULL, own))
		rests_thread_end();
	return own;
}

void rests_thread_end(void)
{
	if (!own)
		return;
	(*jvm)->SetThreadLocalStorage(jvm, NULL, NULL);
	(*jvm)->RawMonitorEnter(jvm, using);
	own->next = unused;
	unused = own;
	(*jvm)->RawMonitorExit(jvm, using);
	own = NULL;
}

/* Sets what the calling thread is about to be parked for, as it said itself. */
static void blocker_set(JNIEnv *jni, struct parked *p)
{
	jobject blocker, owner = NULL;
	jthread thread;

	p->blocker = NULL;
	p->owned = false;
	if (!owned_class || (*jvm)->GetCurrentThread(jvm, &thread))
		return;
	blocker = (*jni)->GetObjectField(jni, thread, blocker_field);
	if (blocker) {
		p->blocker = agent_monitor(jni, blocker);
		if (p->blocker && (*jni)->IsInstanceOf(jni, blocker, owned_class))
			owner = (*jni)->GetObjectField(jni, blocker, owner_field);
		p->owned = owner != NULL;
	}
	(*jni)->DeleteLocalRef(jni, owner);
	(*jni)->DeleteLocalRef(jni, blocker);
	(*jni)->DeleteLocalRef(jni, thread);
}

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
	struct parked *p = own_parked();
	uint64_t now = glimpse_now(), wait = wait_number();
	jint line;
	const void *method;

	if (!p) {
		real_park(jni, unsafe, absolute, time);
		return;
	}
	blocker_set(jni, p);
	if (p->owned)
		monitor_contend(p->blocker, now);
	/* from here on, as who unparks the thread while its place is sought lets it go on, too */
	__atomic_store_n(&p->wait, wait, __ATOMIC_RELEASE);
	method = agent_place(NULL, 0, &line);
	if (p->owned)
		LockParkBegin_StampAt(now, monitor_address(p->blocker), method, line);
	else
		ParkBegin_StampAt(now, monitor_address(p->blocker), method, line);
	real_park(jni, unsafe, absolute, time);
	__atomic_store_n(&p->wait, 0, __ATOMIC_RELEASE);
	now = glimpse_now();
	if (p->owned) {
		monitor_regain(p->blocker, now, false, method, line);
		LockParkEnd_StampAt(now, monitor_address(p->blocker), wait);
	} else {
		ParkEnd_StampAt(now, monitor_address(p->blocker), wait);
	}
}

static void JNICALL unpark_logged(JNIEnv *jni, jobject unsafe, jobject thread)
{
	struct parked *p = NULL;
	uint64_t wait = 0;
	jint line;
	const void *method;

	if (thread && (*jvm)->GetThreadLocalStorage(jvm, thread, (void **)&p) == JVMTI_ERROR_NONE &&
	    p && __atomic_load_n(&p->wait, __ATOMIC_ACQUIRE))
		wait = __atomic_exchange_n(&p->wait, 0, __ATOMIC_ACQ_REL);
	if (wait) {
		uint64_t now = glimpse_now();
		struct monitor *blocker = p->blocker;
		bool owned = p->owned;

		method = agent_place(NULL, 0, &line);
		if (owned)
			monitor_release(blocker, now, wait, method, line);
		else
			Unpark_StampAt(now, monitor_address(blocker), method, line, wait);
	}
	real_unpark(jni, unsafe, thread);
}

/* It wakes the thread from all waits. */
static void JNICALL interrupt_logged(JNIEnv *jni, jobject thread)
{
	releases_nothing(true);
	real_interrupt(jni, thread);
	releases_nothing(false);
}

/* The native methods. Unsafe is sun.misc's before version 9. */
static const struct {
	const char *class, *method, *types;
	void *ours, **real;
} natives[] = {
    /* sleep(), sleep0() and sleepNanos0() of the versions */
    {"Ljava/lang/Thread;", "sleep", "(J)V", (void *)sleep_logged, (void **)&real_sleep},
    {"Ljava/lang/Thread;", "sleep0", "(J)V", (void *)sleep_logged, (void **)&real_sleep},
    {"Ljava/lang/Thread;", "sleepNanos0", "(J)V", (void *)sleep_logged, (void **)&real_sleep},
    {"Ljava/lang/Thread;", "interrupt0", "()V", (void *)interrupt_logged, (void **)&real_interrupt},
    {"Ljdk/internal/misc/Unsafe;", "park", "(ZJ)V", (void *)park_logged, (void **)&real_park},
    {"Lsun/misc/Unsafe;", "park", "(ZJ)V", (void *)park_logged, (void **)&real_park},
    {"Ljdk/internal/misc/Unsafe;", "unpark", "(Ljava/lang/Object;)V", (void *)unpark_logged,
     (void **)&real_unpark},
    {"Lsun/misc/Unsafe;", "unpark", "(Ljava/lang/Object;)V", (void *)unpark_logged,
     (void **)&real_unpark},
};

enum { NATIVES = sizeof natives / sizeof *natives };

/* Whether the agent may replace a method of that name: most need not be looked at closer. */
static bool may_replace(const char *method)
{
	for (int i = 0; i < NATIVES; i++)
		if (!strcmp(natives[i].method, method))
			return true;
	return false;
}

/* Returns the number of a method; NATIVES: the agent does not replace it. */
static int native_of(const char *class, const char *method, const char *types)
{
	int i = 0;

	while (i < NATIVES &&
	       (strcmp(natives[i].class, class) || strcmp(natives[i].method, method) ||
		strcmp(natives[i].types, types)))
		i++;
	return i;
}

static void JNICALL on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
			    void *address, void **chosen)
{
	char *name = NULL, *types = NULL, *signature = NULL;
	jclass of;
	int i;

	(void)jni, (void)thread;
	if ((*env)->GetMethodName(env, method, &name, &types, NULL) == JVMTI_ERROR_NONE &&
	    may_replace(name) &&
	    (*env)->GetMethodDeclaringClass(env, method, &of) == JVMTI_ERROR_NONE &&
	    (*env)->GetClassSignature(env, of, &signature, NULL) == JVMTI_ERROR_NONE &&
	    (i = native_of(signature, name, types)) < NATIVES && address != natives[i].ours) {
		*natives[i].real = address;
		*chosen = natives[i].ours;
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
	(*of)->CreateRawMonitor(of, "glimpse parked", &using);
	callbacks->NativeMethodBind = on_bind;
}

void rests_begin(void)
{
	if (jvm)
		(*jvm)->SetEventNotificationMode(jvm, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND,
						 NULL);
}

void rests_init(JNIEnv *jni)
{
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread"), owned = NULL;

	if (!jvm || !thread)
		goto out;
	blocker_field = (*jni)->GetFieldID(jni, thread, "parkBlocker", "Ljava/lang/Object;");
	if (!blocker_field)
		goto out;
	owned = (*jni)->FindClass(jni, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
	if (!owned)
		goto out;
	owner_field = (*jni)->GetFieldID(jni, owned, "exclusiveOwnerThread", "Ljava/lang/Thread;");
	if (owner_field)
		owned_class = (*jni)->NewGlobalRef(jni, owned);
out:
	(*jni)->ExceptionClear(jni);
}
