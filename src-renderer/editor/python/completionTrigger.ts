/** Decides where in a Python cell typing requests completions. */

/**
 * Whether to request completions at the end of `before`, the line up to the caret: in a name, after a dot, or in a
 * subscript. Not in a comment, a number, or a string that is not a subscript's key.
 */
export function requestsCompletionsAt(before: string): boolean {
  const text = codeBefore(before);
  if (text === null) return false;
  if (text.open !== null) return /[\p{L}\p{N}_\])]\s*\[[^\]]*$/u.test(text.code);
  const last = text.code.at(-1) ?? '';
  if (last === '[') return /[\p{L}\p{N}_\])]\[$/u.test(text.code);
  if (last === '"' || last === "'") return false;
  if (last === '.') return !/(^|[^\p{L}\p{N}_.])\d+\.$/u.test(text.code);
  return !/(^|[^\p{L}\p{N}_.])\d[\p{L}\p{N}_.]*$/u.test(text.code);
}

/** The code of a line without a string that is still open at its end, and that string's quote; null in a comment. */
function codeBefore(before: string): { readonly code: string; readonly open: string | null } | null {
  let open: { readonly mark: string; readonly at: number } | null = null;
  for (let at = 0; at < before.length; at += 1) {
    const character = before[at] ?? '';
    if (open !== null) {
      if (character === '\\') at += 1;
      else if (character === open.mark) open = null;
    } else if (character === '#') return null;
    else if (character === '"' || character === "'") open = { mark: character, at };
  }
  return open === null ? { code: before, open: null } : { code: before.slice(0, open.at), open: open.mark };
}
