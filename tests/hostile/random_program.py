"""random_program.py SEED: prints a C++ program of scenes (scenes.h) in threads, children and exceptions.

What it prints and its exit status depend on nothing but the seed."""
import random, sys

SCENES = '''locks conditions semaphores forks spawns execs signals timers jumps faults throws loads cancels contexts pipes
memory locals timed stops kills shells small_stacks'''.split()
FUNCTIONS, DEPTH = 6, 3
choose = random.Random(int(sys.argv[1]))


def expression(function, depth):
    """A random value: a scene, a function that comes later, or one of these elsewhere."""
    kind = choose.random()
    if depth == 0 or kind < 0.4:
        return f'scenes::{choose.choice(SCENES)}({choose.randrange(1, 15)})'
    if kind < 0.55 and function + 1 < FUNCTIONS:
        return f'f{choose.randrange(function + 1, FUNCTIONS)}()'
    inner = expression(function, depth - 1)
    return choose.choice([
        f'scenes::in_threads({choose.randrange(1, 4)}, [](int me) {{ return {inner} + me; }})',
        f'scenes::in_child([] {{ return {inner}; }})',
        f'scenes::through_exceptions({choose.randrange(1, 6) * 2 - 1}, [] {{ return {inner}; }})',
        f'({inner} + {expression(function, depth - 1)})',
    ])


print('#include "scenes.h"\n')
for n in range(FUNCTIONS):
    print(f'long f{n}();')
for n in range(FUNCTIONS):
    body = ' + '.join(expression(n, DEPTH if n < 2 else 1) for _ in range(choose.randrange(1, 3)))
    print(f'\nlong f{n}()\n{{\n\treturn {body};\n}}')
print('\nint main(int argc, char **argv)\n{\n\tscenes::begin(argc, argv);')
for _ in range(choose.randrange(2, 5)):
    value = expression(0, DEPTH)
    print(f'\tscenes::print("{value.count("(")}", {value});')
print(f'\tscenes::end({choose.randrange(7)}, {choose.randrange(120)});\n}}')
