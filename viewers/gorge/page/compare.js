/*
 * Two recordings, one above the other (gorge --beside). A control aligns them: at their starts, at the start of a
 * thread, at the first event of a name, or at the pinned items.
 */
/* uses: server, labels, view, beside */
const compare = (() => {
	const { make } = labels;
	const select = make("select"), control = make("label", "align", "aligned at ", select);
	let before = "", after = "", chosen = "start", other = null;

	function timeOf(pinned) {
		if (!pinned)
			return undefined;
		return pinned.event ? pinned.event.time : pinned.instance ? pinned.instance.start : pinned.stack.from;
	}

	const ask = { mine: (...what) => server.ask(...what), theirs: (...what) => other.ask(...what) };

	async function firstOf(event, who) {
		return (await ask[who]("step", { event, index: 0, to: "itself" })).event.time;
	}

	/* The times in the lower pane and in the upper one. */
	const places = {
		start: () => [0, 0],
		pinned: () => [timeOf(view.state.pinned), timeOf(other.state.pinned)],
		event: (name) => Promise.all([firstOf(name, "mine"), firstOf(name, "theirs")]),
		thread: (name) => [view.state, other.state].map((s) => s.threads.find((t) => t.label === name).first),
	};

	async function choose() {
		const [kind, ...rest] = select.value.split(":");
		try {
			const [mine, theirs] = await places[kind](rest.join(":"));
			if (!Number.isFinite(mine) || !Number.isFinite(theirs))
				throw new Error("pin an item in each of the two runs first");
			beside.align(theirs - mine);
			chosen = select.value;
			view.say("");
		} catch (e) {
			select.value = chosen;
			view.say(e.message);
		}
	}

	function option(value, text) {
		const o = make("option", "", text);
		o.value = value;
		return o;
	}

	function group(title, kind, names) {
		const g = make("optgroup");
		g.label = title;
		g.append(...names.map((name) => option(kind + ":" + name, name)));
		return names.length ? [g] : [];
	}

	/* The names that both have. */
	function shared(mine, theirs) {
		const there = new Set(theirs);
		return [...new Set(mine)].filter((name) => there.has(name));
	}

	function joined(upper) {
		const names = (s) => s.threads.map((t) => t.label);
		other = upper;
		select.replaceChildren(option("start", "the start"), option("pinned", "the pinned items"),
			...group("start of thread", "thread", shared(names(view.state), names(other.state))),
			...group("first event", "event", shared(view.state.logged, other.state.logged)));
		select.value = chosen = "start";
		const said = before + ", " + labels.duration(other.duration());
		document.querySelector("#predicted span").textContent = said;
	}

	function start(what) {
		view.state.logged = what.events.filter((e) => !e.absent).map((e) => e.name);
		if (what.before === undefined)
			return;
		({ before, after } = what);
		document.querySelector("#recorded").append(control);
		select.addEventListener("change", choose);
		beside.stand("second/", { two: true, name: before, upper: ["before", before],
			lower: ["after", after + ", " + labels.duration(what.duration)], joined });
	}

	view.on("start", start);

	return { chosen: () => chosen };
})();
