/* Measures between two marks; and esc, which clears them and all else that is chosen. */
/* uses: labels, view, keys, address, panel, details, pointer */
(() => {
	function mark() {
		const marks = view.state.marks;
		if (marks.length === 2)
			marks.length = 0;
		else
			marks.push(Math.round(pointer.time()));
		showMeasure();
	}

	function clear() {
		const own = [view.state.pinned !== null, view.state.marks.splice(0).length > 0];
		const hadAny = [...own, ...view.tell("clear")].some(Boolean);
		details.pin(null);
		showMeasure();
		if (!hadAny)
			panel.close();
	}

	function showMeasure() {
		const [a, b] = view.state.marks;
		document.getElementById("measure").textContent = b !== undefined ?
			"time between the marks: " + labels.duration(Math.abs(b - a)) :
			a !== undefined ? "mark at " + labels.time(a) : "";
		view.paintSoon();
	}

	function paintMarks(context, p) {
		context.strokeStyle = details.accent();
		context.lineWidth = 1;
		context.setLineDash([4, 3]);
		for (const time of view.state.marks) {
			context.beginPath();
			context.moveTo(view.xOf(time), 0);
			context.lineTo(view.xOf(time), p.height);
			context.stroke();
		}
		context.setLineDash([]);
	}

	function restore(text) {
		const times = text.split(",").filter(Boolean).map(address.readTime);
		if (times.length > 2)
			throw new Error("there are two marks at most");
		view.state.marks.splice(0, 2, ...times);
		showMeasure();
	}

	address.add("mark", () => view.state.marks.map(address.time).join(), restore, { late: true });
	keys.add("Questions", [
		["m", "m", "set a mark at the pointer; two marks measure the time between them", mark],
		["Escape", "esc",
			"clear pins, selections, marks and questions; if there are none, close the side panel", clear],
	]);
	view.on("paint", paintMarks);
})();
