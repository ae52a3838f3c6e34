/** Completing the name before the caret of a console's prompt. Pure. */

/** The name at the end of `text` that is being typed; may be empty. */
export function nameBeforeCaret(text: string): string {
  return /[\p{L}\p{N}_]*$/u.exec(text)?.[0] ?? '';
}

/** Whether Tab requests completions here; elsewhere it moves to the next control, as usual. */
export function canComplete(before: string): boolean {
  return nameBeforeCaret(before) !== '' || before.endsWith('.');
}

/** The longest common prefix. */
export function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** The text with `name` in place of the one being typed, and where the caret is then. */
export function withCompletion(
  before: string,
  { after, name }: { readonly after: string; readonly name: string },
): { readonly text: string; readonly caret: number } {
  const start = before.slice(0, before.length - nameBeforeCaret(before).length) + name;
  return { text: start + after, caret: start.length };
}
