/*
 * Tracks in the page of gorge, in a browser: typed, refused, read at the pointer, zoomed and removed, on the
 * trace of small.recipe, which is counted by hand; and in a document, where they show what they show there.
 * tracks.js GORGE DIRECTORY [DOCUMENT [PICTURE]]: the document is of that trace; prints TAP.
 */
"use strict";
const path = require("path");
const { ok, serve, browserAt, end } = require("../browsing.js");

const SETTLED = "typeof view !== 'undefined' && view.state.picture && view.idle() && !tracks.state().busy" +
	" && (!tracks.state().drawn || (tracks.state().drawn.from === view.state.from && " +
	"tracks.state().drawn.to === view.state.to))";
const EXPRESSIONS = ["count(Recv) per thread", "open(Transit)", "value(Send.seq)", "mean(Transit.data)"];
/* The picture is of the room that there is, and each of its pixels is one of the screen. */
const FITS = SETTLED + ` && view.state.asked.room === view.query().room && (() => {
	const plot = document.getElementById("plot"), box = plot.getBoundingClientRect(), ratio = window.devicePixelRatio;
	return plot.height === Math.round(box.height * ratio) && plot.width === Math.round(box.width * ratio) &&
		Math.abs(box.height - Math.min(document.getElementById("scroll").clientHeight, view.state.picture.height)) < 1;
})()`;
const STATE = "return tracks.state()";

/* Types an expression as a person does. */
async function type(b, expression) {
	await b.run("const i = document.querySelector('#tracks input'); i.value = arguments[0];" +
		"i.form.requestSubmit()", expression);
	await b.until("tracks.state().said || tracks.state().expressions.includes(" +
		JSON.stringify(expression) + ")");
	await b.until(SETTLED);
}

async function valuesAt(b, time) {
	return b.run("tracks.pointAt(view.xOf(arguments[0])); return tracks.state().values", time);
}

async function typing(b) {
	await b.until(SETTLED);
	ok((await b.run(STATE)).expressions.join() === "count(Send)", "the track of the command line");
	await type(b, "open(Transit)");
	ok((await b.run(STATE)).drawn.tracks.length === 2, "a second one");
	await type(b, "open(Transitt)");
	const { said, drawn } = await b.run(STATE);
	ok(said.includes("'Transitt'; did you mean 'Transit'?") && said.includes("^~"),
		"a wrong name is told as nibble tells it");
	ok(drawn.tracks.length === 2, "and adds none");
	await b.until(FITS);
	ok(true, "the lanes are drawn for the room that the message leaves");
	await b.run("document.querySelector('#tracks pre').textContent = ''");
	await b.until(FITS);
	ok(true, "and for more again");
	await type(b, "hist(Transit.time)");
	ok((await b.run(STATE)).said.includes("no time axis"), "a distribution is none");
	await type(b, "value(Send.seq)");
}

async function reading(b) {
	ok(await b.run("return view.state.asked.room === view.query().room"), "the lanes gave the room of the tracks");
	ok((await valuesAt(b, 35)).join() === "3,1,", "values at the pointer");
	ok((await valuesAt(b, 70)).join() === "4,0,", "further right");
	ok(/^[23]$/.test((await valuesAt(b, 20))[2]), "a point below the pointer");
	await b.run("tracks.pointAt(null)");
	ok((await b.run(STATE)).values.join("") === "", "no pointer, no values");
}

/* Where a track's vertex is on the screen, beside where the lanes have its time. */
async function aligned(b) {
	const [track, lanes] = await b.run(`
		const curve = tracks.state().drawn.tracks[0].curves[0].vertices, p = view.state.picture;
		const i = curve.findIndex((v, k) => k % 2 === 1 && v === 3);
		return [p.left + curve[i - 1], view.xOf(20)];`);
	ok(Math.abs(track - lanes) < 1, "a step stands below its event");
	ok(await b.run("return document.querySelector('#tracks canvas').getBoundingClientRect().left ===" +
		"document.getElementById('plot').getBoundingClientRect().left"), "the canvases have one left edge");
}

async function zooming(b) {
	await b.run("view.setWindow(10, 30)");
	await b.until(SETTLED);
	const { drawn } = await b.run(STATE);
	ok(drawn.from === 10 && drawn.to === 30, "the window of the lanes");
	ok((await valuesAt(b, 15.5)).join() === "2,1,", "counts go on from before the window");
	await b.run("view.fit()");
	await b.until(SETTLED);
}

async function saving(b) {
	const address = await b.run("return server.address('picture.svg', { ...view.state.asked, tracks: tracks.list() })");
	const svg = await b.run(`const request = new XMLHttpRequest();
		request.open("GET", arguments[0], false);
		request.send();
		return request.responseText;`, address);
	ok(svg.startsWith("<?xml") && svg.includes("</svg>"), "the saved document");
}

async function removing(b) {
	await b.run("document.querySelector('#tracks p button').click()");
	await b.until("tracks.state().expressions.length === 2");
	await b.until(SETTLED);
	ok((await b.run(STATE)).expressions.join() === "open(Transit),value(Send.seq)", "a track is removed");
}

/* What is shown of each track at every tenth of two windows, and the tracks themselves. */
async function shown(b) {
	const found = [];
	for (const expression of EXPRESSIONS)
		await type(b, expression);
	for (const [from, to] of [[0, 100], [12, 52]]) {
		await b.run("view.setWindow(arguments[0], arguments[1])", from, to);
		await b.until(SETTLED);
		for (let i = 1; i < 10; i++)
			found.push(await valuesAt(b, from + (to - from) * i / 10));
		found.push((await b.run(STATE)).drawn);
	}
	return found;
}

async function sameShown(b, file) {
	const served = await shown(b);
	await b.open("file://" + path.resolve(file));
	await b.until(SETTLED);
	const written = await shown(b);
	await type(b, "open(Transitt)");
	const { said } = await b.run(STATE);
	const bad = served.findIndex((s, i) => JSON.stringify(s) !== JSON.stringify(written[i]));
	ok(bad < 0, "a document shows the numbers that the server shows");
	if (bad >= 0)
		console.log("# " + JSON.stringify(served[bad]) + "\n# " + JSON.stringify(written[bad]));
	const full = served.flat().filter((v) => typeof v === "string" && v);
	ok(full.length > 3 * EXPRESSIONS.length, "and they are some");
	ok(said.includes("did you mean 'Transit'?"), "and it tells mistakes as nibble does");
}

async function main() {
	const { program, url } = await serve([process.argv[2], process.argv[3], "--track", "count(Send)"]);
	const b = await browserAt(url);
	try {
		await typing(b);
		await reading(b);
		await aligned(b);
		await zooming(b);
		await saving(b);
		if (process.argv[5])
			await b.picture(process.argv[5]);
		await removing(b);
		await b.run("tracks.list().split('\\n').forEach(() => tracks.remove(0))");
		await b.until("!tracks.state().expressions.length && " + SETTLED);
		if (process.argv[4])
			await sameShown(b, process.argv[4]);
	} finally {
		program.kill();
		await end();
	}
}

main().catch((e) => {
	console.log("Bail out! " + e.message);
	process.exit(1);
});
