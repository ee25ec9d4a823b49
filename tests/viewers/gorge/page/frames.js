/*
 * Each step of a zoom or pan is drawn in a frame of its own: what is asserted is that it is, not how soon; the times
 * are told. frames.js GORGE DIRECTORY; prints TAP.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");
const { STOPWATCH } = require("../../stopwatch.js");

const AT = `
	const box = document.getElementById("plot").getBoundingClientRect();
	return [box.left + box.width / 2, box.top + 20];`;
const SHOWN = "return [view.state.picture.from, view.state.picture.to].join()";
const LEFT = "\uE012", RIGHT = "\uE014";

/* Does what the steps are, one after the other, each when the one before it is drawn. */
async function steps(b, name, actions) {
	const before = await b.run("return stopwatch.times.length"), windows = [await b.run(SHOWN)];
	for (const [i, action] of actions.entries()) {
		await action();
		await b.until("stopwatch.times.length > " + (before + i));
		await b.until(SETTLED);
		windows.push(await b.run(SHOWN));
	}
	const times = (await b.run("return stopwatch.times")).slice(before);
	ok(times.length === actions.length && times.every((t) => t > 0), "a frame for each step: " + name);
	ok(windows.every((w, i) => w !== windows[i - 1]), "each shows another window");
	console.log("# from the event to the frame, ms: " + times.map((t) => t.toFixed(0)).join(" "));
}

const repeat = (n, action) => Array(n).fill(action);

async function measure(b) {
	await b.until(SETTLED);
	await b.run(STOPWATCH);
	const [x, y] = await b.run(AT);
	await steps(b, "the wheel zooms in", repeat(6, () => b.wheel(x, y, -240)));
	await steps(b, "keys pan forward", repeat(4, () => b.key(RIGHT)));
	await steps(b, "keys pan backward", repeat(3, () => b.key(LEFT)).concat(repeat(3, () => b.key("a"))));
	await steps(b, "keys zoom", [...repeat(2, () => b.key("+")), ...repeat(3, () => b.key("-"))]);
	await steps(b, "the wheel zooms out", repeat(2, () => b.wheel(x, y, 240)));
	await steps(b, "f shows the whole", [() => b.key("f")]);
}

visit(process.argv.slice(2), [measure]).then(end);
