/** Shorter texts are read quickly whatever they hold. */
const LONG = 32 * 1024;
/** One character in so many beyond ASCII is few: more of them would make the text longer for nothing. */
const FEW = 64;
const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * The same JSON with its few characters beyond ASCII written as escapes. A browser reads a megabyte of ASCII in half
 * the time of one with a single ellipsis in it, which it has to hold in two bytes a character.
 */
export function asciiJson(json: string): string {
  if (json.length < LONG) return json;
  let left = json.length / FEW;
  let from = 0;
  let text = '';
  for (const { index } of json.matchAll(BEYOND_ASCII)) {
    left -= 1;
    if (left < 0) return json;
    text += `${json.slice(from, index)}\\u${json.charCodeAt(index).toString(16).padStart(4, '0')}`;
    from = index + 1;
  }
  return from === 0 ? json : text + json.slice(from);
}
