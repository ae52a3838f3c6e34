/** No character of a class is wider than this in the font of tables, nor in the one a system has in its place; em. */
const NARROW_EM = 0.5;
const PLAIN_EM = 0.67;
const WIDE_EM = 1.06;
const WIDE = /[A-Zmw%@&#~+<=>^]/;
const NARROW = /[ .,:;'|!()[\]{}/\\ijlrtfI-]/;

/** By code of the printable ASCII characters; the rest may be of any width. */
const EM = Array.from({ length: 127 }, (_none, code) => {
  const character = String.fromCharCode(code);
  if (code < 32) return Number.POSITIVE_INFINITY;
  if (NARROW.test(character)) return NARROW_EM;
  return WIDE.test(character) ? WIDE_EM : PLAIN_EM;
});

/**
 * Whether a text is no wider than `px` in a font of `size` px, for any characters: a box whose text fits need not clip,
 * and every clipping box is painted separately in every frame. When in doubt, it does not fit.
 */
export function textFits(text: string, px: number, size: number): boolean {
  let left = px / size;
  for (let at = 0; at < text.length && left >= 0; at += 1) {
    left -= EM[text.charCodeAt(at)] ?? Number.POSITIVE_INFINITY;
  }
  return left >= 0;
}

/** `name`, marked where a text may be too long for so many px; sizes as table.css has them. */
export function cutClass(
  name: string,
  text: string,
  of: { readonly width: number; readonly size: number },
): string {
  return textFits(text, of.width, of.size) ? name : `${name} cut`;
}
