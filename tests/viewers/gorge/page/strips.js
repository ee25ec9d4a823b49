/*
 * Random strips as gorge writes them, painted by the page and by an oracle that asks for each pixel what each covers of it.
 * strips.js FILE SEED, the page's strips.js; prints TAP.
 */
"use strict";
const fs = require("fs");
const [file, seed] = process.argv.slice(2);
const WIDTH = 500, HEIGHT = 90, PEN = 3;
let state = seed % 2147483646 + 1, failed = 0, tests = 0;

const lot = (n) => (state = state * 16807 % 2147483647) % n;

function ok(good, name) {
	failed += !good;
	console.log((good ? "ok " : "not ok ") + ++tests + " - " + name);
}

/* ---- what the page finds in a browser ---- */

let laid = null;
class ImageData {
	constructor(width, height) {
		Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
	}
}
class OffscreenCanvas {
	constructor(width, height) {
		Object.assign(this, { width, height });
	}
	getContext() {
		return { putImageData: (image) => { this.pixels = image.data.slice(); } };
	}
}
const window = { devicePixelRatio: 1 };
const strips = new Function("window", "OffscreenCanvas", "ImageData",
	fs.readFileSync(file, "utf8") + "; return strips;")(window, OffscreenCanvas, ImageData);

/* rectangles: what is painted as such. */
function contextAt(x, y, ratio, rectangles) {
	return { canvas: { width: WIDTH, height: HEIGHT }, save() {}, restore() {}, resetTransform() {},
		 getTransform: () => ({ a: ratio, d: ratio, e: x, f: y }),
		 fillRect: (...rectangle) => rectangles.push(rectangle),
		 drawImage: (layer) => { laid = layer.pixels; } };
}

/* ---- strips, in tenths of pixels ---- */

function digits(n) {
	return n < 32 ? String.fromCharCode(35 + n) : String.fromCharCode(93 + n % 32) + digits(Math.floor(n / 32));
}

const signed = (n) => digits(n < 0 ? -2 * n - 1 : 2 * n);

/* Of lists [y, [x, length], ...], which do not lie on each other. */
function written(lines) {
	return lines.map(([y, ...list]) => {
		let end = 0;
		return "!" + signed(y) + list.map(([x, length]) => {
			const text = signed(x - end) + digits(length);
			end = x + length;
			return text;
		}).join("");
	}).join("");
}

/* The lines are so far from each other that they share no row. */
function randomLines(nlines, dense) {
	return Array.from({ length: nlines }, (_, i) => {
		const list = [];
		for (let x = lot(90) - 45; x < 10 * WIDTH; x += dense ? lot(12) : lot(300)) {
			const length = lot(10) ? lot(25) : lot(1000);
			list.push([x, length]);
			x += length;
		}
		return [100 * i + lot(20), ...list];
	});
}

/* ---- the oracle ---- */

/* What shows through them, of each pixel: each covers its share of what those before it left open. */
function openOf(lines, x0, y0, ratio) {
	const open = new Float64Array(WIDTH * HEIGHT).fill(1);
	for (const [y, ...list] of lines) {
		const top = Math.round((y / 10 - PEN / 2) * ratio + y0);
		const bottom = Math.max(Math.round((y / 10 + PEN / 2) * ratio + y0), top + 1);
		for (const [x, length] of list) {
			const left = x / 10 * ratio + x0, right = (x + length) / 10 * ratio + x0;
			for (let row = Math.max(top, 0); row < Math.min(bottom, HEIGHT); row++)
				for (let c = Math.max(0, Math.floor(left)); c < Math.min(WIDTH, right); c++)
					open[row * WIDTH + c] *= 1 - Math.max(0, Math.min(right, c + 1) - Math.max(left, c));
		}
	}
	return open;
}

/* A share is told in 255 steps, and one of a fiftieth left out: some strips in a pixel add up to this. */
function isPainted(lines, x0, y0, ratio) {
	const open = openOf(lines, x0, y0, ratio);
	for (let i = 0, at = 0; i < open.length; i++, at += 4)
		if (Math.abs(laid[at + 3] / 255 - 1 + open[i]) > 0.07 ||
		    (laid[at + 3] > 8 && (laid[at] !== 0x20 || laid[at + 1] !== 0x60 || laid[at + 2] !== 0xc0))) {
			console.log("# pixel " + i % WIDTH + ", " + Math.floor(i / WIDTH) + ": " +
				laid.slice(at, at + 4) + ", not " + (1 - open[i]));
			return false;
		}
	return true;
}

function pixels() {
	const ratio = window.devicePixelRatio = [1, 1.25, 2][lot(3)], x0 = lot(100) / 10, y0 = lot(30) / 10;
	const lines = randomLines(12, true);
	laid = null;
	strips.paint(contextAt(x0, y0, ratio, []), [["#2060c0ff", PEN, written(lines)]]);
	return laid && isPainted(lines, x0, y0, ratio);
}

function rectangles() {
	const lines = randomLines(2, false), painted = [];
	window.devicePixelRatio = 1;
	strips.paint(contextAt(0, 0, 1, painted), [["#2060c080", PEN, written(lines)]]);
	const strips_of = lines.flatMap(([, ...list]) => list);
	return painted.length === strips_of.length &&
		strips_of.every(([x, length], i) => painted[i][0] === x / 10 && painted[i][2] === length / 10);
}

console.log("# seed " + seed);
ok(Array.from({ length: 200 }, pixels).every(Boolean), "200 dense pictures are painted as what they cover");
ok(Array.from({ length: 200 }, rectangles).every(Boolean), "and 200 of few strips as rectangles");
console.log("1.." + tests);
process.exit(failed ? 1 : 0);
