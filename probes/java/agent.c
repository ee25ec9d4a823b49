/*
 * The agent that the JVM loads (JVM Tool Interface 1.2): what it tells of threads, monitors and
 * collections becomes events.
 */
#include "probes/java/agent.h"
#include "java_glimpse.h"
#include "probes/wrap.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The addresses that stand for instrumented methods, which have none: no program has memory there.
 * They are named, as monitors are.
 */
#define METHODS UINT64_C(0x4a10000000000000)

static jvmtiEnv *jvm;
static jrawMonitorID naming;       /* of monitors and methods that are named just now */
static uint64_t monitors, methods; /* how many have a number */
static bool owners_known;          /* the JVM says who has a monitor */
static jclass virtual_class;       /* of virtual threads; NULL: the JVM has none */
/* and has not ended */
static __thread bool started __attribute__((tls_model("initial-exec")));
/*
 * The number of a wait of the thread that has begun here; 0: none. A thread of the JVM may wait
 * since before the agent is told of waits, and the end of such a wait would have no beginning.
 */
static __thread struct own_wait {
	uint64_t number;
	const void *method;
	jint line;
} contending __attribute__((tls_model("initial-exec"))),
    waiting __attribute__((tls_model("initial-exec")));

char *agent_beside(const char *name)
{
	static const char *const folders[] = {"", "../"};
	Dl_info own;
	const char *end;
	char *path;

	if (!dladdr((void *)agent_beside, &own) || !(end = strrchr(own.dli_fname, '/')))
		return NULL;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		if (asprintf(&path, "%.*s%s%s", (int)(end + 1 - own.dli_fname), own.dli_fname,
			     folders[i], name) < 0)
			return NULL;
		if (system_faccessat(AT_FDCWD, path, R_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

/* ---- Names ----------------------------------------------------------------------------------- */

void agent_class_name(char out[AGENT_NAME], const char *signature)
{
	size_t n;

	snprintf(out, AGENT_NAME, "%s", *signature == 'L' ? signature + 1 : signature);
	n = strlen(out);
	if (n && out[n - 1] == ';')
		out[n - 1] = '\0';
	for (char *c = out; *c; c++)
		if (*c == '/')
			*c = '.';
}

/* Names the monitor of an object by its class and number; of a class, by the class that it is. */
static void monitor_name(JNIEnv *jni, jobject object, const struct monitor *m)
{
	char class[AGENT_NAME], name[AGENT_NAME + 32];
	jclass of = (*jni)->GetObjectClass(jni, object);
	char *signature = NULL, *own = NULL;

	if ((*jvm)->GetClassSignature(jvm, of, &signature, NULL))
		return;
	if (!strcmp(signature, "Ljava/lang/Class;"))
		(*jvm)->GetClassSignature(jvm, object, &own, NULL);
	agent_class_name(class, own ? own : signature);
	(*jvm)->Deallocate(jvm, (unsigned char *)signature);
	(*jvm)->Deallocate(jvm, (unsigned char *)own);
	(*jni)->DeleteLocalRef(jni, of);
	snprintf(name, sizeof name, "%s%s %llu", class, own ? ".class" : "",
		 (unsigned long long)m->number);
	glimpse_name(monitor_address(m), name);
}

struct monitor *agent_monitor(JNIEnv *jni, jobject object)
{
	jlong tag = 0;
	struct monitor *m;

	(*jvm)->GetTag(jvm, object, &tag);
	if (!tag) {
		(*jvm)->RawMonitorEnter(jvm, naming);
		(*jvm)->GetTag(jvm, object, &tag);
		if (!tag && (m = calloc(1, sizeof *m))) {
			m->number = ++monitors;
			tag = (jlong)(uintptr_t)m;
			(*jvm)->SetTag(jvm, object, tag);
			monitor_name(jni, object, m);
		}
		(*jvm)->RawMonitorExit(jvm, naming);
	}
	return (struct monitor *)(uintptr_t)tag;
}

/* A line number of a class file has 16 bits, which addresses of methods do not use. */
#define LINE_SHIFT 48

/* Names a place, "java.util.ArrayList.add (ArrayList.java:41)"; line 0: a method, without it. */
static void place_name(uint64_t place, jmethodID method, jint line)
{
	char class[AGENT_NAME], text[3 * AGENT_NAME], number[16] = "";
	char *name = NULL, *signature = NULL, *file = NULL;
	jclass of;

	if ((*jvm)->GetMethodDeclaringClass(jvm, method, &of) ||
	    (*jvm)->GetClassSignature(jvm, of, &signature, NULL) ||
	    (*jvm)->GetMethodName(jvm, method, &name, NULL, NULL))
		goto out;
	agent_class_name(class, signature);
	if ((*jvm)->GetSourceFileName(jvm, of, &file))
		file = NULL;
	if (line)
		snprintf(number, sizeof number, ":%d", (int)line);
	snprintf(text, sizeof text, file ? "%s.%.255s (%.200s%s)" : "%s.%.255s", class, name, file,
		 number);
	glimpse_name((void *)(uintptr_t)place, text);
out:
	(*jvm)->Deallocate(jvm, (unsigned char *)signature);
	(*jvm)->Deallocate(jvm, (unsigned char *)name);
	(*jvm)->Deallocate(jvm, (unsigned char *)file);
}

/*
 * Returns what stands for a line of a method, and names it, unless it has a name. Of places that
 * meet in the table, some are named again.
 */
static const void *place_of(jmethodID method, jint line)
{
	static uint64_t named[4096];
	uint64_t place = (uint64_t)(uintptr_t)method | (uint64_t)line << LINE_SHIFT;
	uint64_t *at = &named[(place >> 3 ^ (uint64_t)line) % 4096];

	if (__atomic_exchange_n(at, place, __ATOMIC_RELAXED) != place)
		place_name(place, method, line);
	return (const void *)(uintptr_t)place;
}

/* Whose methods wait for others; where these are called says nothing of the program. */
static bool is_librarys(const char *signature)
{
	static const char *const packages[] = {"Ljava/", "Ljdk/", "Lsun/"};

	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
		if (strncmp(signature, packages[i], strlen(packages[i])) == 0)
			return true;
	return false;
}

/* Whose methods only pass a wait on to the JVM. */
static bool is_waiting(const char *signature)
{
	static const char *const classes[] = {"Ljava/lang/Object;", "Ljava/lang/Thread;",
					      "Ljdk/internal/misc/Unsafe;", "Lsun/misc/Unsafe;",
					      "Ljava/util/concurrent/locks/"};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (strncmp(signature, classes[i], strlen(classes[i])) == 0)
			return true;
	return false;
}

static jint line_of(const jvmtiFrameInfo *frame)
{
	jvmtiLineNumberEntry *lines;
	jint line = 0, n;

	if ((*jvm)->GetLineNumberTable(jvm, frame->method, &n, &lines))
		return 0;
	for (jint i = 0; i < n && lines[i].start_location <= frame->location; i++)
		line = lines[i].line_number;
	(*jvm)->Deallocate(jvm, (unsigned char *)lines);
	return line;
}

/*
 * Returns the number of the frame that says most of a wait: the innermost one of the program; in a
 * thread of the library, the innermost one that does more than wait.
 */
static jint telling(const jvmtiFrameInfo *frames, jint n)
{
	jint best = n;

	for (jint i = 0; i < n; i++) {
		char *signature;
		bool librarys, waits;
		jclass of;

		if ((*jvm)->GetMethodDeclaringClass(jvm, frames[i].method, &of) ||
		    (*jvm)->GetClassSignature(jvm, of, &signature, NULL))
			continue;
		librarys = is_librarys(signature);
		waits = is_waiting(signature);
		(*jvm)->Deallocate(jvm, (unsigned char *)signature);
		if (!librarys)
			return i;
		if (!waits && best == n)
			best = i;
	}
	return best < n ? best : 0;
}

const void *agent_place(jthread thread, jint back, jint *line)
{
	enum { DEEP = 32 };
	jvmtiFrameInfo frames[DEEP];
	jint n, i;

	*line = 0;
	if (!jvm || (*jvm)->GetStackTrace(jvm, thread, 0, DEEP, frames, &n) || n < 1)
		return NULL;
	if (frames[0].location >= back)
		frames[0].location -= back;
	i = telling(frames, n);
	*line = line_of(&frames[i]);
	return place_of(frames[i].method, *line);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static uint32_t processors_usable(void)
{
	cpu_set_t set;

	return sched_getaffinity(system_getpid(), sizeof set, &set) ? 0 : (uint32_t)CPU_COUNT(&set);
}

static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
	jvmtiThreadInfo info = {.name = NULL};

	(void)jni;
	if ((*env)->GetThreadInfo(env, thread, &info) || !info.name) {
		started = true;
		JavaStart_Stamp("", processors_usable());
		return;
	}
	/* What the thread of main() is called once that is over and it waits for the others. */
	started = strcmp(info.name, "DestroyJavaVM") != 0;
	if (started) {
		JavaStart_Stamp(info.name, processors_usable());
		glimpse_thread_name(info.name);
	}
	(*env)->Deallocate(env, (unsigned char *)info.name);
}

static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
	(void)env;
	if (started)
		JavaEnd_Stamp(monitor_address(agent_monitor(jni, thread)));
	started = false;
	rests_thread_end();
}

/*
 * Whether the JVM may be asked for an owner now: it stops all threads for it. At most ten times in
 * 100 ms.
 */
static bool owner_may_look(void)
{
	enum { MOST = 10 };
	static uint64_t period, asked;
	struct timespec t;
	uint64_t now;

	system_clock_gettime(CLOCK_MONOTONIC, &t);
	now = (uint64_t)t.tv_sec * 10 + (uint64_t)t.tv_nsec / 100000000;
	if (__atomic_exchange_n(&period, now, __ATOMIC_RELAXED) != now)
		__atomic_store_n(&asked, 0, __ATOMIC_RELAXED);
	return __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) < MOST;
}

/* Sets the place of a monitor's owner, if the JVM may be asked for it. */
static void owner_look(JNIEnv *jni, jobject object, struct monitor *m)
{
	jvmtiMonitorUsage usage;
	jint line;
	const void *method;

	(void)jni;
	if (!owners_known || !owner_may_look() ||
	    (*jvm)->GetObjectMonitorUsage(jvm, object, &usage))
		return;
	if (usage.owner) {
		method = agent_place(usage.owner, 0, &line);
		m->line = line;
		m->method = method;
	}
	(*jvm)->Deallocate(jvm, (unsigned char *)usage.waiters);
	(*jvm)->Deallocate(jvm, (unsigned char *)usage.notify_waiters);
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
	static const jvmtiEvent wanted[] = {
	    JVMTI_EVENT_THREAD_START,
	    JVMTI_EVENT_THREAD_END,
	    JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
	    JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
	    JVMTI_EVENT_MONITOR_WAIT,
	    JVMTI_EVENT_MONITOR_WAITED,
	};

	jclass virtual = (*jni)->FindClass(jni, "java/lang/BaseVirtualThread");

	if (virtual)
		virtual_class = (*jni)->NewGlobalRef(jni, virtual);
	else
		(*jni)->ExceptionClear(jni);
	rests_init(jni);
	on_thread_start(env, jni, thread);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		(*env)->SetEventNotificationMode(env, JVMTI_ENABLE, wanted[i], NULL);
}

/* Whether it is a virtual thread: it may wait in one thread of the system and go on in another. */
static bool is_virtual(JNIEnv *jni, jthread thread)
{
	return virtual_class && (*jni)->IsInstanceOf(jni, thread, virtual_class);
}

static void JNICALL on_contended(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
	uint64_t now = glimpse_now();
	struct monitor *m = is_virtual(jni, thread) ? NULL : agent_monitor(jni, object);

	(void)env;
	if (!m)
		return;
	contending.method = agent_place(thread, 1, &contending.line);
	if (monitor_contend(m, now))
		owner_look(jni, object, m);
	contending.number = wait_number();
	MonitorBusy_StampAt(now, monitor_address(m), contending.method, contending.line);
	parks_begin(m, contending.number, true);
}

static void JNICALL on_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
	uint64_t now = glimpse_now();
	struct monitor *m = contending.number ? agent_monitor(jni, object) : NULL;

	(void)env, (void)thread;
	if (!m)
		return;
	parks_end();
	monitor_regain(m, now, true, contending.method, contending.line);
	MonitorEnter_StampAt(now, monitor_address(m), contending.number);
	contending.number = 0;
}

static void JNICALL on_wait(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object,
			    jlong timeout)
{
	uint64_t now = glimpse_now();
	struct monitor *m = is_virtual(jni, thread) ? NULL : agent_monitor(jni, object);

	(void)env;
	if (!m)
		return;
	waiting.method = agent_place(thread, 0, &waiting.line);
	waiting.number = wait_number();
	WaitBegin_StampAt(now, monitor_address(m), waiting.method, waiting.line, timeout);
	parks_begin(m, waiting.number, false);
}

static void JNICALL on_waited(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object,
			      jboolean timedout)
{
	uint64_t now = glimpse_now();
	struct monitor *m = waiting.number ? agent_monitor(jni, object) : NULL;

	(void)env, (void)thread;
	if (!m)
		return;
	parks_end();
	WaitEnd_StampAt(now, monitor_address(m), timedout, timedout ? ETIMEDOUT : 0,
			waiting.number);
	waiting.number = 0;
}

/* These come in a thread of the JVM, and may ask it nothing. */
static void JNICALL on_collect(jvmtiEnv *env)
{
	(void)env;
	PauseBegin_Stamp();
}

static void JNICALL on_collected(jvmtiEnv *env)
{
	(void)env;
	PauseEnd_Stamp();
}

/* Asks for as much as this JVM can; says what is missing. */
static void capabilities_add(void)
{
	jvmtiCapabilities can, wanted;

	memset(&can, 0, sizeof can);
	memset(&wanted, 0, sizeof wanted);
	(*jvm)->GetPotentialCapabilities(jvm, &can);
	wanted.can_tag_objects = can.can_tag_objects;
	wanted.can_get_monitor_info = can.can_get_monitor_info;
	owners_known = can.can_get_monitor_info;
	wanted.can_get_source_file_name = can.can_get_source_file_name;
	wanted.can_get_line_numbers = can.can_get_line_numbers;
	wanted.can_generate_monitor_events = can.can_generate_monitor_events;
	wanted.can_generate_garbage_collection_events = can.can_generate_garbage_collection_events;
	(*jvm)->AddCapabilities(jvm, &wanted);
	if (!can.can_generate_monitor_events || !can.can_tag_objects)
		fputs(
		    "glimpse: this JVM does not report monitors; MonitorWait and ObjectWait are missing\n",
		    stderr);
	if (!can.can_generate_garbage_collection_events)
		fputs("glimpse: this JVM does not report garbage collections; Pause is missing\n",
		      stderr);
}

WRAP_EXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	static jvmtiEventCallbacks callbacks = {
	    .VMInit = on_init,
	    .ThreadStart = on_thread_start,
	    .ThreadEnd = on_thread_end,
	    .MonitorContendedEnter = on_contended,
	    .MonitorContendedEntered = on_entered,
	    .MonitorWait = on_wait,
	    .MonitorWaited = on_waited,
	    .GarbageCollectionStart = on_collect,
	    .GarbageCollectionFinish = on_collected,
	};
	static const jvmtiEvent wanted[] = {
	    JVMTI_EVENT_VM_INIT,
	    JVMTI_EVENT_GARBAGE_COLLECTION_START,
	    JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
	};

	(void)options, (void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&jvm, JVMTI_VERSION_1_2) != JNI_OK) {
		fputs(
		    "glimpse: this JVM has no tool interface (JVMTI); the probe java records nothing\n",
		    stderr);
		return JNI_OK;
	}
	capabilities_add();
	(*jvm)->CreateRawMonitor(jvm, "glimpse", &naming);
	compiled_prepare(jvm, &callbacks);
	rests_prepare(jvm, &callbacks);
	(*jvm)->SetEventCallbacks(jvm, &callbacks, (jint)sizeof callbacks);
	compiled_begin(jvm);
	rests_begin();
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		(*jvm)->SetEventNotificationMode(jvm, JVMTI_ENABLE, wanted[i], NULL);
	return JNI_OK;
}

/* ---- Methods: what glimpse.probe.Calls declares ---------------------------------------------- */

WRAP_EXPORT jint JNICALL Java_glimpse_probe_Calls_number(JNIEnv *jni, jclass class, jstring name);
WRAP_EXPORT void JNICALL Java_glimpse_probe_Calls_enter(JNIEnv *jni, jclass class, jint number);
WRAP_EXPORT void JNICALL Java_glimpse_probe_Calls_leave(JNIEnv *jni, jclass class, jint number);

static const void *method_of(jint number)
{
	return (void *)(uintptr_t)(METHODS + (uint64_t)number);
}

jint Java_glimpse_probe_Calls_number(JNIEnv *jni, jclass class, jstring name)
{
	jint number = (jint)__atomic_add_fetch(&methods, 1, __ATOMIC_RELAXED);
	const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);

	(void)class;
	if (text) {
		glimpse_name(method_of(number), text);
		(*jni)->ReleaseStringUTFChars(jni, name, text);
	}
	return number;
}

void Java_glimpse_probe_Calls_enter(JNIEnv *jni, jclass class, jint number)
{
	(void)jni, (void)class;
	Enter_Stamp(method_of(number));
}

void Java_glimpse_probe_Calls_leave(JNIEnv *jni, jclass class, jint number)
{
	(void)jni, (void)class;
	Leave_Stamp(method_of(number));
}
