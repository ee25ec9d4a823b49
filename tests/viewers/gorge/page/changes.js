/*
 * Definitions that change again and again while gorge --follow shows a program that logs on: whenever both rest, what is
 * shown is what glimpse stats counts in the logs, and at the program's end what gorge shows that is opened with them.
 * changes.js BUILD PROGRAM SEED. Prints TAP.
 */
"use strict";
const { execFileSync, spawn } = require("child_process");
const fs = require("fs");
const { ok, serve, end } = require("../../browsing.js");
const { enter, get } = require("../../entrance.js");

const [build, program, seed] = process.argv.slice(2);
const ROUNDS = 8, CHANGES = 6, THREADS = 5, MOST = 4000, PATIENCE = 60000;
const EVENTS = "event Begin(int n, string what) = plus;\nevent End(int n, string what) = box;\n";
const OTHER = "event Other(double x) = x;\n";
const INTERVALS = [
	"interval Call [ b:Begin -> e:End ] Match = rectangle;", "interval Own [ b:Begin -> e:End ];",
	"interval Back [ e:End <- b:Begin ] where b.n == e.n = line;",
	'interval Next [ a:Begin -> b:Begin ] where a.what == "a" && b.time - a.time > 2.5 us;',
	"interval Ends [ a:End -> b:End ] where a.thread != b.thread = line;",
];
const ODD = "interval Odd [ o:Other -> e:End ] once where o.x * 0.5 < 1000.5;";

let state = BigInt(seed) * 2n + 1n;
function lot(n) {
	state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
	return Number((state >> 33n) % BigInt(n));
}

async function ask(url, path, options) {
	const response = await get(url + path, options), text = await response.text();
	if (!response.ok)
		throw new Error(path.slice(0, 100) + ": " + text);
	return JSON.parse(text);
}

/* gorge looks for more ten times a second: changes fall before, between and after its looks. */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function start(directory) {
	const child = spawn(program, { env: { ...process.env, GLIMPSE_DIR: directory, GLIMPSE_CLOCK: "monotonic" },
				       stdio: ["pipe", "pipe", "inherit"] });
	const log = (thread, n) => new Promise((done) => {
		child.stdout.once("data", done);
		child.stdin.write(thread + " " + n + "\n");
	});
	return { child, log, over: new Promise((done) => child.once("exit", done)) };
}

/* Now and then without an event type: then all is read anew. */
function definitions() {
	const other = lot(4) > 0, chosen = INTERVALS.filter(() => lot(2)).concat(other && lot(2) ? [ODD] : []);
	return "glimpse steps\n" + EVENTS + (other ? OTHER : "") + (chosen.length ? chosen : [INTERVALS[0]]).join("\n") + "\nend steps.\n";
}

/* "Name matched unmatched" of each interval, as it is counted in the logs. */
function counted(directory, text) {
	fs.writeFileSync("now.spec", text);
	const stats = JSON.parse(execFileSync(build + "/glimpse", ["stats", "--format=json", "-s", "now.spec", directory],
		{ stdio: ["ignore", "pipe", "ignore"] }));
	return (stats.intervals || stats).map((i) => [i.interval || i.name, i.count, i.unmatched].join(" ")).join("; ");
}

const VIEW = "view?width=900&events=all&intervals=all&from=0&to=";

async function shown(url) {
	const { duration } = await ask(url, "start"), picture = await ask(url, VIEW + (duration + 1000));
	return picture.intervals.map((i) => i.waiting ? "waiting" : [i.name, i.count, i.unmatched].join(" ")).join("; ");
}

async function change(url) {
	const text = definitions();
	await ask(url, "definitions", { method: "POST", body: text });
	return text;
}

/* What nobody waits for is asked while definitions change. */
function bother(url) {
	const paths = ["state", VIEW + 1000000, "find?question=Call", "statistics?width=900", "pulse", "start"];
	ask(url, paths[lot(paths.length)]).catch(() => {});
}

async function round(url, run) {
	let text;
	for (let i = 0; i < CHANGES; i++) {
		if (lot(2))
			await run.log(lot(THREADS), lot(MOST));
		if (lot(2) || !text)
			text = await change(url);
		bother(url);
		await pause(lot(2) ? 0 : lot(150));
	}
	return text;
}

/* The last of what is shown until it is what was wanted, or for so long. */
async function until(wanted, see) {
	const late = Date.now() + PATIENCE;
	for (;;) {
		const seen = await see();
		if (seen === wanted || Date.now() > late)
			return seen;
		await pause(10);
	}
}

function is(seen, wanted, name) {
	ok(seen === wanted, name);
	if (seen !== wanted)
		console.log("# " + seen + "\n# instead of\n# " + wanted);
}

async function ended(url, run, text) {
	run.child.stdin.end();
	await run.over;
	await until("ended", async () => (await ask(url, "pulse")).run);
	const fresh = await serve([build + "/gorge", "run", "-s", "now.spec"]), there = await enter(fresh.url);
	const wanted = await shown(there);
	is(await until(wanted, () => shown(url)), wanted, "at the end it has what one has that is opened then");
	const { duration } = await ask(there, "start"), whole = VIEW + duration;
	is(JSON.stringify(await ask(url, whole)), JSON.stringify(await ask(there, whole)), "and shows the same picture");
	fresh.program.kill();
}

async function main() {
	const run = start("run");
	console.log("# SEED=" + seed);
	await run.log(0, 100);
	const { program: gorge, url: invitation } = await serve([build + "/gorge", "run", "--follow"]);
	try {
		const url = await enter(invitation);
		let text;
		for (let i = 0; i < ROUNDS; i++) {
			text = await round(url, run);
			const wanted = counted("run", text);
			is(await until(wanted, () => shown(url)), wanted, "round " + i + ": what is shown is what was logged");
		}
		await ended(url, run, text);
	} catch (e) {
		ok(false, e.message);
	}
	gorge.kill();
	run.child.kill();
	end();
}

main();
