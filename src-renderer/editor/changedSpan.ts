/** Finds the part in which two texts differ, so that the editor applies a change from elsewhere as one edit. */

/** The one span that turns one text into another: what precedes and follows it is the same in both. */
export function changedSpan(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly text: string } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  // A surrogate pair is one character and \r\n one line break, so the span must not split either.
  if (head > 0 && isFirstHalf(before.charCodeAt(head - 1))) head -= 1;
  if (tail > 0 && isSecondHalf(before, before.length - tail)) tail -= 1;
  return { from: head, to: before.length - tail, text: after.slice(head, after.length - tail) };
}

function isFirstHalf(code: number): boolean {
  return (code >= 0xd800 && code < 0xdc00) || code === 0x0d;
}

function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0xdc00 && code < 0xe000) || (code === 0x0a && text.charCodeAt(at - 1) === 0x0d);
}
