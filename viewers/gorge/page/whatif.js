/*
 * What if: a field for what is picked, in which a factor is typed. The program replays the run with that change; the page
 * shows the predicted run above the recorded one, and what changed most.
 */
/* uses: server, labels, view, panel, layers, beside */
const whatif = (() => {
	const { make } = labels;
	const PAUSE = 200, SHOWN = 8;
	const place = panel.add({
		name: "whatif", tab: "What if", tip: "predict the run if something were faster", html: `
	<h2>What if</h2>
	<div class="asks"></div><p class="said" role="status"></p><div class="result"></div>`,
	});
	const asks = place.querySelector(".asks"), said = place.querySelector(".said"), result = place.querySelector(".result");
	/* turn: of the questions; an answer to an earlier one is not shown. */
	let turn = 0, answer = null, running = false, subject = null;

	/* ---- the field ---- */

	const titles = { function: "function", interval: "interval", lock: "hold time of the lock", thread: "thread", site: "call site",
			 processors: "processors" };
	const choices = { lock: [["none", "as if the lock did not exist"], ["half", "halve each hold time"]],
			  processors: [["1", "one processor"], ["2", "two processors"], ["4", "four processors"]] };
	const some = [["2x", "twice as fast"], ["4x", "four times as fast"], ["gone", "takes no time"]];

	/* What the program is asked: as the options of glimpse whatif, of exactly that name. */
	function valuesOf(of, text) {
		const name = of.kind === "thread" ? "thread:" + of.name : of.name;
		if (of.kind === "processors")
			return { cores: text };
		if (of.kind === "lock" && text === "none")
			return { lock: name + "=none", exact: 1 };
		if (text === "half")
			return { all: name + "=2", exact: 1 };
		const words = { gone: "inf" };
		return { speed: name + "=" + (words[text] || text.replace(/\s*[x\u00d7]$/, "")), exact: 1 };
	}

	function nameOf(of) {
		return of.kind === "processors" ? "processors" : labels.shorten(of.name) + ", " + titles[of.kind];
	}

	function chooser(subjects) {
		if (subjects.length === 1)
			return make("b", "", nameOf(subjects[0]));
		return make("select", "", ...subjects.map((of) => make("option", "", nameOf(of))));
	}

	/* A form for the first of the subjects, or another one that is chosen; text: what is filled in. */
	function field(subjects, text = "") {
		const what = chooser(subjects), input = make("input"), quick = make("span", "steps");
		const form = make("form", "whatif", make("p", "", "what if  ", what), make("p", "", "becomes ", input, quick));
		const current = () => subjects[what.selectedIndex || 0];
		function fill() {
			quick.replaceChildren(...(choices[current().kind] || some).map(([word, title]) => {
				const button = make("button", "", word);
				button.type = "button";
				button.title = title;
				button.addEventListener("click", () => run(current(), word));
				return button;
			}));
			input.placeholder = current().kind === "processors" ? "how many" : "times as fast";
		}
		input.type = "text";
		input.size = 11;
		input.spellcheck = false;
		input.value = text;
		input.setAttribute("aria-label", "what if");
		what.addEventListener("change", fill);
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			run(current(), input.value.trim());
		});
		fill();
		return form;
	}

	/* Opens the panel with a change filled in, for the user to press Enter. */
	function propose(of, text) {
		subject = of;
		asks.replaceChildren(field([of], text));
		panel.show("whatif");
		const input = asks.querySelector("input");
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

	async function ask(of, text, more) {
		const mine = ++turn;
		running = true;
		answer = null;
		beside.close();
		result.replaceChildren();
		say("replaying\u2026");
		try {
			await server.send(server.address("whatif", { ...valuesOf(of, text), ...more }), "");
			const state = await follow(mine);
			if (mine !== turn)
				return;
			if (state.answer)
				await show(state.number, JSON.parse(state.answer));
			else
				refuse(state.why || "stopped", () => ask(of, text, { anyway: 1 }));
		} catch (e) {
			if (mine === turn)
				refuse(e.message);
		}
		if (mine === turn)
			running = false;
	}

	function run(of, text) {
		subject = of;
		asks.replaceChildren(field([of], text));
		panel.show("whatif");
		return ask(of, text);
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
			make("p", "", "between " + labels.duration(a.low) + " and " + labels.duration(a.high)),
			...(missed >= 0.0005 ? [make("p", "muted", "the replay without the change takes " + labels.duration(a.replayed) + ", " +
				(100 * missed).toFixed(1) + " % off; " + percent(a.without_cost, a.predicted) + " is relative to it")] : []),
			...(cost ? [make("p", "muted", labels.duration(a.without_cost) + " without the cost of recording")] : []),
			...(a.limited_by ? [make("p", "", "now limited by " + a.limited_by)] : []),
			...(a.untied ? [make("p", "muted", labels.plural(a.untied, "wait") +
				" without the wake-up that ended them in the recorded run")] : [])];
	}

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

	async function show(number, a) {
		const mine = turn, close = make("button", "", "close the predicted run");
		answer = a;
		close.addEventListener("click", cancel);
		say("");
		result.replaceChildren(make("p", "asked", a.asked), ...headlineOf(a), ...locksOf(a));
		beside.open("predicted/" + number + "/",
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

	/* The change that a finding's fix says: half the time as replayed, else without it; of a lock, gone is no lock. */
	function proposeFix(fix, gone = fix.gain === undefined) {
		const kinds = { function: "function", lock: "lock", thread: "thread", interval: "interval", site: "site" };
		propose({ kind: kinds[fix.by] || "function", name: fix.what }, !gone ? "half" : fix.by === "lock" ? "none" : "gone");
	}

	/* The command that a part of the headline names: "whatif --cores 4", or a rank, whose first row a finding has. */
	async function proposePart({ name: command, text }) {
		const cores = /^whatif --cores (\d+)$/.exec(command), by = /^rank --by (\w+)/.exec(command);
		if (cores) {
			propose({ kind: "processors" }, cores[1]);
			return;
		}
		const found = (await server.ask("why")).findings.find((f) => f.fix && by && f.fix.by === by[1]);
		if (found)
			proposeFix(found.fix, /^without/.test(text));
		else
			panel.show("why");
	}

	function start() {
		document.querySelector("[data-tab=whatif]").hidden = !can();
		document.querySelector("#predicted .close").addEventListener("click", cancel);
		say("Pin a function, an interval, a lock or a thread, and type how much faster it becomes.");
	}

	view.on("start", start);
	view.on("leave", leave);
	view.on("clear", stop);

	return { ofInstance, ofStack, propose, proposeFix, proposePart, cancel, leave, can,
		 state: () => ({ running, answer, subject, said: said.textContent }) };
})();
