/**
 * The line of a failed test that says how to run it again, with the tools and variables of `npm test`.
 * @param stage its name in `npm test`
 * @param args for the runner of that stage: the file and which of its tests
 */
export function repeatCommand(stage, args) {
  const words = [...(stage.includes(' ') ? [`'${stage}'`] : [stage]), ...args.map(quoted)];
  const long = process.env.LONG === '1' ? '--long ' : '';
  return `\n    repeat it: npm test -- ${long}--only ${words.join(' ')}`;
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text) {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
