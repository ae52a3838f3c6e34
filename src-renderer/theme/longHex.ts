/**
 * Writes the colour `#fff` as `#ffffff`: the build shortens colours in styles, but the editor reads only the long form.
 */
export function longHex(colour: string): string {
  return /^#[\da-f]{3,4}$/i.test(colour) ? colour.replace(/[\da-f]/gi, '$&$&') : colour;
}
