/*
 * What if in gorge's page: the field for what is picked, the predicted run above the recorded one, what changed, reasons of
 * refusals, and where "fix first" leads. whatif.js GORGE RUN LOCKED KINDS FOLDER; prints TAP. RUN is tests/viewers/whatif/stages.c,
 * recorded, LOCKED tests/analysis/why/hot.c, KINDS is of tests/viewers/whatif/kinds.py; predicted runs are below FOLDER.
 */
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const [gorge, run, locked, several, folder] = process.argv.slice(2);
const said = (of, ...options) => JSON.parse(execFileSync(path.join(path.dirname(gorge), "glimpse"),
	["whatif", of, "--format=json", ...options], { encoding: "utf8" }));
/* Those of gorge; the browser has its own there. */
const folders = () => fs.readdirSync(folder).filter((f) => f.startsWith("gorge-whatif"));
const ENTER = "\uE007";
const SHOWN = SETTLED + " && whatif.state().answer && beside.other() && beside.other().idle() && why.current() && " +
	"document.querySelector('#whatif .result button')";
const REFUSED = "document.querySelector('#whatif .said.wrong')";
const TEXT = "return document.getElementById('whatif').innerText";
const upper = (expression) => "const other = beside.other(); return " + expression;

/* Clears the field of the open panel, types, and presses Enter. */
async function type(b, panel, text) {
	await b.run("const i = document.querySelector(arguments[0] + ' form.whatif input'); i.focus(); i.value = ''", panel);
	for (const letter of text)
		await b.key(letter);
	await b.key(ENTER);
}

async function picks(b) {
	await b.until(SETTLED);
	/* a call of compress, as a click on its bar pins it */
	const found = await b.run(`return (async () => {
		for (let index = 0; ; index++) {
			const f = await server.ask("step", { interval: "Call", index, to: "itself" });
			if (f.instance.function.startsWith("compress") && !f.instance.function.startsWith("compressor"))
				return details.pin(f), f.instance.function;
		}})()`);
	ok(/^compress\b/.test(found) && await b.run("return panel.current()") === "details", "a call is pinned: " + found);
	ok(/what if +compress/.test(await b.run("return document.querySelector('#details form').innerText.replace(/\\n/g, ' ')")) ||
		await b.run("return document.querySelector('#details form select').value.startsWith('compress')"),
		"its card has a field for its function");
}

async function predicts(b) {
	const recorded = await b.run("return view.state.duration"), cli = said(run, "--speed", "compress=2");
	await type(b, "#details", "2");
	await b.until(SHOWN, 60);
	const [duration, from, to, left, columns] = await b.run(upper("[other.duration(), other.state.from, other.state.to, " +
		"other.state.picture.left, other.state.picture.columns]"));
	const answer = await b.run("return whatif.state().answer");
	ok(["recorded", "replayed", "predicted", "low", "high"].every((k) => answer[k] === cli[k]),
		"the answer is that of glimpse whatif: " + answer.predicted + " of " + answer.recorded + " ns");
	ok(Math.abs(duration - cli.predicted) <= cli.predicted / 1000, "the upper pane is the predicted run: " + duration + " ns");
	ok(await b.run("return view.state.duration") === recorded, "the lower one is the recorded run");
	const mine = await b.run("return [view.state.from, view.state.to, view.state.picture.left, view.state.picture.columns]");
	ok([from, to, left, columns].join() === mine.join() && to >= recorded, "both have one scale: " + mine.join(" "));
	const lanes = [await b.run("return view.state.picture.lanes.map((l) => l.name).join()"),
		await b.run(upper("other.state.picture.lanes.map((l) => l.name).join()"))];
	ok(lanes[0] === lanes[1], "and the same lanes: " + lanes[0]);
	ok(await b.run("return document.getElementById('predicted').getBoundingClientRect().bottom <= " +
		"document.getElementById('ruler').getBoundingClientRect().top"), "the predicted run is above");
	const text = await b.run(TEXT);
	ok(/→/.test(text) && /between/.test(text) && /now limited by/.test(text), "the panel says from, to and the range");
	ok(/compressor\s+[\d.]+( \w+)? → /.test(text) && answer.locks.every((l) => text.includes(l.lock)),
		"and what changed most: threads, and locks: " + answer.locks.map((l) => l.lock).join());
	ok(await b.run("return why.state().path.length > 0") &&
		await b.run("return document.querySelector('#predicted iframe').contentWindow.pane.path() > 0"),
		"both have their critical path");
}

async function couples(b) {
	const same = upper("other.state.from === view.state.from && other.state.to === view.state.to && " +
		"other.state.picture.from === view.state.picture.from");
	await b.run("view.setWindow(0.2 * view.state.duration, 0.4 * view.state.duration)");
	await b.until(SHOWN);
	ok(await b.run(same), "zoom moves both");
	await b.key("d");
	await b.until(SHOWN);
	ok(await b.run(same) && await b.run("return view.state.from > 0.2 * view.state.duration"), "so does a key");
	await b.run(upper("other.go(1000000, 90000000)"));
	await b.until(SHOWN);
	ok(await b.run(same) && await b.run("return view.state.from") === 1000000, "and what moves the upper one moves the lower");
	await b.run("view.toggle('intervals', 'Call')");
	await b.until(SHOWN + " && beside.other().state.off.intervals.has('Call')");
	ok(true, "a layer is off in both");
	await b.run("view.toggle('intervals', 'Call'); view.fit()");
	await b.until(SHOWN);
}

async function refuses(b) {
	for (const [text, reason] of ["abc", "0", "-1"].map((t) => [t, new RegExp("invalid factor '" + t + "'")])) {
		await type(b, "#whatif", text);
		await b.until(REFUSED);
		const why = await b.run("return whatif.state().said");
		ok(reason.test(why), text + " is refused: " + why);
	}
	ok(await b.run("return document.getElementById('predicted').hidden && !document.querySelector('iframe')"),
		"then there is one pane");
	await b.run("whatif.propose({ kind: 'function', name: 'nowhere' }, '2')");
	await b.key(ENTER);
	await b.until(REFUSED);
	ok(/nowhere/.test(await b.run("return whatif.state().said")), "what the trace has not is named");
}

/* Whatever the command can change is asked for by its name, with the form that is always there. */
async function kinds(b) {
	await b.until(SETTLED);
	await b.run("panel.show('whatif')");
	const asked = { speed: ["Chunk", "2x"], time: ["Chunk", "1ms"], io: ["Read", "1MB/s,1ms"], lock: ["*", "none"],
			hold: ["*", "5ms"], threads: ["worker", "3"], schedule: ["*", "guided"], cores: ["", "1"], slice: ["", "1ms"] };
	const shown = "return [...document.querySelectorAll('#whatif form.whatif select option')].length";
	/* and slots, of a semaphore: this run has none */
	ok(await b.run(shown) === Object.keys(asked).length + 1, "the form has all kinds of change");
	for (const [change, [name, value]] of Object.entries(asked)) {
		await b.run("const [how, name, value] = arguments, f = document.querySelector('#whatif form.whatif'), s = f.querySelector('select');" +
			"s.selectedIndex = how; s.dispatchEvent(new Event('change')); f.querySelector('input.name').value = name;" +
			"f.querySelector('input:not(.name)').value = value; f.querySelector('button:not([type])').click()",
			Object.keys(asked).indexOf(change), name, value);
		const together = change === "threads" || change === "schedule";
		await b.until("whatif.state().answer && !whatif.state().running && " + (together ? "true" : "beside.other() && beside.other().idle()"), 60);
		const answer = await b.run("return whatif.state().answer");
		const options = together ? [] : ["-o", path.join(folder, "of-" + change)];
		ok(answer.predicted === said(several, "--" + change, (name && name + "=") + value.replace("x", ""), ...options).predicted,
			change + " is answered as by glimpse whatif: " + answer.asked);
		ok(await b.run("return !document.querySelector('#predicted').hidden") === !together &&
			/no picture/.test(await b.run(TEXT)) === together, together ? "without a picture" : "with a picture");
	}
}

/* Each part of the headline that says a gain fills in its change. */
async function links(b) {
	await b.until("headline.idle()", 60);
	const n = await b.run("return document.querySelectorAll('#headline [data-kind=what-if]').length");
	for (let i = 0; i < n; i++) {
		const text = await b.run("const l = document.querySelectorAll('#headline [data-kind=what-if]')[arguments[0]]; l.click();" +
			" return l.textContent", i);
		await b.until("panel.current() === 'whatif' && document.querySelector('#whatif form input').value !== ''");
		ok(true, "the headline's link: " + text + ": " + await b.run("return document.querySelector('#whatif form b').innerText + ' ' + " +
			"document.querySelector('#whatif form input').value"));
	}
}

async function fixes(b) {
	await b.until(SETTLED);
	await b.run("panel.show('why')");
	await b.until("document.querySelector('#why [data-fix]')", 60);
	const what = await b.run("const link = document.querySelector('#why [data-fix]'); link.click(); return link.dataset.fix");
	ok(await b.run("return panel.current()") === "whatif" && await b.run("return whatif.state().subject.name") === what &&
		await b.run("return document.querySelector('#whatif form input').value") !== "", "fix first fills its change in: " + what);
	await b.key(ENTER);
	await b.until(SHOWN, 60);
	const [before, after] = await b.run("return [why.state().found.findings[0].fix.gain, whatif.state().answer]");
	ok(what === "hot_lock" && /hot_lock\s+[\d.]+( \w+)? → /.test(await b.run(TEXT)), "Enter shows that run, and its waits for the lock");
	ok(Math.abs(after.without_cost - after.predicted - before) < 0.02 * after.recorded, "its gain is that of the finding: " +
		(after.without_cost - after.predicted) + ", " + before + " ns");
	await b.run("whatif.proposePart({ option: 'cores', name: '1' })");
	await b.key(ENTER);
	await b.until(SHOWN + " && /processor/.test(whatif.state().answer.asked)", 60);
	ok(await b.run("return whatif.state().answer.predicted") === said(locked, "--cores", "1").predicted,
		"a number of processors of the headline is the same as --cores");
	await links(b);
	const files = () => folders().flatMap((f) => fs.readdirSync(path.join(folder, f)));
	ok(files().length === 1, "only the newest predicted run is kept");
	await b.run("document.querySelector('#predicted .close').click()");
	await b.until("!document.querySelector('iframe') && " + SETTLED);
	ok(await b.run("return view.state.to") === await b.run("return view.state.duration"), "closed, the recorded run fills the page");
	for (let i = 0; i < 100 && files().length; i++)
		await new Promise((done) => setTimeout(done, 50));
	ok(files().length === 0, "and nothing of the predicted one is left");
}

(async () => {
	await visit([gorge, run], [picks, predicts, couples, refuses]);
	await visit([gorge, locked], [fixes]);
	await visit([gorge, several], [kinds]);
	for (let i = 0; i < 100 && folders().length; i++)
		await new Promise((done) => setTimeout(done, 50));
	ok(folders().length === 0, "a killed gorge leaves no folder behind");
	end();
})();
