/*
 * What if: a form for what is picked, or for any name, in which a change is typed. The program replays
 * the run with it; the page shows the predicted run above the recorded one, and what changed most.
 */
/* uses: server, labels, view, panel, layers, beside */
const whatif = (() => {
	const { make } = labels;
	const PAUSE = 200, SHOWN = 8;
	const place = panel.add({
		name: "whatif", tab: "What if", tip: "predict the run if something were different", html: `
	<h2>What if</h2>
	<div class="asks"></div><p class="said" role="status"></p><div class="result"></div>`,
	});
	const asks = place.querySelector(".asks"), said = place.querySelector(".said"), result = place.querySelector(".result");
	/* turn: of the questions; an answer to an earlier one is not shown. */
	let turn = 0, answer = null, running = false, subject = null;

	/* ---- the field ---- */

	/*
	 * The options of glimpse whatif that change something. named: it is about something with a name. steps: a
	 * button for each of these values; the others are typed.
	 */
	const factors = { "2x": "twice as fast", "4x": "four times as fast" };
	const changes = {
		fix: { says: "itself is improved, as in Why,", hint: "times as fast", named: true,
		       steps: { ...factors, gone: "takes no time" } },
		speed: { says: "becomes", hint: "times as fast", named: true,
			 steps: { ...factors, gone: "takes no time" } },
		time: { says: "takes", hint: "5ms", named: true, steps: {} },
		io: { says: "reads and writes", hint: "2x or 200MB/s,0.1ms", named: true, steps: factors },
		lock: { says: "is acquired in the order", hint: "fifo", named: true,
			steps: { none: "as if the lock did not exist", fifo: "the longest waiter first",
				 lifo: "the shortest waiter first", free: "the first that tries",
				 ticket: "threads spin, the longest waiter first", spin: "threads spin" } },
		hold: { says: "is held for", hint: "5ms", named: true, steps: {} },
		threads: { says: "has so many threads", hint: "8", named: true,
			   steps: { 2: "two threads", 4: "four threads", 8: "eight threads" } },
		schedule: { says: "is a loop with the schedule", hint: "dynamic,4", named: true,
			    steps: { static: "one block for each thread", dynamic: "the next chunk for a free thread",
				     guided: "chunks that become smaller" } },
		cores: { says: "the number of processors is", hint: "how many",
			 steps: { 1: "one processor", 2: "two processors", 4: "four processors",
				  inf: "unlimited processors" } },
		slice: { says: "the time slice is", hint: "3ms", steps: {} },
		slots: { says: "is a semaphore with so many slots", hint: "8", named: true,
			 steps: { 2: "two slots", 4: "four slots", 8: "eight slots" } },
	};
	/* Which of them a subject can have, the default first. */
	const subjects = {
		any: { title: "", can: Object.keys(changes).filter((name) => name !== "fix") },
		function: { title: "function", can: ["speed", "fix", "time"] },
		interval: { title: "interval", can: ["speed", "fix", "time", "io", "schedule"] },
		lock: { title: "lock", can: ["lock", "hold", "fix", "speed"] },
		thread: { title: "thread", can: ["speed", "fix", "threads"] },
		site: { title: "call site", can: ["speed", "fix", "time", "schedule"] },
		processors: { title: "processors", can: ["cores", "slice"] },
	};
	const ANY = { kind: "any", name: "" };

	/* The query has the options of glimpse whatif; what is picked is exactly of its name. */
	function valuesOf(of, change, text) {
		if (!changes[change].named)
			return { [change]: text };
		const faster = ["speed", "fix", "io"].includes(change);
		const value = !faster ? text : text === "gone" ? "inf" : text.replace(/\s*[x\u00d7]$/, "");
		const prefix = change === "fix" ? of.kind + ":" : of.kind === "thread" && change === "speed" ? "thread:" : "";
		return { [change]: prefix + of.name + "=" + value, exact: of.kind === "any" ? undefined : 1 };
	}

	function nameOf(of) {
		return of.kind === "processors" ? of.kind : labels.shorten(of.name) + ", " + subjects[of.kind].title;
	}

	function select(says, names) {
		const element = make("select", "", ...names.map((name) => make("option", "", name)));
		element.setAttribute("aria-label", says);
		return element;
	}

	function box(says, size, text) {
		const input = make("input");
		input.type = "text";
		input.size = size;
		input.spellcheck = false;
		input.value = text;
		input.setAttribute("aria-label", says);
		return input;
	}

	/* The element for the subject of a change: a choice of those that are picked, or a name to type. */
	function chooser(of) {
		if (of[0].kind === "any") {
			const name = box("name", 32, of[0].name);
			name.className = "name";
			name.placeholder = "function, interval, lock, thread:NAME";
			return { element: name, current: () => ({ kind: "any", name: name.value.trim() }) };
		}
		if (of.length === 1)
			return { element: make("b", "", nameOf(of[0])), current: () => of[0] };
		const element = select("what", of.map(nameOf));
		return { element, current: () => of[element.selectedIndex] };
	}

	/* A form for the first of the subjects, or another one that is chosen; text: what is filled in. */
	function field(of, text = "", change = undefined) {
		const what = chooser(of), quick = make("span", "steps"), value = box("what if", 11, text);
		const how = select("change", []);
		const form = make("form", "whatif", make("p", "", "what if  ", what.element),
			make("p", "", how, value, make("button", "", "predict"), quick));
		const can = () => subjects[what.current().kind].can, chosen = () => can()[how.selectedIndex];
		function fillSteps() {
			const { steps, hint, named } = changes[chosen()];
			quick.replaceChildren(...Object.entries(steps).map(([word, title]) => {
				const button = make("button", "", word);
				button.type = "button";
				button.title = title;
				button.addEventListener("click", () => run(what.current(), word, chosen()));
				return button;
			}));
			value.placeholder = hint;
			if (what.current().kind === "any")
				what.element.hidden = !named;
		}
		function fill(first) {
			how.replaceChildren(...can().map((name) => make("option", "", changes[name].says)));
			how.selectedIndex = Math.max(0, can().indexOf(first));
			fillSteps();
		}
		what.element.addEventListener("change", () => what.element.tagName === "SELECT" && fill());
		how.addEventListener("change", fillSteps);
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			run(what.current(), value.value.trim(), chosen());
		});
		fill(change);
		return form;
	}

	/* Opens the panel: what is picked has a form, and below it anything by its name. */
	function offer(of, text, change) {
		subject = of;
		asks.replaceChildren(field([of], text, change), ...(of.kind === "any" ? [] : [field([ANY])]));
		panel.show("whatif");
	}

	/* Opens the panel with a change filled in, for the user to press Enter. */
	function propose(of, text, change) {
		offer(of, text, change);
		const input = asks.querySelector("input[aria-label='what if']");
		input.focus();
		input.select();
	}

	/* ---- asking ---- */

	function say(text, ...more) {
		said.replaceChildren(text, ...more);
		said.classList.remove("wrong");
	}

	function refuse(text, again) {
		say(text);
		said.classList.add("wrong");
		if (!/--anyway/.test(text))
			return;
		const button = make("button", "", "predict anyway");
		button.addEventListener("click", again);
		said.append(" ", button);
	}

	function sayProgress(state) {
		const bar = make("progress"), stop = make("button", "", "stop");
		bar.max = state.all;
		bar.value = state.done;
		stop.addEventListener("click", cancel);
		say(bar, " ", state.step + ", " + labels.duration(state.for) + " ", stop);
	}

	/* Waits for the answer. */
	async function follow(mine) {
		for (;;) {
			const state = await server.ask("whatif-state");
			if (mine !== turn || state.answer || !state.running)
				return state;
			sayProgress(state);
			await new Promise((done) => setTimeout(done, PAUSE));
		}
	}

	async function ask(of, text, change, more) {
		const mine = ++turn;
		running = true;
		answer = null;
		beside.close();
		result.replaceChildren();
		say("replaying\u2026");
		try {
			await server.send(server.address("whatif", { ...valuesOf(of, change, text), ...more }), "");
			const state = await follow(mine);
			if (mine !== turn)
				return;
			if (state.answer)
				await show(state, { ...JSON.parse(state.answer), asked: state.asked });
			else
				refuse(state.why || "stopped", () => ask(of, text, change, { anyway: 1 }));
		} catch (e) {
			if (mine === turn)
				refuse(e.message);
		}
		if (mine === turn)
			running = false;
	}

	function run(of, text, change = subjects[of.kind].can[0]) {
		offer(of, text, change);
		return ask(of, text, change);
	}

	/* Stops what runs, or takes the predicted run away. */
	async function cancel() {
		turn++;
		const stopped = running;
		running = false;
		answer = null;
		beside.close();
		result.replaceChildren();
		say(stopped ? "stopped" : "");
		try {
			await server.send("whatif-stop", "");
		} catch (e) {
			view.say(e.message);
		}
	}

	/* The page shows something else, which has no predicted run. */
	function leave() {
		if (running || beside.shown())
			cancel();
	}

	/* Returns whether there was anything to stop. */
	function stop() {
		const any = running;
		if (any)
			cancel();
		return any;
	}

	/* ---- the answer ---- */

	function percent(before, after) {
		const change = before ? 100 * (after - before) / before : 0;
		return (change > 0 ? "+" : change < 0 ? "\u2212" : "") + Math.abs(change).toFixed(1) + " %";
	}

	/* The change is one of the run without what it cost to record it, as glimpse whatif counts it. */
	function headlineOf(a) {
		const cost = 1000 * (a.replayed - a.without_cost) > a.replayed, missed = Math.abs(a.replayed - a.recorded) / a.recorded;
		return [make("p", "times", make("b", "", labels.duration(a.recorded) + " \u2192 " + labels.duration(a.predicted)), ", " +
				percent(a.without_cost, a.predicted)),
			make("p", "range", "between " + labels.duration(a.low) + " and " + labels.duration(a.high) + ", " +
				percent(a.without_cost, a.low) + " to " + percent(a.without_cost, a.high)),
			...(missed >= 0.0005 ? [make("p", "muted", "the replay without the change takes " + labels.duration(a.replayed) + ", " +
				(100 * missed).toFixed(1) + " % off; " + percent(a.without_cost, a.predicted) + " is relative to it")] : []),
			...(cost ? [make("p", "muted", labels.duration(a.without_cost) + " without the cost of recording")] : []),
			...limitsOf(a),
			...(a.untied ? [make("p", "muted", labels.plural(a.untied, "wait") +
				" without the wake-up that ended them in the recorded run")] : [])];
	}

	const limits = { function: (n) => "computing in " + n.name, interval: (n) => "computing in " + n.name,
			 thread: () => "computing", lock: (n) => n.name, processors: () => "waiting for processors",
			 io: (n) => n.name, waiting: () => "waits that no thread ends" };
	const fixed = { lock: "also without it", processors: "with unlimited processors" };

	const faster = (n) => n.factor > 2 ? "if " + n.factor + " times as fast" : "if also twice as fast";

	/* Says which limit the run has now, or then, and the gain of fixing that, too, with all changes before it. */
	function limitText(n, whole, then) {
		const share = " (" + Math.round(100 * n.share) + " % of the critical path)";
		const range = " in all (" + percent(whole, n.low) + " to " + percent(whole, n.high) + ")";
		const still = n.after && n.kind !== "lock" ? ", still limited by it" : "";
		const change = "; " + (fixed[n.kind] || faster(n)) + ": ";
		const more = n.duration === null ? "" : change + percent(whole, n.duration) + range + still;
		const where = n.thread ? " in " + n.thread : "";
		return (then ? "then" : "now") + " limited by " + limits[n.kind](n) + where + share + more;
	}

	const limitsOf = ({ next, without_cost: whole }) => next.filter((n) => limits[n.kind])
		.map((n, i) => make("p", "", limitText(n, whole, i > 0)));

	function table(heads, rows) {
		return make("table", "", make("tr", "", ...heads.map((h) => make("th", "", h))),
			...rows.map(([name, ...cells]) => {
				const first = make("td", "name", labels.shorten(name, 24));
				first.title = name;
				return make("tr", "", first, ...cells.map((c) => make("td", "", c)));
			}));
	}

	/* "181 \u2192 91.0 ms": the unit once, where it is the same. */
	function arrow(before, after) {
		if (before === 0 && after === 0)
			return "-";
		const [from, to] = [before, after].map((ns) => labels.duration(ns)), unit = to.slice(to.indexOf(" "));
		return (from.endsWith(unit) ? from.slice(0, -unit.length) : from) + " \u2192 " + to;
	}

	function locksOf(a) {
		const rows = a.locks.slice(0, SHOWN).map((l) => [l.lock, arrow(l.wait_replayed, l.wait_predicted)]);
		return rows.length ? [make("h2", "", "waits for locks"), table(["", "total"], rows)] : [];
	}

	const sorts = ["running", "ready", "blocked"];

	/* How long a lane's thread was in each sort of state, in ns. */
	function timesOf(lane) {
		const times = { running: lane.running, ready: 0, blocked: 0 };
		for (const { key, ns } of lane.states) {
			const entry = layers.entry("intervals", key), name = (entry ? entry.label : key).toLowerCase();
			if (/ready|runnable|preempted/.test(name))
				times.ready += ns;
		}
		const all = lane.states.reduce((sum, s) => sum + s.ns, 0);
		times.blocked = Math.max(0, all - times.running - times.ready);
		return times;
	}

	const whole = (duration) => ({ begin: 0, end: Math.max(duration, 1), viewport: undefined, collapsed: "", group: "none" });

	/* The threads whose times change most, from the shares of both panes. */
	async function threadsOf() {
		const mine = { ...view.state.asked, ...whole(view.state.duration), place: "whatif" }, other = beside.other();
		const [before, after] = await Promise.all([server.ask("shares", mine),
			other.shares({ ...whole(other.duration()), place: "whatif" })]);
		const processors = view.state.picture.lanes.filter((l) => l.processors).map((l) => l.name);
		const now = new Map(after.lanes.filter((l) => l.states && !processors.includes(l.name)).map((l) => [l.name, timesOf(l)]));
		const rows = before.lanes.filter((l) => l.states && now.has(l.name)).map((l) => {
			const was = timesOf(l), is = now.get(l.name);
			return { name: l.name, was, is, by: sorts.reduce((sum, s) => sum + Math.abs(is[s] - was[s]), 0) };
		});
		return rows.filter((r) => r.by).sort((a, b) => b.by - a.by).slice(0, SHOWN);
	}

	async function fillThreads() {
		const mine = turn, rows = await threadsOf();
		if (mine === turn && rows.length)
			result.append(make("h2", "", "threads"), table(["", ...sorts],
				rows.map((r) => [r.name, ...sorts.map((s) => arrow(r.was[s], r.is[s]))])));
	}

	/* The upper pane has come when its page has. */
	async function upper(mine) {
		while (mine === turn && !(beside.other() && beside.other().state.picture))
			await new Promise((done) => setTimeout(done, PAUSE / 4));
	}

	/* shown: there is a predicted run to look at. */
	async function show({ number, shown }, a) {
		const mine = turn, close = make("button", "", "close the predicted run");
		answer = a;
		close.addEventListener("click", cancel);
		say("");
		result.replaceChildren(make("p", "asked", a.asked), ...headlineOf(a), ...locksOf(a));
		if (!shown) {
			result.append(make("p", "muted", "no picture: the recorded events belong to other threads"));
			return;
		}
		beside.predict("predicted/" + number + "/",
			a.asked + ": " + labels.duration(a.predicted) + ", " + percent(a.without_cost, a.predicted));
		await upper(mine);
		if (mine === turn)
			await fillThreads();
		if (mine === turn)
			result.append(make("p", "", close));
	}

	/* ---- what is picked ---- */

	const lockNames = ["lock", "mutex", "rwlock", "spinlock"];

	/* What an instance is about, from the narrowest: its function, its lock, its interval, its thread. */
	function subjectsOf(i) {
		const kinds = layers.entry("intervals", i.interval) || {}, { attributes } = i.anchor;
		const lock = attributes.find(([name]) => lockNames.includes(name)) || (kinds.layer === "locks" && attributes[0]);
		return [...(i.function ? [{ kind: "function", name: i.function }] : []),
			...(lock && lock[1] ? [{ kind: "lock", name: lock[1] }] : []),
			...(i.function || kinds.layer === "states" || kinds.layer === "waits" ? [] : [{ kind: "interval", name: i.interval }]),
			{ kind: "thread", name: i.anchor.label }];
	}

	const can = () => !server.alone && !beside.framed;

	/* Fields for the cards of what is pinned; nothing in a document, which cannot replay. */
	const ofInstance = (i) => can() ? [field(subjectsOf(i))] : [];
	const ofStack = (s) => can() ? [field([{ kind: "function", name: s.function }, { kind: "thread", name: s.label }])] : [];

	/* ---- what to fix first ---- */

	/* Takes the value of glimpse whatif --fix: "lock:queue", "lock:queue=none". */
	function proposeFix(text) {
		const [, kind, name, none] = /^(\w+):(.*?)(=none)?$/.exec(text);
		propose({ kind, name }, none ? "none" : "2x", none ? "lock" : "fix");
	}

	/* A part of the headline with an option of glimpse whatif, and its value as the name. */
	function proposePart({ option, name }) {
		if (option === "cores")
			propose({ kind: "processors" }, name, "cores");
		else
			proposeFix(name);
	}

	function start() {
		document.querySelector("[data-tab=whatif]").hidden = !can();
		document.querySelector("#predicted .close").addEventListener("click", cancel);
		asks.replaceChildren(field([ANY]));
		say("Type a name and its change, or pin a function, an interval, a lock or a thread.");
	}

	view.on("start", start);
	view.on("leave", leave);
	view.on("clear", stop);

	return { ofInstance, ofStack, propose, proposeFix, proposePart, cancel, leave, can,
		 state: () => ({ running, answer, subject, said: said.textContent }) };
})();
