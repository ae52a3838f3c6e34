/** Completion of the name before the caret of a console's prompt. Pure. */

/** The incomplete name at the end of `text`; may be empty. */
export function nameBeforeCaret(text: string): string {
  return /[\p{L}\p{N}_]*$/u.exec(text)?.[0] ?? '';
}

/** Whether Tab requests completions here; otherwise it moves to the next control, as usual. */
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

/** The text with `name` instead of the incomplete one, and the position of the caret after it. */
export function withCompletion(
  before: string,
  { after, name }: { readonly after: string; readonly name: string },
): { readonly text: string; readonly caret: number } {
  const start = before.slice(0, before.length - nameBeforeCaret(before).length) + name;
  return { text: start + after, caret: start.length };
}
