/* What hovering shows and clicking pins: one event, or one instance of an interval and its neighbours. */
/* uses: server, labels, view, address, panel, layers, selection, outline, order, flame, beside */
const details = (() => {
	const { make } = labels;
	const place = panel.add({ name: "details", tab: "Details" });

	function line(list, name, value) {
		list.append(make("dt", "", name), make("dd", "", value));
	}

	function eventLines(list, e) {
		if (e.clock !== undefined)
			line(list, "column", labels.time(e.time).replace("column ", ""));
		line(list, "time", labels.clock(e.clock === undefined ? e.time : e.clock));
		line(list, "thread", e.label);
		for (const [name, value] of e.attributes)
			line(list, name, value);
	}

	/* Pins an instance that the event is an end of. */
	async function follow({ interval, index }) {
		try {
			pin(await server.ask("step", { interval, index, to: "itself", order: order.name() }));
		} catch (e) {
			view.say(e.message);
		}
	}

	/* Goes to an event beside the one that is pinned. */
	async function go({ event, index }) {
		try {
			const found = await server.ask("step", { event, index, to: "itself", order: order.name() });
			pin(found);
			view.show(found.event.time, found.event.time);
			scrollTo(found.event.thread);
		} catch (e) {
			view.say(e.message);
		}
	}

	/* The first of those before or after it, in its thread or in others. */
	function neighbour(side, elsewhere) {
		const pinned = view.state.pinned;
		const found = pinned && (pinned[side] || []).find((e) => elsewhere === (e.via !== undefined));
		if (found)
			go(found);
	}

	/* Those before or after an event in logical order, as buttons that lead there. */
	function neighbours(title, list, keys) {
		const group = make("div", "steps");
		group.dataset.side = title;
		group.append(...list.map((e) => {
			const where = e.via ? " in " + e.label + ", by " + e.via : "";
			return stepButton(e.event + where, "go there (" + keys[e.via ? 1 : 0] + ")", () => go(e));
		}));
		return list.length ? [make("h4", "", title), group] : [];
	}

	function eventCard({ event: e, index, of, instances, before, after }) {
		const list = make("dl"), group = make("div", "steps");
		eventLines(list, e);
		line(list, "number in thread", labels.count(e.seq));
		line(list, "event", labels.count(index + 1) + " of " + labels.count(of));
		group.append(stepButton("previous", "previous event of this type ([)", () => step("previous")),
			stepButton("next", "next event of this type (])", () => step("next")),
			...instances.map((i) => stepButton(i.end + " " + i.interval,
				"the instance that begins or ends here", () => follow(i))));
		return [make("h3", "", e.event), list, group,
			...neighbours("directly before", before || [], ",<"),
			...neighbours("directly after", after || [], ".>")];
	}

	function endCard(title, e) {
		const list = make("dl");
		eventLines(list, e);
		return [make("h4", "", title + ": " + e.event), list];
	}

	function stepButton(name, title, action) {
		const button = make("button", "", name);
		button.title = title;
		button.dataset.step = name;
		button.addEventListener("click", action);
		return button;
	}

	function steps(i) {
		const group = make("div", "steps");
		group.append(
			stepButton("previous", "previous instance ([)", () => step("previous")),
			stepButton("next", "next instance (])", () => step("next")),
			stepButton("longest", "longest instance of all (l)", () => step("longest")),
			stepButton("unmatched", "next unmatched instance (u)", () => step("unmatched")));
		if (i.matched)
			group.append(
				stepButton("partner", "to the other end (p)", partner),
				stepButton("zoom", "fill the view with it (z)", zoom));
		return group;
	}

	/* A metric in six digits, which are enough to read. */
	function rounded(value) {
		return /^-?\d+\.\d+$/.test(value) ? String(Number(Number(value).toPrecision(6))) : value;
	}

	/* A call is called by its function; all else as the legend and the bars have it. */
	function titleOf(i) {
		const name = i.function || (layers.entry("intervals", i.interval) || { label: i.interval }).label;
		return name === i.interval ? name : name + "  (" + i.interval + ")";
	}

	/* A value that leads somewhere. */
	function link(list, name, text, title, action) {
		const value = make("dd");
		value.append(stepButton(text, title, action));
		list.append(make("dt", "", name), value);
	}

	/* "parser-1, Unlock at account (stages.cpp:54)" */
	function enderText(e) {
		return e.label + ", " + e.event + (e.at ? " at " + e.at : "");
	}

	/* What a wait was for, who held that, and who ended it; of a blocked state, its wait. */
	function waitLines(list, i) {
		const w = i.wait;
		if (!w)
			return;
		if (w.interval !== i.interval)
			link(list, "in", w.name, "the wait in which the thread is blocked", () => follow(w));
		if (w.for)
			line(list, "waited for", w.for);
		if (w.at)
			line(list, "at", w.at);
		if (w.held)
			link(list, "held by", w.held.label, "the hold time during this wait", () => follow(w.held));
		if (w.ended)
			link(list, "ended by", enderText(w.ended), "the event that ended the wait", () => go(w.ended));
		else if (w.until)
			line(list, "ended by", w.until);
		if (w.searching)
			line(list, "", "still searching");
	}

	/* The same in a line, for the box at the pointer. */
	function waitBrief(w) {
		const parts = w ? [w.for ? "for " + w.for : w.name, w.held && "held by " + w.held.label,
			w.ended ? "ended by " + w.ended.label : w.until && "ended by " + w.until] : [];
		return parts.length ? [make("br"), parts.filter(Boolean).join(", ")] : [];
	}

	/* What is still being found is asked for again as long as the instance is pinned. */
	function completeSoon(found) {
		const i = found.instance;
		if (i && i.wait && i.wait.searching)
			setTimeout(() => view.state.pinned === found && follow(i), 500);
	}

	/* The ends in the order of time, whichever the search began with. */
	function endsOf(i) {
		if (!i.partner)
			return [["at", i.anchor]];
		return i.partner.time < i.anchor.time ? [["begin", i.partner], ["end", i.anchor]]
						      : [["begin", i.anchor], ["end", i.partner]];
	}

	function instanceCard(i) {
		const list = make("dl");
		if (i.matched)
			line(list, "duration", labels.duration(i.end - i.start));
		else
			line(list, "", "unmatched");
		waitLines(list, i);
		for (const [name, value] of i.metrics || [])
			line(list, name, value === null ? "undefined" : rounded(value));
		for (const text of i.violates || [])
			line(list, "violates", text.replace(/^assert\s+/, "").replace(/;$/, ""));
		line(list, "instance", labels.count(i.index + 1) + " of " + labels.count(i.of));
		return [make("h3", "", titleOf(i)), list, ...whatif.ofInstance(i), ...endsOf(i).flatMap(([title, e]) => endCard(title, e)), steps(i)];
	}

	/* A function of sampled stacks: what of the thread's running time in the window it has. */
	function stackShare(s) {
		const percent = (ns) => s.ran ? (100 * ns / s.ran).toFixed(1) + " %" : "-";
		return { total: labels.duration(s.total) + ", " + percent(s.total), self: labels.duration(s.self) + ", " + percent(s.self) };
	}

	function stackTitle(s) {
		return s.function + (s.origin && !s.function.includes(s.origin) ? "  (" + s.origin + ")" : "");
	}

	function stackCard(s) {
		const list = make("dl"), share = stackShare(s), group = make("div", "steps");
		line(list, "thread", s.label);
		line(list, s.partial ? "mostly here for" : "here for", labels.duration(s.end - s.start));
		line(list, "with callees", share.total);
		line(list, "self", share.self);
		line(list, "called by", s.callers.join(" \u2190 ") || "-");
		group.append(stepButton("flame graph", "this path in the flame graph of the window", () => flame.show(s.node)));
		return [make("h3", "", stackTitle(s)), list, make("p", "muted", "sampled shares of the thread's running time in this window"), group,
			...whatif.ofStack(s)];
	}

	function stackBrief(s) {
		const share = stackShare(s);
		return [make("b", "", stackTitle(s)), s.partial ? "  most of this time" : "  " + labels.duration(s.end - s.start), make("br"),
			s.label + ": " + share.total + " of its running time in this window", make("br"),
			make("span", "muted", "self " + share.self)];
	}

	/* Says for whom an instance's thread waited, and what that one did meanwhile; a document has not the logs for that. */
	async function tellMeanwhile(found) {
		if (server.alone || !found.instance || !found.instance.partner)
			return;
		try {
			const { interval, index } = found.instance;
			const answer = await server.ask("meanwhile", { interval, index });
			if (!answer.for || view.state.pinned !== found)
				return;
			const list = make("dl", "meanwhile");
			line(list, "waits for", answer.for + ", " + labels.duration(answer.time));
			line(list, "which ran", answer.did || "-");
			place.insertBefore(list, place.querySelector("h4"));
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
	}

	/* What the threads of a lane do at a time, on average of a pixel: "1.8 of 2 run, 0.7 ready". */
	function mergedBrief(m) {
		const some = (n) => n.toFixed(1);
		return [make("b", "", m.name), "  at " + labels.time(m.time, view.state.to - view.state.from), make("br"),
			some(m.running) + (m.processors ? " of " + m.processors : "") + " run, " + some(m.ready) + " ready"];
	}

	/* The text of the small box at the pointer. */
	function brief(found) {
		if (found.stack)
			return stackBrief(found.stack);
		if (found.merged)
			return mergedBrief(found.merged);
		const more = found.count > 1 ? " and " + labels.count(found.count - 1) + " more here" : "";
		if (found.event) {
			const e = found.event;
			return [make("b", "", e.event), more, make("br"),
				e.label + " at " + labels.time(e.time), make("br"),
				make("span", "muted", e.attributes.map((a) => a.join("=")).join("  "))];
		}
		const i = found.instance, [, first] = endsOf(i)[0], [, last] = endsOf(i).at(-1);
		return [make("b", "", titleOf(i)), i.matched ? "  " + labels.duration(i.end - i.start) : "  unmatched",
			more, ...(i.violates && i.violates.length ? [make("br"), "violates an assertion"] : []),
			...waitBrief(i.wait),
			make("br"), first.label + (last.label === first.label ? "" : " \u2192 " + last.label),
			make("br"), make("span", "muted", first.attributes.map((a) => a.join("=")).join("  "))];
	}

	let other = false; /* the view went to the partner last */

	/* stays: another tab, which led there, stays open. */
	function pin(found, stays) {
		view.state.pinned = found && (found.event || found.instance || found.stack) ? found : null;
		other = false;
		if (view.state.pinned) {
			place.replaceChildren(...(found.event ? eventCard(found) : found.stack ? stackCard(found.stack) : instanceCard(found.instance)));
			tellMeanwhile(found);
			completeSoon(found);
			if (!stays && !beside.lend([...place.children]))
				panel.show("details");
		} else {
			sayNothing();
			if (panel.current() === "details")
				panel.close();
		}
		outline.forget();
		view.paintSoon();
	}

	/* ---- in the address ---- */

	let wanted = null;      /* what the address says, until it is found */

	/* "LockWait:13", "event:Lock:7", numbered as in the card; a function of a stack has no such name. */
	function pinnedText() {
		const p = view.state.pinned;
		if (wanted !== null || !p || p.stack)
			return wanted || "";
		return p.event ? ["event", p.event.event, p.index + 1].join(":") :
			p.instance.interval + ":" + (p.instance.index + 1);
	}

	/* Instances may still be searched for. */
	async function find(values, interval) {
		for (;;) {
			try {
				return await server.ask("step", { ...values, to: "itself", order: order.name() });
			} catch (e) {
				if (!view.state.picture.intervals.some((i) => i.name === interval && i.waiting))
					throw e;
				await new Promise((done) => setTimeout(done, 300));
			}
		}
	}

	async function restore(text) {
		const open = panel.current(), [, event, name, number] = /^(event:)?(.+):(\d{1,15})$/.exec(text) || [];
		if (!text) {
			pin(null);
			panel.show(open);
			return;
		}
		if (!name)
			throw new Error("'" + labels.shorten(text) + "' is not a pinned item; write LockWait:13");
		address.oneOf(name, view.state.names[event ? "events" : "intervals"], "in this trace");
		wanted = text;
		try {
			const what = event ? "event" : "interval";
			pin(await find({ [what]: name, index: Number(number) - 1 }, name), true);
		} finally {
			wanted = null;
		}
	}

	address.add("pin", pinnedText, restore, { late: true });

	/* Shows what is pinned in the upper pane. Of two recordings, each pane may have something pinned. */
	function lend(nodes) {
		if (!beside.two())
			pin(null);
		place.replaceChildren(make("p", "muted", "in " + beside.upperName() + ":"), ...nodes);
		panel.show("details");
	}

	function sayNothing() {
		place.replaceChildren(make("p", "muted", "Click a bar, a symbol or a line to pin it."));
	}

	async function step(to) {
		const pinned = view.state.pinned;
		if (!pinned || pinned.stack)
			return;
		if (!pinned.instance) {
			stepEvent(pinned, to);
			return;
		}
		try {
			const found = await server.ask("step",
				{ interval: pinned.instance.interval, index: pinned.instance.index, to, order: order.name() });
			if (to === "unmatched" && found.instance.matched) {
				view.say("every " + found.instance.interval + " has a partner");
				return;
			}
			pin(found);
			view.show(found.instance.start, found.instance.end);
			scrollTo(found.instance.anchor.thread);
		} catch (e) {
			view.say(e.message);
		}
	}

	/* What was found, with all that is said of it when it is pinned. */
	async function whole(found) {
		return found.event ? server.ask("step", { event: found.event.event, index: found.index, to: "itself",
							      order: order.name() }) : found;
	}

	async function stepEvent(pinned, to) {
		try {
			const found = await server.ask("step", { event: pinned.event.event, index: pinned.index, to, order: order.name() });
			pin(found);
			view.show(found.event.time, found.event.time);
			scrollTo(found.event.thread);
		} catch (e) {
			view.say(e.message);
		}
	}

	/* Fills the view with what is pinned. Returns false if that has no length. */
	function zoom() {
		const pinned = view.state.pinned;
		if (!pinned || !pinned.instance)
			return false;
		view.show(pinned.instance.start, pinned.instance.end, true);
		return true;
	}

	/* Goes to the partner, and at the next call back. */
	function partner() {
		const pinned = view.state.pinned;
		if (!pinned || !pinned.instance || !pinned.instance.partner)
			return;
		other = !other;
		const e = other ? pinned.instance.partner : pinned.instance.anchor;
		const half = (view.state.to - view.state.from) / 2;
		view.setWindow(e.time - half, e.time + half);
		scrollTo(e.thread);
	}

	function laneOf(thread) {
		return view.state.picture.lanes.findLast((l) => l.threads.some(([a, b]) => a <= thread && thread <= b));
	}

	function scrollTo(thread) {
		const lane = laneOf(thread), scroll = document.getElementById("scroll");
		if (lane && (lane.top < scroll.scrollTop ||
			     lane.top + lane.height > scroll.scrollTop + scroll.clientHeight))
			scroll.scrollTop = lane.top - scroll.clientHeight / 2;
	}

	/* ---- on the plot ---- */

	function accent() {
		return getComputedStyle(document.documentElement).getPropertyValue("--accent");
	}

	function frame(context, e) {
		const lane = laneOf(e.thread);
		if (lane)
			context.strokeRect(view.xOf(e.time) - 6, lane.top + 1.5, 12, lane.height - 3);
	}

	/* From who ended a wait to where it ended. */
	function paintCause(context, i) {
		const ended = i.wait && i.wait.ended, from = ended && laneOf(ended.thread), to = laneOf(i.anchor.thread);
		if (!from || !to || from === to)
			return;
		const down = from.top < to.top, x0 = view.xOf(ended.time), x1 = view.xOf(i.end);
		const y0 = down ? from.top + from.height : from.top, y1 = to.top + to.height / 2;
		const length = Math.hypot(x1 - x0, y1 - y0), [dx, dy] = [(x1 - x0) / length * 7, (y1 - y0) / length * 7];
		context.beginPath();
		context.moveTo(x0, y0);
		context.lineTo(x1, y1);
		context.moveTo(x1 - dx - dy / 2, y1 - dy + dx / 2);
		context.lineTo(x1, y1);
		context.lineTo(x1 - dx + dy / 2, y1 - dy - dx / 2);
		context.stroke();
	}

	function paintPinned(context, p) {
		const found = view.state.pinned;
		if (!found)
			return;
		context.strokeStyle = accent();
		context.lineWidth = 1.6;
		if (found.event) {
			frame(context, found.event);
			return;
		}
		if (found.stack) {
			context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--wash");
			context.fillRect(view.xOf(found.stack.start), 0, Math.max(view.xOf(found.stack.end) - view.xOf(found.stack.start), 1), p.height);
			return;
		}
		paintCause(context, found.instance);
		if (outline.paint(context, found.instance))
			return;
		/* it has no bar in this picture: a line, or too many lanes */
		frame(context, found.instance.anchor);
		if (found.instance.partner)
			frame(context, found.instance.partner);
	}

	keys.add("Pinned item", [
		["[", "[", "previous instance, or event of the same type", () => step("previous")],
		["]", "]", "next instance or event", () => step("next")],
		["l", "l", "longest instance", () => step("longest")],
		["u", "u", "next unmatched instance", () => step("unmatched")],
		["p", "p", "go to the partner and back", partner],
		["z", "z", "fill the view with the pinned item, or with the selection",
			() => zoom() || selection.zoom()],
		[",", ",", "in logical order: previous event in the thread", () => neighbour("before", false)],
		[".", ".", "next event in the thread", () => neighbour("after", false)],
		["<", "<", "the event in another thread that directly precedes it", () => neighbour("before", true)],
		[">", ">", "the event in another thread that directly follows it", () => neighbour("after", true)],
	]);
	sayNothing();
	view.on("names", () => pin(null));
	view.on("paint", paintPinned);

	return { brief, pin, lend, whole, accent, scrollTo };
})();
