/** Estimates whether a text fits into a table's cell, so that only longer texts are clipped. */

/** The largest width of each class of characters, in em, in the font of tables and in the systems' fallback fonts. */
const NARROW_EM = 0.5;
const PLAIN_EM = 0.67;
const WIDE_EM = 1.06;
const WIDE = /[A-Zmw%@&#~+<=>^]/;
const NARROW = /[ .,:;'|!()[\]{}/\\ijlrtfI-]/;

/** The width by ASCII code of the printable characters; other characters may have any width. */
const EM = Array.from({ length: 127 }, (_none, code) => {
  const character = String.fromCharCode(code);
  if (code < 32) return Number.POSITIVE_INFINITY;
  if (NARROW.test(character)) return NARROW_EM;
  return WIDE.test(character) ? WIDE_EM : PLAIN_EM;
});

/**
 * Whether a text is certainly no wider than `px` in a font of `size` px; in doubt false. A box whose text fits need not
 * clip, which saves time, because every clipping box is painted separately in every frame.
 */
export function textFits(text: string, px: number, size: number): boolean {
  let remainingEm = px / size;
  for (let at = 0; at < text.length && remainingEm >= 0; at += 1) {
    remainingEm -= EM[text.charCodeAt(at)] ?? Number.POSITIVE_INFINITY;
  }
  return remainingEm >= 0;
}

/** The class `name`, with `cut` added if a text may be too long for the given width; sizes as in table.css. */
export function cutClass(
  name: string,
  text: string,
  of: { readonly width: number; readonly size: number },
): string {
  return textFits(text, of.width, of.size) ? name : `${name} cut`;
}
