// words.js GRAMMAR FILE...: the places that the TextMate grammar calls invalid; with WORDS set the words with their scopes.
const fs = require('fs'), path = require('path');
const oniguruma = require('vscode-oniguruma'), textmate = require('vscode-textmate');
const [grammarFile, ...files] = process.argv.slice(2);
const wasm = path.join(path.dirname(require.resolve('vscode-oniguruma/package.json')), 'release/onig.wasm');

async function main() {
	await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
	const registry = new textmate.Registry({
		onigLib: Promise.resolve({
			createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
			createOnigString: text => new oniguruma.OnigString(text),
		}),
		loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, 'utf8'), grammarFile),
	});
	const grammar = await registry.loadGrammar('source.glimpse');
	for (const file of files) {
		let stack = textmate.INITIAL;
		fs.readFileSync(file, 'utf8').split(/\r?\n/).forEach((text, line) => {
			const result = grammar.tokenizeLine(text, stack);
			stack = result.ruleStack;
			for (const token of result.tokens) {
				const scope = token.scopes[token.scopes.length - 1], word = text.slice(token.startIndex, token.endIndex);
				if (scope.startsWith('invalid'))
					console.log(`${file}:${line + 1}:${token.startIndex + 1}: ${scope}`);
				else if (process.env.WORDS && word.trim())
					console.log(`${word.trim()} ${scope}`);
			}
		});
	}
}
main().catch(e => { console.error(e); process.exit(1); });
