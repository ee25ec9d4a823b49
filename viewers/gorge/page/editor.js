/*
 * Definitions on the fly: what is written here is checked by the compiler, matched, and drawn in the
 * same view; and saved as a specification that every tool takes with -s.
 */
/* uses: server, labels, view, dock */
const editor = (() => {
	const place = dock.add({
		name: "editor", button: "Configure", next: "theme",
		hint: "edit the definitions of events and intervals",
		key: "e", group: "Other", before: "t", does: "edit the definitions of intervals", toggle, html: `
	<textarea spellcheck="false" aria-label="specification"></textarea>
	<pre></pre>
	<p><button id="apply" title="ctrl + enter">Match and draw</button>
		<button id="save-spec">Save as .spec</button>
		<button id="close-editor">Close</button></p>`,
	});
	const text = place.querySelector("textarea"), said = place.querySelector("pre");
	let given = "";

	function toggle() {
		if (dock.toggle(place))
			text.focus();
	}

	/* The cursor goes to the first place that the compiler names. */
	function goToError(message) {
		const found = /^definitions:(\d+):/m.exec(message);
		if (!found)
			return;
		const lines = text.value.split("\n"), line = Math.min(Number(found[1]), lines.length) - 1;
		const from = lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0);
		text.focus();
		text.setSelectionRange(from, from + lines[line].length);
		text.scrollTop = text.scrollHeight * line / lines.length - text.clientHeight / 2;
	}

	/* Shows the diagnostics; when there is no error, the view is that of the new definitions. */
	async function apply() {
		said.textContent = "";
		const begun = performance.now();
		try {
			const sent = text.value, start = await server.send("definitions", sent);
			given = sent;
			said.className = "";
			view.tell("definitions", start);
			view.state.timing.matched = performance.now() - begun;
			said.textContent = "matched";
		} catch (e) {
			said.className = "wrong";
			said.textContent = e.message;
			goToError(e.message);
		}
	}

	function save() {
		const link = labels.make("a");
		link.href = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
		link.download = (view.state.picture.title || "mine") + ".spec";
		link.click();
		URL.revokeObjectURL(link.href);
	}

	/* The definitions that hold now; what is being written instead stays. */
	function renew({ spec }) {
		if (text.value !== given || spec === given)
			return;
		text.value = spec;
		given = text.value;
		text.setSelectionRange(0, 0);
	}

	text.addEventListener("keydown", (event) => {
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
			apply();
		if (event.key === "Escape")
			toggle();
	});
	document.getElementById("apply").addEventListener("click", apply);
	document.getElementById("save-spec").addEventListener("click", save);
	document.getElementById("close-editor").addEventListener("click", toggle);
	view.on("names", renew);

	return { toggle, apply };
})();
