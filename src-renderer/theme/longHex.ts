/** `#fff` as `#ffffff`: styles are built with the short form, and the editor reads the long one only. */
export function longHex(colour: string): string {
  return /^#[\da-f]{3,4}$/i.test(colour) ? colour.replace(/[\da-f]/gi, '$&$&') : colour;
}
