/*
 * In a document, the engine of the program answers: compiled to WebAssembly, it and the data stand
 * in this file. It is asked as the server is.
 */
/* uses: documents */
const server = (() => {
	const encoder = new TextEncoder(), decoder = new TextDecoder();
	let said = "";

	/* What stands in an element of this page, unpacked. */
	async function unpacked(id) {
		const text = atob(document.getElementById(id).textContent);
		const bytes = new Uint8Array(text.length);
		for (let i = 0; i < text.length; i++)
			bytes[i] = text.charCodeAt(i);
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
		return new Uint8Array(await new Response(stream).arrayBuffer());
	}

	/* What the engine wants of a system: it has no files, no variables, and says its last words. */
	const calls = {
		fd_write(fd, vectors, n, written) {
			const view = new DataView(engine.memory.buffer);
			let size = 0;
			for (let i = 0; i < n; i++) {
				const at = view.getUint32(vectors + 8 * i, true);
				const length = view.getUint32(vectors + 8 * i + 4, true);
				said += decoder.decode(new Uint8Array(engine.memory.buffer, at, length));
				size += length;
			}
			view.setUint32(written, size, true);
			return 0;
		},
		environ_sizes_get(count, size) {
			const view = new DataView(engine.memory.buffer);
			view.setUint32(count, 0, true);
			view.setUint32(size, 0, true);
			return 0;
		},
		environ_get: () => 0,
		proc_exit() {
			throw new Error(said.trim() || "the engine of this document has ended");
		},
	};
	const NO_SUCH_FILE = 8;
	const system = new Proxy(calls, { get: (known, name) => known[name] || (() => NO_SUCH_FILE) });
	let engine = null;

	/* Copies bytes to where the engine can read them, a zero behind them. */
	function give(bytes) {
		const at = engine.room(bytes.length);
		if (!at)
			throw new Error("this browser does not have enough memory for the document");
		const room = new Uint8Array(engine.memory.buffer, at, bytes.length + 1);
		room.set(bytes);
		room[bytes.length] = 0;
		return at;
	}

	function giveText(text) {
		return give(encoder.encode(text));
	}

	async function begin() {
		const [program, data] = await Promise.all([unpacked("engine"), unpacked("data")]);
		const made = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: system });
		engine = made.instance.exports;
		engine._initialize();
		if (!engine.open(give(data), data.length))
			throw new Error("this document is damaged");
	}

	const ready = begin();

	const part = document.getElementById("part");
	if (part) {
		document.querySelector("header").after(part);
		part.hidden = false;
	}

	/* A name cannot be empty: the first that is ends the list. */
	function list(values) {
		return Object.entries(values || {})
			.filter(([, value]) => value !== undefined && value !== null)
			.map(([name, value]) => name + "\0" + value + "\0").join("") + "\0";
	}

	async function answer(path, post, values, body) {
		await ready;
		said = "";
		const status = engine.ask(giveText(path), post, giveText(list(values)), giveText(body));
		const bytes = new Uint8Array(engine.memory.buffer, engine.answer(), engine.size());
		const text = decoder.decode(bytes);
		if (status !== 200)
			throw new Error(text.trim());
		return JSON.parse(text);
	}

	/* The engine does one thing at a time: what is asked anew before it began is not asked first. */
	const slow = {}, newest = {};

	async function turn(place) {
		const mine = newest[place] = (newest[place] || 0) + 1;
		await new Promise((go) => setTimeout(go));
		if (newest[place] !== mine)
			throw new Error("");
	}

	/* What holds in a part need not hold in the whole, nor the other way round. */
	async function ask(path, values) {
		if (part && path === "assertions")
			return { assertions: [] };
		if (path in slow)
			await turn((values && values.place) || path);
		return answer(path, false, values, "");
	}

	return {
		ask, slow,
		send: (path, text) => answer(path, true, {}, text),
		stop: async () => {},
		tell: () => {},
		save: documents.save,
		alone: true,
	};
})();
