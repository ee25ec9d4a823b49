"""spark_recipe.py SEED SPEC LOGS EVENTS: a recipe of a random trace for the tests of `glimpse spark-submit`.

Times tie; numbers are few and extreme; strings have any bytes. SPEC declares A(int x, ulong u, double d, string t) and the
same for B.
"""
import random
import sys

STRINGS = '"abc"', '""', '"a,b=c;"', r'"\x00\xff\n"'

seed, spec, logs, events = sys.argv[1:]
random.seed(int(seed))
with open(spec, encoding="utf-8") as file:
    text = file.read()
for process, name in enumerate(("one", "two")):
    print(f"directory {name}\nspec s.spec <<\n{text}>>\nprocess program={name} pid={11 + process}")
    for log in range(int(logs)):
        print(f"log {log}")
        time = random.randrange(20)
        for _ in range(int(events)):
            time += random.choice([0, 0, 1, 5, 20, 100])
            print(time, random.choice("AB"), f"x={random.randrange(-2, 5)}",
                  f"u={random.choice([0, 1, 2, 3, 4, 2**63, 2**64 - 1])}",
                  f"d={random.choice(['0', '-0', 'nan', '1.5', '-2.25', 'inf', '-inf', '0.1', '5e-324'])}",
                  f"t={random.choice(STRINGS)}")
