/*
 * The traces of the examples in the browser: the page's numbers are those of `glimpse`, for the whole and for a
 * window; what is switched, searched, pinned, edited and saved. examples.js BUILD DIRECTORY...; prints TAP.
 */
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { ok, HASTE, SETTLED, browserAt, visit, end } = require("../browsing.js");

const [build, ...directories] = process.argv.slice(2);

function glimpse(...options) {
	return execFileSync(path.join(build, "glimpse"), options,
		{ encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

const known = new Map();        /* by the directory and the options */

/* [interval, start, end] of all that have a partner. */
function instances(...options) {
	const key = options.join("\n");
	if (!known.has(key))
		known.set(key, matched(...options));
	return known.get(key);
}

function matched(directory, ...options) {
	return glimpse("match", "--format=csv", ...options, directory).trim().split("\n").slice(1)
		.map((line) => line.split(",")).filter((f) => f[7] !== "")
		.map(([interval, , , a, , , b]) => [interval, Math.min(a, b), Math.max(a, b)]);
}

/* As the page's table has them: by the nearest rank. */
function statistics(durations) {
	const sorted = durations.slice().sort((a, b) => a - b), n = sorted.length;
	const total = sorted.reduce((a, d) => a + d, 0), at = (q) => sorted[Math.ceil(q * n) - 1];
	return n ? [total, total / n, at(0.5), at(0.99), sorted[n - 1]] : [];
}

const TABLE = `
	return [...document.querySelectorAll("#statistics .numbers > table:first-of-type tr[data-name]")].map((row) =>
		[row.dataset.name, ...[...row.cells].slice(1).map((c) => c.textContent)]);`;

/* The table, when it is that of the window of now. */
async function tableOf(b) {
	await b.until(SETTLED);
	await b.run("statistics.refresh()");
	await b.until("statistics.current()");
	return b.run(TABLE);
}

/* Each row against the instances that touch the window, of which the time in it counts. */
async function compare(b, all, what) {
	const rows = await tableOf(b);
	const [from, to] = await b.run("return [view.state.picture.from, view.state.picture.to]");
	const durationsOf = rows.map(([name]) => all.filter(([i, start, end]) => i === name && end >= from && start <= to)
		.map(([, start, end]) => Math.min(end, to) - Math.max(start, from)));
	const wantedOf = await b.run("return arguments[0].map((numbers) => numbers.map(labels.duration))", durationsOf.map(statistics));
	let same = rows.length > 0;
	for (const [i, [name, count, , ...numbers]] of rows.entries()) {
		const durations = durationsOf[i], wanted = wantedOf[i];
		same = same && count.replace(/,/g, "") === String(durations.length) && numbers.filter(Boolean).join() === wanted.join();
		if (!same) {
			console.log("# " + name + ": " + count + " " + numbers + "; glimpse has " + durations.length + " " + wanted);
			break;
		}
	}
	ok(same, what);
}

function opening(directory) {
	return async (b) => {
		await b.until(SETTLED);
		const lanes = await b.run("return view.state.picture.lanes.length");
		ok(lanes === JSON.parse(glimpse("info", "--format=json", directory)).threads.length,
			directory + ": a lane for each thread");
		await b.key("i");
		await compare(b, instances(directory), directory + ": the numbers of the whole run");
	};
}

function moving(directory) {
	return async (b) => {
		const all = instances(directory);
		for (const [keys, name] of [["ww", "zoomed in"], ["d", "panned"], ["s", "zoomed out"]]) {
			for (const key of keys)
				await b.key(key);
			await compare(b, all, directory + ": the numbers of the window, " + name);
		}
		const { x, y } = await b.run("const r = document.getElementById('plot').getBoundingClientRect(); return { x: r.left + r.width * .6, y: r.top + 40 }");
		await b.wheel(x, y, -240);
		await compare(b, all, directory + ": and by the wheel");
		await b.key("f");
		await b.until(SETTLED);
	};
}

function switching(directory) {
	return async (b) => {
		const [name] = (await tableOf(b))[0];
		await b.run("document.querySelectorAll('.layer .fold[aria-expanded=false]').forEach((fold) => fold.click())");
		const click = "document.querySelector(`#layers input[data-name=${arguments[0]}]`).click()";
		await b.run(click, name);
		ok((await tableOf(b)).every(([other]) => other !== name), directory + ": " + name + " is switched off");
		await b.run(click, name);
		ok((await tableOf(b))[0][0] === name, directory + ": and on");
	};
}

/* The interval with most instances, its longest one. */
function pinning(directory) {
	return async (b) => {
		const all = instances(directory), rows = await tableOf(b);
		const [name] = rows.slice().sort((a, c) => parseInt(c[1].replace(/,/g, "")) - parseInt(a[1].replace(/,/g, "")))[0];
		const durations = all.filter(([i]) => i === name).map(([, start, end]) => end - start);
		await b.run("finder.put(arguments[0])", name);
		await b.until("document.querySelector('#finder li')");
		ok((await b.run("return document.querySelector('#finder pre').textContent"))
			.startsWith(await b.run("return labels.plural(arguments[0], 'instance')", durations.length)),
			directory + ": a search for " + name + " finds them all");
		await b.key("n");
		await b.until("view.state.pinned");
		await b.key("l");
		const longest = Math.max(...durations);
		await b.until("view.state.pinned.instance.end - view.state.pinned.instance.start === " + longest);
		ok(true, directory + ": l pins the longest");
		await b.key("z");
		await b.until(SETTLED);
		const [from, to] = await b.run("return [view.state.from, view.state.to]");
		ok(to - from < longest * 2 + 40, directory + ": z fills the view with it");
		await b.key("\uE00C");
		await b.key("f");
		await b.until(SETTLED);
	};
}

/* Waits for a file that the browser writes. */
async function saved(file) {
	for (const end = Date.now() + 10000; Date.now() < end;) {
		if (fs.existsSync(file) && fs.statSync(file).size > 0)
			return fs.readFileSync(file, "utf8");
		await new Promise((r) => setTimeout(r, 10));
	}
	throw new Error(file + " was not saved");
}

/* A new interval is written, matched, saved, and used by glimpse. */
function editing(directory, definition) {
	return async (b) => {
		const folder = fs.mkdtempSync(path.resolve("saved."));
		const title = await b.run("return view.state.picture.title");
		await b.downloads(folder);
		await b.key("e");
		await b.run(`const t = document.querySelector("#editor textarea");
			t.value = t.value.replace(/(\\n)(end\\b[^]*)$/, "$1" + arguments[0] + "\\n$2");
			document.getElementById("apply").click();`, definition);
		await b.until("view.idle() && view.state.picture.intervals.some((i) => i.name === 'Mine')");
		const count = await b.run("return view.state.picture.intervals.find((i) => i.name === 'Mine').count");
		await b.run("document.getElementById('save-spec').click()");
		const file = path.join(folder, title + ".spec");
		ok((await saved(file)).includes(definition), directory + ": what was written is saved");
		const found = instances(directory, "-s", file, "--interval", "Mine").length;
		ok(found > 0 && found === count, directory + ": glimpse finds as many with it: " + found);
		await b.run("document.getElementById('close-editor').click()");
		await b.run("document.getElementById('save-svg').click()");
		ok(/<\/svg>\s*$/.test(await saved(path.join(folder, title + ".svg"))), directory + ": the view is saved as svg");
	};
}

const definitions = {
	pgz: "interval Mine [ a:ReadBegin -> b:CompressBegin ] where a.block == b.block = line;",
	messages: "interval Mine [ p:Preparemsg -> r:Recvmsg ] = line;",
	heat: "interval Mine [ a:sweep_begin -> b:together ] where a.thread == b.thread && a.step == b.step = rectangle;",
	stoplight: "interval Mine [ StartMotor, LeaveIntersection ] = rectangle;",
};

(async () => {
	await (await browserAt("about:blank")).before(HASTE);
	for (const directory of directories)
		await visit([path.join(build, "gorge"), directory], [opening(directory), moving(directory),
			switching(directory), pinning(directory), editing(directory, definitions[directory])]);
	end();
})();
