/*
 * gorge-memory.js GORGE DIRECTORY SPEC BYTES MILLIONS: the most memory that gorge has of its own until all intervals of the
 * specification are found and drawn, beside the bytes of the logs. Prints a row for bench/run.
 */
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");

const [gorge, directory, spec, bytes, millions] = process.argv.slice(2);

function anonymous(program) {
	return 1024 * +/RssAnon:\s*(\d+)/.exec(fs.readFileSync("/proc/" + program.pid + "/status", "utf8"))[1];
}

async function main() {
	const begun = performance.now();
	const program = spawn(gorge, [directory, "-s", spec], { stdio: ["ignore", "pipe", "ignore"] });
	const url = await new Promise((done) => program.stdout.once("data", (text) => done(String(text).trim())));
	const ask = async (path) => (await fetch(url + path)).json();
	let most = 0, waiting;
	do {
		waiting = (await ask("state")).waiting;
		most = Math.max(most, anonymous(program));
		await new Promise((done) => setTimeout(done, 20));
	} while (waiting.length);
	const found = (performance.now() - begun) / 1000;
	await ask("view?width=1300&room=700");
	most = Math.max(most, anonymous(program));
	program.kill();
	console.log(["gorge, two intervals of " + millions / 2 + " M instances: memory / bytes of the logs",
		(most / bytes).toFixed(2), "<=2", "found in " + found.toFixed(1) + " s"].join("\t"));
}

main();
