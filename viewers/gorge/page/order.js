/* What goes right: time, or columns by what happens before what, which are times of another view of the trace. */
/* uses: server, labels, view, keys, address, minimap, selection, details, durations, beside, whatif
 * */
const order = (() => {
	let logical = false, before = null;

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

	return { toggle, name: () => logical ? "logical" : undefined };
})();
