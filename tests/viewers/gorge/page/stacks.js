/*
 * Sampled stacks in gorge's page: below each thread's states the functions in which it ran, what one of them is, all
 * frames of a thread, the call tree of the window, and what a thread did while another one waited for it.
 * stacks.js GORGE RUN DEEP STAGES; prints TAP. RUN is waiter.c, STAGES is stages.cc, and DEEP is tests/probes/samples/sampled.c, recorded with samples. In the
 * environment, PICTURES names a folder for pictures of the page.
 */
"use strict";
const { execFileSync } = require("child_process");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const READY = SETTLED + " && !view.state.picture.pendingStacks && view.state.picture.lanes.some((l) => l.frames)";
const TREE = "[...document.querySelectorAll('#flame table tr[data-node]')].map((r) => [...r.cells].map((c) => c.textContent))";

async function picture(b, name) {
	if (process.env.PICTURES)
		await b.picture(process.env.PICTURES + "/" + name + ".png");
}

/* Bars of stacks as --dump has them: those of a function in a lane, in columns. */
function dumped(gorge, run, ...options) {
	const text = execFileSync(gorge, [run, "--dump", ...options], { encoding: "utf8" });
	return [...text.matchAll(/^stack lane (\d+) row (\d+) at ([\d.-]+)-([\d.-]+)( level (\d))? (".*?") in "(.*)"$/gm)]
		.map(([, lane, row, x0, x1, , level, name, origin]) =>
			({ lane: +lane, row: +row, x0: +x0, x1: +x1, level: +(level || 0), name: JSON.parse(name), origin }));
}

function pictures(gorge, run) {
	const all = dumped(gorge, run, "--functions", "7"), bake = all.filter((s) => s.name === "bake"), burn = all.filter((s) => s.name === "burn");
	const under = (s, t) => s.lane === t.lane && s.x0 >= t.x0 - 0.11 && s.x1 <= t.x1 + 0.11 && s.row > t.row;
	ok(bake.length > 0 && bake.every((s) => s.origin === "waiter"), "functions have their module");
	ok(burn.length > 0 && burn.every((s) => all.some((t) => ["bake", "taste"].includes(t.name) && under(s, t))),
		"a callee lies below its caller");
	const overlap = all.some((s, i) => i && all[i - 1].lane === s.lane && all.some((t) => t !== s && t.lane === s.lane &&
		t.row === s.row && t.x0 < s.x1 - 0.11 && s.x0 < t.x1 - 0.11));
	ok(!overlap, "bars of a row do not lie on each other");
	const near = dumped(gorge, run, "--functions", "7", "--from", "100ms", "--to", "101ms");
	ok(near.length < 200 && all.length < 5000, "as many bars as the pixels can tell");
	ok(near.some((s) => s.x1 - s.x0 > 400), "neighbouring samples of a function are one bar");
}

/* Of threads of the C++ library, one row that says something; none where it could say nothing. */
function usual(gorge, run) {
	const all = dumped(gorge, run), rows = new Map();
	all.forEach((s) => rows.set(s.lane, (rows.get(s.lane) || new Set()).add(s.row)));
	ok(rows.size > 0 && [...rows.values()].every((r) => r.size === 1), "a thread has one row of functions: " + rows.size + " of them");
	/* in columns, as the bars are long: leaves of a library may be on the level of functions that compute */
	const sum = (some) => some.reduce((n, s) => n + s.x1 - s.x0, 0);
	const own = all.filter((s) => s.origin === "stages" && !/^(\S+ )?(std::|__gnu_cxx::)/.test(s.name));
	ok(sum(own) > 0.8 * sum(all), "it names functions of the program, not of libraries: " + [...new Set(all.map((s) => s.name))].join(", "));
	ok([...rows.keys()].every((lane) => all.some((s) => s.lane === lane && s.x1 - s.x0 > 12)), "a row has room for a name at least");
	const far = dumped(gorge, run, "--width", "200");
	ok(far.every((s) => far.some((t) => t.lane === s.lane && t.x1 - t.x0 > 12)), "and is left out where it has none: " + far.length);
	const three = dumped(gorge, run, "--functions", "3");
	ok(Math.max(...three.map((s) => s.row)) > Math.max(...all.map((s) => s.row)), "--functions shows more rows");
}

const pinned = "[...document.querySelectorAll('#details dd')].map((d) => d.textContent)";

async function run(b) {
	await b.until(READY);
	await picture(b, "stacks-usual");
	const rows = () => b.run("return Math.max(...view.state.picture.lanes.map((l) => l.frameRows || 0))"), counts = [await rows()];
	for (let i = 0; i < 2; i++) {
		await b.key("X");
		await b.until(READY);
		counts.push(await rows());
	}
	ok(counts[0] === 1 && counts[1] === 3 && counts[2] > 3, "X shows more rows of functions: " + counts);
	await picture(b, "stacks");
	/* where bake has a bar: asked of all points of the lane's lower part */
	const point = await b.run(`
		const p = view.state.picture, lane = p.lanes.find((l) => l.name === "baker");
		for (let y = lane.top + lane.height - 3; y > lane.top; y -= 6)
			for (let x = p.left + 20; x < p.left + p.columns; x += 40) {
				const found = await server.ask("at", { ...view.state.asked, x, y });
				if (found.stack && found.stack.function === "bake")
					return [x, y, found.stack];
			}
		return null;`);
	ok(point && point[2].origin === "waiter" && point[2].total > 0.8 * point[2].ran && point[2].self < 0.1 * point[2].ran &&
		point[2].callers.includes("baker"), "a bar is a function with its module, its callers, and its share of the running time");
	const box = await b.run("const r = document.getElementById('plot').getBoundingClientRect(); return [r.left, r.top]");
	await b.hover(box[0] + point[0], box[1] + point[1]);
	await b.until("!document.getElementById('hover').hidden");
	ok(await b.run("return document.getElementById('hover').textContent.startsWith('bake')"), "the pointer shows its name");
	await picture(b, "stacks-hover");
	await b.click(box[0] + point[0], box[1] + point[1]);
	await b.until("view.state.pinned && view.state.pinned.stack");
	await b.run("document.querySelector('#details [data-step=\"flame graph\"]').click()");
	await b.until("flame.state().stretches && flame.current()");
	ok(await b.run("return flame.state().graph.frames.find((f) => f.node === flame.state().chosen).name") === "bake",
		"from there to its path in the flame graph");
	const coloured = await b.run("return flame.state().graph.frames.map((f) => [f.name, f.colour])"), of = new Map(coloured);
	ok(coloured.every(([name, colour]) => of.get(name) === colour) && new Set(of.values()).size > 3,
		"where each function has one colour");
	ok(await b.run("return JSON.stringify(view.state.picture).includes('" + of.get("bake") + "')"),
		"which is the one that it has in the lanes");
	await b.key("\uE00C");
	await b.key("B");
	await b.until(TREE + ".some((r) => /bake$/.test(r[0]))");
	const tree = await b.run("return " + TREE), bake = tree.find((r) => /bake$/.test(r[0]));
	ok(parseFloat(bake[1]) > 70 && tree.findIndex((r) => /bake$/.test(r[0])) < tree.findIndex((r) => /taste$/.test(r[0])),
		"the call tree has callees below their callers, the greatest first");
	await picture(b, "stacks-tree");
	const before = tree.length;
	await b.run("const r = [...document.querySelectorAll('#flame table tr[data-node]')].find((x) => /baker$/.test(x.cells[0].textContent)); r.querySelector('.fold').click()");
	ok(await b.run("return " + TREE + ".length") < before, "a click folds it");
	await b.run("view.toggle('threads', view.state.threads.find((t) => t.label === 'baker').number)");
	await b.until(SETTLED + " && flame.current() && !flame.state().graph.frames.some((f) => f.name === 'bake')");
	ok(await b.run("return flame.state().graph.frames.some((f) => f.name === 'taste')"), "and it is of the threads that are shown");
	await b.run("view.toggle('threads', view.state.threads.find((t) => t.label === 'baker').number)");
	await b.key("b");
	await b.until(SETTLED);
	/* the longest wait: the cook computes meanwhile */
	await b.run("details.pin(await server.ask('step', { interval: 'CondWait', index: 0, to: 'longest', order: order.name() }))");
	await b.until("document.querySelector('#details .meanwhile')");
	const said = await b.run("return document.querySelector('#details .meanwhile').textContent");
	ok(/waits forbaker, .*% in burn/.test(said), "a wait says for whom, and what that thread ran in meanwhile: " + said);
	await picture(b, "stacks-wait");
}

async function deep(b) {
	await b.until(READY);
	const lane = "view.state.picture.lanes.find((l) => l.frames > 50)";
	const low = await b.run("return " + lane);
	await picture(b, "stacks-deep");
	ok(low && low.frameRows <= 7, "a deep stack has a few rows: " + low.frameRows + " of " + low.frames);
	const box = await b.run("const r = document.getElementById('plot').getBoundingClientRect(); return [r.left, r.top]");
	await b.click(box[0] + 40, box[1] + low.top + low.height / 2);
	await b.until(READY + " && " + lane + ".grown");
	ok(await b.run("const l = " + lane + "; return l.frameRows === l.frames"), "a click on its name shows all frames");
	await picture(b, "stacks-grown");
	await b.key("x");
	await b.until(READY + " && !" + lane + ".grown");
	ok(await b.run("return " + lane + ".frameRows") === low.frameRows, "x hides them again");
}

(async () => {
	const [gorge, ...runs] = process.argv.slice(2);
	pictures(gorge, runs[0]);
	await visit([gorge, runs[0]], [run]);
	await visit([gorge, runs[1]], [deep]);
	usual(gorge, runs[2]);
	end();
})();
