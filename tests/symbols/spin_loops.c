/*
 * Loops that wait for another thread, spin_*(), and loops that do not, work_*(): spin_code.test
 * compiles them in several ways, and spin_code.c looks at their code.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef __x86_64__
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() __asm__ volatile("yield")
#endif

atomic_int full;
atomic_flag held;
volatile int stop;
volatile double result;

void spin_pause(void)
{
	while (!atomic_load(&full))
		PAUSE();
}

/* Looks again after some time. */
void spin_seldom(void)
{
	while (!atomic_load(&full))
		for (int i = 0; i < 64; i++)
			PAUSE();
}

#ifdef __x86_64__
void spin_flag(void)
{
	while (!atomic_load(&full)) {
	}
}

void spin_volatile(void)
{
	while (stop == 0) {
	}
}

void spin_member(atomic_long *queue)
{
	while (atomic_load(&queue[2]) == atomic_load(&queue[9])) {
	}
}

void spin_byte(atomic_bool *ready)
{
	while (!atomic_load_explicit(ready, memory_order_acquire)) {
	}
}

void spin_bit(atomic_uint *flags)
{
	while (!(atomic_load(flags) & 0x40)) {
	}
}

void spin_lock(void)
{
	while (atomic_flag_test_and_set(&held)) {
	}
}

void spin_two(void)
{
	while (!atomic_load(&full) && !stop) {
	}
}

/* Both are looked at. */
void spin_both(atomic_int *other)
{
	while (!atomic_load(&full) || !atomic_load(other)) {
	}
}
#endif

void work_compute(long n)
{
	double x = 1;

	for (long i = 0; i < n; i++)
		x *= 1.0000001;
	result = x;
}

unsigned long work_mix(unsigned long x, unsigned long n)
{
	while (n--)
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return x;
}

/* As in memchr(): it loads from another address each time. */
const char *work_search(const char *text, char c)
{
	while (*text != c)
		text++;
	return text;
}

size_t work_index(const int *numbers, int n)
{
	size_t i = 0;

	while (numbers[i] != n)
		i++;
	return i;
}

struct item {
	struct item *next;
	long key;
};

struct item *work_list(struct item *i)
{
	while (i->next)
		i = i->next;
	return i;
}

long work_sum(const long *numbers, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += numbers[i];
	return sum;
}

/* Memory keeps what one iteration leaves to the next. */
void work_counter(volatile long *counter)
{
	while (*counter < 1000)
		*counter = *counter + 1;
}

void work_local(void)
{
	volatile int i = 0;

	while (i < 1000)
		i = i + 1;
}

void work_add(atomic_long *sum, long n)
{
	long old = atomic_load(sum);

	while (!atomic_compare_exchange_weak(sum, &old, old * 3 + n)) {
	}
}

/* A sequentially consistent store exchanges, as a try to lock does. */
void work_store(atomic_int *count)
{
	while (atomic_load(count) < 1000)
		atomic_store(count, atomic_load(count) + 1);
}

#ifdef __x86_64__
/* Its loads write a part of the register that it counts in. */
void work_part(const char *byte)
{
	long x = 0;

	__asm__ volatile("1: addl $0x100, %%eax; movb (%1), %%al; cmpl $0x100000, %%eax; jb 1b"
			 : "+a"(x)
			 : "r"(byte)
			 : "cc", "memory");
	__asm__ volatile("1: movb (%1), %%al; addl $0x100, %%eax; cmpl $0x100000, %%eax; jb 1b"
			 : "+a"(x)
			 : "r"(byte)
			 : "cc", "memory");
}

/* It exchanges registers by what is otherwise an instruction without effect. */
void work_exchange(const char *byte)
{
	__asm__ volatile("1: testb $1, (%0); xchg %%rax, %%r8; testl %%eax, %%eax; jne 1b"
			 :
			 : "r"(byte)
			 : "rax", "r8", "cc", "memory");
}
#endif

/* A state machine that works elsewhere. */
void work_states(volatile int *state, long n)
{
	for (;;) {
		switch (*state) {
		case 1:
			result = (double)n++;
			*state = 2;
			break;
		case 2:
			result = (double)(n * n);
			*state = n > 1000 ? 3 : 1;
			break;
		case 3:
			return;
		default:;
		}
	}
}

void work_clear(char *bytes, long n)
{
	for (long i = 0; i < n; i++)
		bytes[i] = 0;
}

void work_calls(int (*f)(void))
{
	while (!f()) {
	}
}
