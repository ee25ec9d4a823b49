"""tested.py SOURCES: prints doc/tested.md as it is now, with the counts made anew from the tests.

A test says what it tries in a comment "tested: KIND, NAME UNIT (VARIABLE=N): TEXT.", of one line or several. NAME is what
holds the number of cases in the file, or FILE/NAME in another one: a constant, the default of a variable, or a list, of
which the words count; /PATTERN/ counts the lines that match. UNIT may contain another NAME in braces. VARIABLE=N is a
campaign, which may be left out."""
import pathlib, re, sys

KINDS = {
    'random programs': 'Generated programs print the same, and end in the same way, recorded and not recorded.',
    'real programs': 'Programs of other people give the same output, files and exit status, recorded and not recorded.',
    'kills': 'Processes get SIGKILL at random times. What they had logged is in the log.',
    'failing calls': 'System and library calls fail. The program does the same as without, and nothing hangs.',
    'mutated inputs': 'Readers get damaged files. They read or refuse them, within limits of time and memory.',
    'oracles with random cases': 'An algorithm gives the answers of a simpler one, or of a simulation.',
    'sanitizers': 'Glimpse runs with sanitizers, and programs that have them are recorded.',
    'refused machine': 'The kernel refuses what it refuses in a container.',
    'jails and sandboxes': 'Programs that lock themselves up do the same, recorded and not recorded.',
}
FORM = re.compile(r'(?P<kind>[a-z ]+), (?P<name>/.+?/|[\w./]+) (?P<unit>[^:(]+?)(?: \((?P<campaign>\w+=\w+)\))?: (?P<text>.+)\.$')
REMARK = re.compile(r'^(?:#|/\*| \*)\s*tested: ((?:.|\n)*?\.)(?: \*/)?$', re.M)
BEGIN, END = '<!-- counts: made by make tested -->\n', '<!-- end of the counts -->\n'


def number(file, name):
    """How many cases a file does, by the name of the number or list."""
    text = REMARK.sub('', file.read_text())
    if name.startswith('/'):
        return f'{len(re.findall(name[1:-1], text, re.M)):,}'
    name = re.escape(name)
    for pattern in (rf'\b{name}\s*=\s*\(([^)\n]*)\)', rf'^{name}="([^"\n]*)"', rf'^{name} = ((?:\\\n|[^\n$])+)$'):
        words = re.search(pattern, text, re.M)
        if words:
            return str(len(words[1].replace('\\\n', ' ').split()))
    for pattern in (rf'"{name}", (?:[^;\n]*: )?(\d+)', rf'#define {name}\s+(\d+)', rf'\b{name}\s*=\s*(\d+)',
                    rf'\b{name}\s*=[^;\n]*?(?:-|: )(\d+)\b', rf'\b{name} (\d+)$', rf'\b{name} \? [^;]*?: (\d+)'):
        found = re.search(pattern, text, re.M)
        if found:
            return f'{int(found[1]):,}'
    sys.exit(f'{file}: no number {name}')


def number_of(sources, path, name):
    """The same of NAME in the file of that path, of /PATTERN/, or of FILE/NAME."""
    if name.startswith('/') or '/' not in name:
        return number(sources / path, name)
    path, _, name = name.rpartition('/')
    return number(sources / path, name)


def remarks(text):
    """The remarks "tested: ..." of a file, each in one line."""
    for found in REMARK.finditer(text):
        yield re.sub(r'\s*\n(?:#| \*)\s*', ' ', found[1])


def command(path, text, campaign):
    """What repeats the cases of a test, and its campaign."""
    words = [campaign] if campaign else []
    seed = re.search(r'\b[A-Z_]*SEED\b', text)
    if seed or (campaign or '').startswith('CASES='):
        words.insert(0, (seed[0] if seed else 'SEED') + '=1')
    test = re.sub(r'\.c$', '', path)
    if test == 'tests/local.mk':
        return 'make -C build check-refused'
    return ' '.join(words + ['make -C build check TESTS=' + test])


def rows(sources):
    """The rows of each kind."""
    all_rows = {kind: [] for kind in KINDS}
    tests = sources / 'tests'
    files = [tests / 'local.mk', *tests.rglob('*.test'), *tests.rglob('*.c')]
    for file in sorted(files):
        path, text = str(file.relative_to(sources)), file.read_text()
        for remark in remarks(text):
            form = FORM.match(remark)
            if not form or form['kind'] not in KINDS:
                sys.exit(f'{path}: not in the form "KIND, NAME UNIT (VARIABLE=N): TEXT.": {remark}')
            unit = re.sub('{(.+?)}', lambda m: number_of(sources, path, m[1]), form['unit'])
            n = number_of(sources, path, form['name'])
            again = command(path, text, form['campaign'])
            all_rows[form['kind']].append(
                f'| {form["text"]} | {n} {unit} | {form["campaign"] or "-"} | `{again}` |\n')
    return all_rows


def main():
    sources = pathlib.Path(sys.argv[1])
    page = (sources / 'doc/tested.md').read_text()
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    if not after:
        sys.exit('doc/tested.md: the lines around the counts are missing')
    counts = ''
    for kind, lines in rows(sources).items():
        if not lines:
            sys.exit(f'no test of the kind "{kind}"')
        counts += f'\n### {kind.capitalize()}\n\n{KINDS[kind]}\n\n'
        counts += '| what is compared | one `./check` | campaign | command |\n|---|---|---|---|\n' + ''.join(lines)
    sys.stdout.write(before + BEGIN + counts + '\n' + END + after)


main()
