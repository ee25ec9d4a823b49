/* In several programs, so that dwz puts what debug information says of it into a file of its own. */
extern volatile unsigned long sink;

static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

static inline __attribute__((always_inline)) void middle(unsigned long n)
{
	inner(n);
}
