/* emptied PROGRAM [ARGUMENT...]: executes the program with no environment. */
#include <unistd.h>

int main(int argc, char **argv)
{
	char *none[] = {NULL};

	if (argc > 1)
		execve(argv[1], argv + 1, none);
	return 1;
}
