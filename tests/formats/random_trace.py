"""random_trace.py SEED: a recipe of mklog with events of all types, in intervals that nest, overlap, and lead to other threads."""
import random
import sys

r = random.Random(int(sys.argv[1]))
print("""spec toy.spec <<
glimpse toy
event On(int n); event Off(int n); event Wakes(int n);
event Ask(object lock, string why); event Got(object lock, int spins, double x);
event Send(int id); event Receive(int id);
event Note(string s, ulong big, long small, address a, uint u, int i, double d, string t, code32 site);
event Enter(code f); event Exit(code f); event Take(object lock); event Give(object lock);
event New(object thing); event Free(object thing) = (ends "thing");
interval Running [ i:On -> o:Off ] where i.thread == o.thread = rectangle (kind "state", label "running");
interval Ready [ i:Wakes -> o:On ] where i.thread == o.thread = rectangle (kind "state", label "ready");
interval Blocked [ i:Off -> o:Wakes ] where i.thread == o.thread = rectangle (kind "state", label "blocked");
interval LockWait [ a:Ask -> g:Got ] where a.thread == g.thread && a.lock == g.lock = rectangle (kind "wait");
interval Call [ a:Enter -> g:Exit ] nested where a.thread == g.thread && a.f == g.f = rectangle (kind "call");
interval Hold [ a:Take -> g:Give ] nested where a.thread == g.thread && a.lock == g.lock = rectangle (kind "hold");
interval Thing [ a:New -> g:Free ] where a.thing == g.thing = rectangle (kind "life");
interval Message [ s:Send -> r:Receive ] where s.id == r.id = line;
interval Back [ r:Receive <- s:Send ] where s.id == r.id = line (kind "cause");
interval Between [ s:Note -> n:Note ] = rectangle (kind "work");
interval Long [ s:Ask -> n:Note ] where s.thread == n.thread = rectangle (kind "phase");
end
>>""")


def text():
    """A string of every byte, or a plain one; mklog has the escapes."""
    if r.random() < 0.3:
        return '"' + "".join("\\x%02x" % b for b in range(256)) + '"'
    return '"' + "".join(r.choice(["a", "\\\\", "\\n", '\\"', "%", ",", "é", "\\x00", "\\xff", "‮", " "]) for _ in range(r.randrange(9))) + '"'


def whole(low, high):
    return r.choice([low, high, 0, 1, r.randint(low, high)])


def real():
    return r.choice(["nan", "inf", "-inf", "-0.0", "1e308", "5e-324", "0.1", repr(r.uniform(-9, 9))])


def event(kind):
    n = r.randrange(1, 5)
    if kind in ("On", "Off", "Wakes"):
        return "n=%d" % whole(-2**31, 2**31 - 1)
    if kind == "Ask":
        return "lock=%d why=%s" % (n, text())
    if kind == "Got":
        return "lock=%d spins=%d x=%s" % (n, whole(-2**31, 2**31 - 1), real())
    if kind in ("Send", "Receive"):
        return "id=%d" % r.randrange(12)
    if kind == "Note":
        return "s=%s big=%d small=%d a=%d u=%d i=%d d=%s t=%s site=%d" % (
            text(), whole(0, 2**64 - 1), whole(-2**63, 2**63 - 1), whole(0, 2**64 - 1), whole(0, 2**32 - 1),
            whole(-2**31, 2**31 - 1), real(), text(), whole(0, 2**32 - 1))
    if kind in ("Enter", "Exit"):
        return "f=%d" % (4096 * n)
    if kind in ("Take", "Give"):
        return "lock=%d" % n
    return "thing=%d" % (100 + n)


kinds = ["On", "Off", "Wakes", "Ask", "Got", "Send", "Receive", "Note", "Enter", "Exit", "Take", "Give", "New", "Free"]
for thread in range(r.randrange(1, 5)):
    print('log %d name=%s' % (thread, r.choice(["main", "worker", '"a \\"b\\" \\\\ é"'])))
    time = r.randrange(1, 100)
    for _ in range(r.randrange(1, 120)):
        time += r.choice([0, 1, 5, r.randrange(1000)])
        kind = r.choice(kinds)
        print(time, kind, event(kind))
