/*
 * Views are answered while a question that takes long is, and all questions at once, while definitions change, too:
 * what is asserted is the order of the answers and what they say, not how soon they come. slow.js GORGE DIRECTORY;
 * prints TAP.
 */
"use strict";
const { ok, serve, end } = require("../../browsing.js");
const { enter, get } = require("../../entrance.js");

/* A question takes long when it takes so many milliseconds, and so many times as long as a view. */
const LONG = 300, TIMES = 10, MOST = 1500;

async function ask(url, path, options) {
	const response = await get(url + path, options), text = await response.text();
	if (!response.ok)
		throw new Error(path.slice(0, 100) + ": " + text);
	return JSON.parse(text);
}

const view = (from, to) => "view?width=600&from=" + from + "&to=" + to;
const tracksOf = (n) => "tracks?width=600&expressions=" + Array(n).fill("count(Got)").join("%0A");

async function timeOf(url, path) {
	const begun = performance.now();
	await ask(url, path);
	return performance.now() - begun;
}

/* So many tracks that they take long, or as many as an address has room for. */
async function slowQuestion(url) {
	await ask(url, view(0, 9000000));
	const long = Math.max(LONG, TIMES * await timeOf(url, view(1, 9000001)));
	for (let n = 50; ; n = Math.min(2 * n, MOST))
		if (await timeOf(url, tracksOf(n)) > long || n === MOST)
			return tracksOf(n);
}

async function viewsMeanwhile(url) {
	const question = await slowQuestion(url), before = await ask(url, view(0, 9000000));
	let over = false, answered = 0;
	const slow = ask(url, question).then((found) => {
		over = true;
		return found.tracks;
	});
	while (!over) {
		const { from, to, events } = await ask(url, view(answered, 9000000 + answered));
		if (!over && from === answered && to === 9000000 + answered && events.length === before.events.length)
			answered++;
	}
	const found = await slow;
	ok(answered > 0, "views are answered while a question that takes long is");
	ok(found.every((t) => !t.said && t.curves.length === 1), "which gets its answer");
}

/* Each as often as the others, all at once. */
async function allAtOnce(url) {
	const { spec } = await ask(url, "start");
	const other = spec.replace("end dense.", "interval Extra [ a:Begin -> b:Got ]; end dense.");
	const define = (body) => ask(url, "definitions", { method: "POST", body });
	const window = "width=600&from=0&to=9000000", asked = [];
	for (let i = 0; i < 4; i++)
		asked.push(ask(url, view(i * 1000, 9000000)), ask(url, "find?question=Pass+where+time+>+1+us"),
			ask(url, "statistics?" + window), ask(url, "durations?interval=Step&" + window),
			ask(url, view(0, 9000000) + "&intervals=" + (i % 2 ? "Step" : "Step,Two")), ask(url, "state"),
			ask(url, tracksOf(3)), ask(url, "step?interval=Pass&index=1&to=longest"),
			ask(url, "overview?" + window), ask(url, "at?" + window + "&x=300&y=30"),
			define(i % 2 ? spec : other));
	const answers = await Promise.all(asked), per = answers.length / 4;
	const kind = (k) => answers.filter((a, i) => i % per === k).map((a) => JSON.stringify(a));
	for (const [k, name] of [[1, "searches"], [2, "statistics"], [3, "durations"], [7, "steps"]]) {
		/* other intervals of the window are more rows, but the ones asked for are the same */
		const texts = kind(k).map((t) => t.replace(/,\{"name":"Extra".*?\}/, ""))
			.filter((t) => !t.startsWith('{"waiting"'));
		ok(texts.every((t) => t === texts[0]), name + " say the same each time");
	}
	const { intervals } = await ask(url, view(0, 9000000));
	ok(intervals.length >= 3, "and views go on");
}

/* The status of what is asked while what follows is done, once it is being answered. */
async function statusOf(url, question, page, then) {
	const old = get(url + question + "&page=" + page);
	while ((await ask(url, "requests?page=" + page)).requests.length === 0)
		await new Promise((done) => setTimeout(done, 5));
	await then();
	const { status } = await old;
	return status;
}

async function stopping(url) {
	const question = await slowQuestion(url), newer = tracksOf(1);
	const listOf = async (page) => (await ask(url, "requests?page=" + page)).requests;
	let found, listed;
	ok(await statusOf(url, question, "a", async () => { found = ask(url, newer + "&page=a"); }) === 409,
		"a newer question ends the one that the page asked before");
	ok((await found).tracks.length === 1, "and is answered");
	ok(await statusOf(url, question, "a", async () => { found = ask(url, newer + "&page=a&place=other"); }) === 200,
		"but not one of another place in the page");
	await found;
	ok(await statusOf(url, question, "a", async () => { found = ask(url, newer + "&page=b"); }) === 200,
		"nor one of another page");
	await found;
	ok(await statusOf(url, question, "a", async () => {
		listed = await listOf("a");
		await ask(url, "stop?page=a", { method: "POST" });
	}) === 409, "a question that takes long can be stopped");
	ok(listed.length === 1 && listed[0].place === "tracks" && listed[0].for > 0, "and is told while it is answered");
	ok((await listOf("a")).length === 0, "and then not any more");
}

async function main([gorge, directory]) {
	const { program, url: invitation } = await serve([gorge, directory]);
	const ended = new Promise((resolve) => program.on("exit", resolve));
	try {
		const url = await enter(invitation);
		await viewsMeanwhile(url);
		await stopping(url);
		await allAtOnce(url);
	} catch (e) {
		ok(false, e.message);
	}
	program.kill();
	ok(await ended === 0, "it ends in order");
}

main(process.argv.slice(2)).then(end);
