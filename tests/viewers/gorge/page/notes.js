/*
 * Notes in gorge's page, on traces of messages.recipe: where a new one is, what the file has then, what pictures show, and
 * files that are damaged or cannot be written. notes.js GORGE; prints TAP.
 */
"use strict";
const { execFileSync, spawnSync } = require("child_process");
const fs = require("fs");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const [gorge] = process.argv.slice(2);
const ENTER = "\uE007", ESCAPE = "\uE00C";
const FILE = "messages/notes.txt";
const DRAWN = "return view.state.picture.plot.filter((item) => item.length > 4).map((item) => item[1]).join('|')";
const LISTED = "return notes.found().notes.map((n) => [n.from, n.to, n.thread || '-', n.text].join()).join('|')";
const content = () => fs.existsSync(FILE) ? fs.readFileSync(FILE, "utf8") : null;

async function write(b, text) {
	await b.key("M");
	for (const letter of text)
		await b.key(letter);
	const before = content();
	await b.key(ENTER);
	await b.until("document.querySelector('#notebook input').value === ''");
	await b.until(SETTLED);
	return content().slice((before || "").length);
}

async function written(b) {
	await b.until(SETTLED);
	ok(content() === null && await b.run(LISTED) === "", "there are no notes at first, and no file");
	const [x, y] = await b.run(`const box = document.getElementById("plot").getBoundingClientRect(), p = view.state.picture;
		const lane = p.lanes.find((l) => l.name === "main");
		return [box.left + view.xOf(1000000), box.top + lane.top + lane.height / 2];`);
	await b.hover(x, y);
	const [time, thread, text] = (await write(b, "hm m")).trim().split("\t");
	ok(/^(99\d(\.\d+)?us|1(\.00\d+)?ms)$/.test(time) && thread === "main" && text === "hm m",
		"M notes the time and the thread at the pointer: " + time + " " + thread + " " + text);
	ok(await b.run("return view.state.from === 0 && view.state.marks.length === 0"), "the letters of the text are no keys");
	await b.run("selection.set(1500000, 2000000)");
	ok(await write(b, "slow") === "1.5ms-2ms\t-\tslow\n", "of a selection the range");
	await b.key(ESCAPE);
	await b.run("return server.ask('step', { interval: 'Write', index: 0, to: 'itself' }).then((found) => details.pin(found))");
	ok(await write(b, "<b>") === "0-500us\tmain\t<b>\n", "of a pinned instance its time and thread");
	ok(/slow/.test(await b.run(DRAWN)) && /<b>/.test(await b.run(DRAWN)), "they are drawn in the lanes");
	ok((fs.statSync(FILE).mode & 0o777) === 0o600, "the file is private");
}

async function kept(b) {
	const listed = await b.run(LISTED);
	await b.reload();
	await b.until(SETTLED + " && notes.found().notes.length === 3");
	ok(await b.run(LISTED) === listed && /slow/.test(await b.run(DRAWN)), "a reload keeps them");
	await b.run("view.setWindow(0, 100000)");
	await b.until(SETTLED);
	await b.run("[...document.querySelectorAll('#notebook li')].find((l) => l.textContent.includes('slow')).click()");
	await b.until(SETTLED);
	ok(await b.run("return view.state.from <= 1500000 && view.state.to >= 2000000"), "a click in the list goes there");
	await b.downloads(process.cwd());
	await b.run("view.fit()");
	await b.until(SETTLED);
	await b.run("document.getElementById('save-svg').click()");
	for (let i = 0; i < 100 && !fs.existsSync("messenger.svg"); i++)
		await new Promise((done) => setTimeout(done, 50));
	ok(fs.readFileSync("messenger.svg", "utf8").includes(">slow<"), "the svg that the page saves has them");
}

/* The author's own lines stay as they are. */
async function edited(b) {
	fs.writeFileSync(FILE, "# mine\n\n2ms   worker-1   with  spaces\r\n" + content());
	await b.reload();
	await b.until(SETTLED + " && notes.found().notes.length === 4");
	ok((await b.run(LISTED)).startsWith("2000000,2000000,worker-1,with  spaces|"), "lines of an editor are read");
	await b.run("[...document.querySelectorAll('#notebook li')].find((l) => l.textContent.includes('slow')).querySelector('button').click()");
	await b.until(SETTLED + " && notes.found().notes.length === 3");
	ok(content().startsWith("# mine\n\n2ms   worker-1   with  spaces\r\n") && !content().includes("slow"),
		"a note is removed, and comments stay");
	ok(!/slow/.test(await b.run(DRAWN)), "it is not drawn any more");
}

const refused = (path, body) => `return server.send("${path}", ${JSON.stringify(body)}).then(() => "", (e) => e.message)`;

async function hostile(b) {
	const before = content();
	for (const [path, body, why] of [
		["add-note", "1ms\tmain\ta\n2ms\tmain\tb", "not a line of a note"], ["add-note", "1ms\tmain\t\x1b[31mred", "not a line of a note"],
		["add-note", "", "not a line of a note"], ["add-note", "# comment", "not a line of a note"],
		["add-note", "soon\tmain\ta", "is not a time"], ["add-note", "2ms-1ms\tmain\ta", "is not a time"],
		["add-note", "1ms\tnobody\ta", "there is no thread"], ["add-note", "1ms\tmain\t" + "x".repeat(1000), "longer than 1000 bytes"],
		["remove-note", "1ms\tmain\tnot there", "no longer in the file"], ["remove-note", "", "no longer in the file"]])
		ok((await b.run(refused(path, body))).includes(why) && content() === before, path + " refuses " + JSON.stringify(body).slice(0, 40));
	ok((await b.run("return fetch('add-note').then((r) => r.status)")) === 405, "a GET changes nothing");
}

function exported() {
	execFileSync(gorge, ["messages", "-o", "n.svg"], { stdio: "ignore" });
	ok(fs.readFileSync("n.svg", "utf8").includes("with  spaces") || /with\s+spaces/.test(fs.readFileSync("n.svg", "utf8")),
		"-o x.svg has them");
	for (const suffix of ["png", "pdf"])
		execFileSync(gorge, ["messages", "-o", "n." + suffix], { stdio: "ignore" });
	ok(fs.statSync("n.png").size > 1000 && fs.statSync("n.pdf").size > 1000, "png and pdf are written, too");
}

async function inDocument(b) {
	const made = spawnSync(gorge, ["messages", "-o", "notes.html", "--open-view", "#from=1ms&theme=dark"], { encoding: "utf8" });
	if (/was built without/.test(made.stderr))
		return;
	await b.visit("file://" + process.cwd() + "/notes.html");
	await b.until(SETTLED + " && notes.found().notes.length === 3 && address.idle()");
	ok(/worker-1,with/.test(await b.run(LISTED)), "an html document has them");
	ok(await b.run("return document.querySelector('#notebook form').offsetHeight === 0"), "and no field for new ones");
	ok((await b.run("return view.state.theme + view.state.from + location.hash")) === "dark1000000#from=1ms&theme=dark",
		"it opens with the view of --open-view");
}

const DAMAGED = "1ms\tmain\tgood\n99\n1ms\tnobody\tx\n" + "y".repeat(2000) + "\nlater  main  x\n2ms\t-\tgood, too\n";

async function damaged(b) {
	await b.until(SETTLED + " && notes.found().notes.length === 2");
	const said = await b.run("return notes.said()");
	ok(["line 2: expected", "line 3: there is no thread 'nobody'", "line 4: longer", "line 5: 'later'"].every((w) => said.includes(w)),
		"damaged lines are said with their numbers, and all others hold");
	ok(/good/.test(await b.run(DRAWN)), "and are drawn");
	for (const [bytes, why] of [["1ms\tmain\ta\0b\n", "NUL"], ["1ms\tmain\ta\n".repeat(9000), "larger than"]]) {
		fs.writeFileSync("damaged/notes.txt", bytes);
		await b.reload();
		await b.until(SETTLED + " && notes.said().includes('" + why + "')");
		ok(fs.readFileSync("damaged/notes.txt", "utf8") === bytes && (await b.run(refused("add-note", "1ms\tmain\tx"))).includes(why),
			"a file with " + why + " is said, and not replaced");
	}
	fs.unlinkSync("damaged/notes.txt");
	fs.writeFileSync("elsewhere.txt", "1ms\tmain\tsecret\n");
	fs.symlinkSync("../elsewhere.txt", "damaged/notes.txt");
	await b.reload();
	await b.until(SETTLED + " && notes.said()");
	ok(await b.run(LISTED) === "", "no link is followed");
}

async function closed(b) {
	await b.until(SETTLED);
	fs.rmSync("closed", { recursive: true });
	const said = await b.run(refused("add-note", "1ms\tmain\tx"));
	ok(said.includes("cannot write closed/notes.txt"), "where it cannot be written, the page says where it would be: " + said);
}

const DARK = "return [view.state.theme, view.state.from, location.hash].join()";

async function opened(b) {
	await b.until(SETTLED + " && address.idle()");
	ok(await b.run(DARK) === "dark,1000000,#from=1ms&theme=dark", "--open-view opens that view");
	await b.run("document.getElementById('theme').click(); view.fit()");
	await b.until("!location.hash && address.idle()");
	await b.reload();
	await b.until(SETTLED + " && address.idle()");
	ok(await b.run(DARK) === "light,0,", "and a reload keeps what was changed");
}

async function main() {
	await visit([gorge, "messages"], [written, kept, edited, hostile]);
	exported();
	await visit([gorge, "messages"], [inDocument]);
	await visit([gorge, "messages", "--open-view", "from=1ms&theme=dark"], [opened]);
	fs.writeFileSync("damaged/notes.txt", DAMAGED);
	await visit([gorge, "damaged"], [damaged]);
	await visit([gorge, "closed"], [closed]);
	await end();
}

main();
