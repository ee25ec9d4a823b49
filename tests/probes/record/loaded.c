/* Ends with 0 if libglimpse-record.so is in this process, with 1 if not, with 2 if an argument is wrong. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int found = 1;

	if (argc > 1 && (argc != 3 || strcmp(argv[1], "one") || strcmp(argv[2], "two")))
		return 2;
	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "libglimpse-record.so"))
			found = 0;
	return found;
}
