/** Adjusts the exact colours that a program printed so that they are readable on the console's background. */

/** The background of consoles in light and dark mode (--card of the tokens). */
const GROUND = { light: [255, 255, 255], dark: [32, 31, 29] } as const;
const WANTED = 4.5;
const STEPS = 20;
const readableColours = new Map<string, { readonly light: string; readonly dark: string }>();
const MAX_KNOWN = 2_000;

/** A program's exact colour, `r, g, b`, made darker or lighter until it is readable on each background. */
export function readableColour(rgb: string): { readonly light: string; readonly dark: string } {
  const cached = readableColours.get(rgb);
  if (cached !== undefined) return cached;
  const colours = { light: moveTowards(rgb, GROUND.light, 0), dark: moveTowards(rgb, GROUND.dark, 255) };
  if (readableColours.size >= MAX_KNOWN) readableColours.clear();
  readableColours.set(rgb, colours);
  return colours;
}

function moveTowards(rgb: string, ground: readonly number[], end: number): string {
  const from = rgb.split(',').map(Number);
  const back = luminance(ground);
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = from.map((part) => Math.round(part + ((end - part) * step) / STEPS));
    const front = luminance(mixed);
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (ratio >= WANTED) return `rgb(${mixed.join(', ')})`;
  }
  return `rgb(${end}, ${end}, ${end})`;
}

/** Relative luminance (WCAG 2.2). */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
