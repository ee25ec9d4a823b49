/* What goes right: time, or columns by what happens before what, which are times of another view of the trace. */
/* uses: server, labels, view, keys, address, minimap, selection, details, durations, beside, whatif
 * */
const order = (() => {
	let logical = false, before = null, layersBefore = null, types = [];

	function set(on) {
		logical = on;
		labels.setColumns(on);
		document.body.classList.toggle("logical", on);
		view.state.marks.length = 0;
		details.pin(null);
		durations.clear();
		selection.clear();
		minimap.forget();
	}

	/*
	 * Columns have no times: what a thread does at each moment says nothing there, but what leads
	 * from thread to thread does. A trace without states shows both anyway.
	 */
	function chooseLayers() {
		const off = new Set(view.state.off.intervals);
		const of = (layer) => types.filter((e) => e.layer === layer).map((e) => e.name);
		layersBefore = view.state.off.intervals;
		if (!types.some((e) => e.layer === "states" && !e.absent))
			return;
		of("states").forEach((name) => off.add(name));
		of("wake-ups").forEach((name) => off.delete(name));
		view.state.off.intervals = off;
		view.tell("switched");
	}

	function restoreLayers() {
		view.state.off.intervals = layersBefore;
		view.tell("switched");
	}

	async function toggle() {
		if (beside.framed)
			return;
		if (beside.two()) {
			view.say("two runs are shown in time order; open one of them alone for the logical order");
			return;
		}
		whatif.leave();
		try {
			if (logical) {
				time();
				view.setWindow(before.from, before.to);
				return;
			}
			const start = await server.ask("start", { order: "logical" });
			const { from, to, duration } = view.state;
			before = { from, to, duration };
			set(true);
			chooseLayers();
			view.state.duration = start.duration;
			view.fit();
		} catch (e) {
			view.say(e.message);
		}
	}

	/* Back to time, as the trace or its definitions have changed, or somebody wants to. */
	function time() {
		if (!logical)
			return;
		set(false);
		restoreLayers();
		view.state.duration = before.duration;
	}

	/* All else depends on it. */
	async function restore(text) {
		if ((address.oneOf(text, ["time", "logical"]) === "logical") !== logical)
			await toggle();
	}

	address.add("order", () => logical ? "logical" : "time", restore, { first: true });
	keys.add("Other", [
		["y", "y", "switch between time and happened-before order", toggle],
	], "r");
	document.getElementById("order").addEventListener("click", toggle);
	view.on("leave", time);
	view.on("names", (answer) => { types = answer.intervals; });
	view.on("grow", (answer) => { types = answer.intervals; });

	return { toggle, name: () => logical ? "logical" : undefined };
})();
