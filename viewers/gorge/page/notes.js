/*
 * Notes at a time, a range or an instance: a list of them, and a field for a new one. The program
 * keeps them in a file beside the trace and draws them; an html document only shows them.
 */
/* uses: server, labels, view, keys, address, panel, lanes, selection, pointer */
const notes = (() => {
	const { make } = labels;
	const place = panel.add({
		name: "notebook", tab: "Notes", button: "Notes", show: begin, hint: "write and list notes (M)", html: `
	<p class="where"></p>
	<form><input type="text" spellcheck="false" maxlength="500" aria-label="note"
		placeholder="what happens here"> <button>Note</button></form>
	<pre></pre><ul></ul><p class="muted"></p>`,
	});
	const input = place.querySelector("input"), form = place.querySelector("form");
	const said = place.querySelector("pre"), list = place.querySelector("ul");
	let found = { notes: [], wrong: [] }, target = null;

	/* ---- where a new one is ---- */

	function pinnedTarget() {
		const p = view.state.pinned;
		if (p && p.event)
			return { from: p.event.time, to: p.event.time, thread: p.event.label };
		if (p && p.instance)
			return { from: p.instance.start, to: p.instance.end, thread: p.instance.anchor.label };
		return null;
	}

	function choose() {
		const { range } = selection.state(), time = Math.max(0, Math.round(pointer.time()));
		return pinnedTarget() || (range && { from: range[0], to: range[1], thread: "-" }) ||
			{ from: time, to: time, thread: pointer.thread() || "-" };
	}

	function rangeText({ from, to }) {
		return labels.time(from) + (to > from ? " to " + labels.time(to) : "");
	}

	function begin() {
		const columns = document.body.classList.contains("logical");
		panel.show("notebook");
		if (server.alone || columns) {
			said.textContent = columns ? "notes need time; leave the logical order (y)" : "";
			return;
		}
		target = choose();
		place.querySelector(".where").textContent = "at " + rangeText(target) +
			(target.thread === "-" ? "" : ", " + target.thread);
		input.focus();
	}

	/* ---- the file ---- */

	function fill(answer) {
		found = answer;
		said.textContent = [found.said, ...found.wrong.map((w) => "notes.txt, " + w)]
			.filter(Boolean).join("\n");
		list.replaceChildren(...found.notes.map(row));
		place.querySelector(".muted").textContent = found.file ? "kept in " + found.file : "";
	}

	function row(note) {
		const gone = make("button", "", "\u00d7");
		gone.title = "remove this note";
		gone.addEventListener("click", (event) => {
			event.stopPropagation();
			send("remove-note", note.line);
		});
		const line = make("li", "", make("span", "", labels.time(note.from, view.state.duration)),
			make("span", "who", note.text + (note.thread ? " \u00b7 " + note.thread : "")),
			...(server.alone ? [] : [gone]));
		line.title = rangeText(note) + ": " + note.text;
		line.addEventListener("click", () => go(note));
		return line;
	}

	function go(note) {
		view.show(note.from, note.to);
		if (note.number !== undefined)
			lanes.goTo(view.state.threads[note.number].number);
	}

	/* Returns whether the file has the change. */
	async function send(path, line) {
		try {
			fill(await server.send(path, line));
			view.refresh();
			return true;
		} catch (e) {
			said.textContent = e.message;
			return false;
		}
	}

	async function write(event) {
		event.preventDefault();
		const text = input.value.replace(/[\x00-\x1f\x7f]+/g, " ").trim();
		if (!text)
			return;
		const { from, to, thread } = target || choose();
		const range = address.time(from) + (to > from ? "-" + address.time(to) : "");
		if (await send("add-note", [range, thread, text].join("\t"))) {
			input.value = "";
			input.blur();
		}
	}

	async function start() {
		form.hidden = !!server.alone;
		try {
			fill(await server.ask("notes"));
		} catch (e) {
			said.textContent = e.message;
		}
	}

	keys.add("Questions", [
		["M", "M", "write a note at the pinned item, the selection or the pointer", begin],
	], "Escape");
	form.addEventListener("submit", write);
	input.addEventListener("keydown", (event) => {
		if (event.key === "Escape")
			input.blur();
	});
	view.on("start", start);

	return { begin, found: () => found, said: () => said.textContent };
})();
