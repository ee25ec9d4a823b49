"""Judges answers: a first line as right, silent or wrong; names as readable or not; medians."""
import re

# What a first line says that names no cause and does not pretend to: honest silence.
SILENT = (
    r'^no bottleneck found',
    r'^No thread in the trace is active',
    r'^Waits for an unknown reason',
    r'^Nothing is known',
    r'[Cc]annot tell',
    r'in \[unnamed code\]',
)
# Silent only if other programs really ran beside the recorded one; otherwise it is a wrong answer.
OTHERS = r'^Other programs keep the processors busy|^Waits for a processor'
# Right of a program in which nothing is to be found, if its case has no RIGHT of its own.
HEALTHY = (r'^Limited only by computing|^All processors are busy|^Other programs keep the processors busy'
           r'|^no bottleneck found|^Nothing limits')
# Names that say nothing to the reader: numbered functions, addresses, offsets in modules, code without a file.
UNREADABLE = re.compile(r'\S*\bfn_[0-9a-f]+|\S+\+0x[0-9a-f]+|\b0x[0-9a-f]{4,}|\[unnamed code\]')
SCREEN = 24  # lines of a terminal


def judge(line, right='', wrong='', sort='real', others=0.0):
    """Returns 'right', 'silent' or 'wrong'. others: processors that other programs used meanwhile."""
    if not right and sort == 'healthy':
        right = HEALTHY
    if wrong and re.search(wrong, line):
        return 'wrong'
    if right and re.search(right, line):
        return 'right'
    if not line or any(re.search(pattern, line) for pattern in SILENT):
        return 'silent'
    if re.search(OTHERS, line) and others >= 0.1:
        return 'silent'
    return 'wrong'


def says(text, pattern):
    """Whether the text matches the regular expression, or None without one."""
    return bool(re.search(pattern, text)) if pattern else None


def unreadable(text, lines=SCREEN):
    """Counts the different unreadable names on the first screen."""
    return len(set(UNREADABLE.findall('\n'.join(text.splitlines()[:lines]))))


def quantile(values, share):
    """Linear between the two nearest values."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def median(values):
    return quantile(values, 0.5)


def spread(values):
    """Returns the median and the quartiles, or None without values."""
    if not values:
        return None
    return {'median': median(values), 'low': quantile(values, 0.25), 'high': quantile(values, 0.75), 'n': len(values)}


def gain_of(whatif):
    """The gain that the JSON of glimpse whatif predicts, in % of the unchanged replay, with its range."""
    base = whatif['replayed']
    if not base:
        return None
    share = lambda value: 100 * (1 - value / base)
    return {'gain': share(whatif['predicted']), 'low': share(whatif['high']), 'high': share(whatif['low'])}


def compare(predicted, real):
    """Adds to a prediction how far it is off, and whether its range contains the median of the real gain."""
    predicted['width'] = predicted['high'] - predicted['low']
    if real:
        predicted['off'] = abs(predicted['gain'] - real['median'])
        predicted['inside'] = predicted['low'] <= real['median'] <= predicted['high']
    return predicted
