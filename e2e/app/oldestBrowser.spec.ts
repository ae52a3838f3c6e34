import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '../support/expect.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { test } from '../support/warmTest.ts';

/**
 * The page must work in Chromium 108 and newer. A build transforms newer syntax, but not functions or properties, so
 * this test searches the built files for those. In minified code only the name of a method can be found, so libraries
 * that check for a method before they use it are listed below with the reason.
 */
const ASSETS = join(PROJECT_ROOT, 'dist/renderer/assets');

/** Feature → its pattern, and the first Chromium that has it. */
const SCRIPT_FEATURES: Readonly<Record<string, readonly [RegExp, number]>> = {
  toSorted: [/\.toSorted\(/, 110],
  toReversed: [/\.toReversed\(/, 110],
  toSpliced: [/\.toSpliced\(/, 110],
  'Array with()': [/\]\.with\(/, 110],
  isWellFormed: [/\.(isWellFormed|toWellFormed)\(/, 111],
  startViewTransition: [/\.startViewTransition\(/, 111],
  'RegExp flag v': [/\/[dgimsuy]*v[dgimsuy]*\.(test|exec)\(|RegExp\([^()]*,\s*[`'"][a-z]*v/, 112],
  'ArrayBuffer transfer': [/\.transferToFixedLength\(|\.buffer\.transfer\(/, 114],
  showPopover: [/\.(show|hide|toggle)Popover\(/, 114],
  'AbortSignal.any': [/AbortSignal\.any\(/, 116],
  groupBy: [/(Object|Map)\.groupBy\(/, 117],
  'Promise.withResolvers': [/Promise\.withResolvers/, 119],
  'URL.canParse': [/URL\.canParse\(/, 120],
  'Array.fromAsync': [/Array\.fromAsync\(/, 121],
  'Iterator helpers': [
    /\.(values|keys|entries)\(\)\.(map|filter|some|every|find|toArray|take|drop|reduce|flatMap|forEach)\(/,
    122,
  ],
  'Set operations': [/\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/, 122],
  'Promise.try': [/Promise\.try\(/, 128],
  'scheduler.yield': [/scheduler\.yield\(/, 129],
  moveBefore: [/\.moveBefore\(/, 133],
  'RegExp.escape': [/RegExp\.escape\(/, 136],
  'Uint8Array base64': [/Uint8Array\.from(Base64|Hex)\(|\.toBase64\(/, 140],
};

const STYLE_FEATURES: Readonly<Record<string, readonly [RegExp, number]>> = {
  'color-mix': [/color-mix\(/, 111],
  'lab and oklch': [/[\s:,(]ok(lab|lch)\(|[\s:,(](lab|lch)\(/, 111],
  'trigonometry in CSS': [/[\s:,(](sin|cos|tan|asin|acos|atan|atan2)\(/, 111],
  'linear() easing': [/[\s:,]linear\(/, 113],
  'text-wrap': [/text-wrap:/, 114],
  'scroll timelines': [/animation-timeline:|scroll-timeline/, 115],
  subgrid: [/subgrid/, 117],
  '@starting-style': [/@starting-style/, 117],
  '@scope': [/@scope/, 118],
  'relative colours': [/(rgb|hsl|hwb)a?\(from /, 119],
  ':dir()': [/:dir\(/, 120],
  'unprefixed mask': [/[;{]mask(-image|-position|-size)?:/, 120],
  'scrollbar-color': [/scrollbar-(color|width):/, 121],
  'light-dark()': [/light-dark\(/, 123],
  'field-sizing': [/field-sizing:/, 123],
  'anchor positioning': [/anchor-name:|position-anchor:/, 125],
  'round() and mod()': [/[\s:,(](round|mod|rem)\(/, 125],
  'interpolate-size': [/interpolate-size:|calc-size\(/, 129],
};

/** `chunk: feature` → why its use is harmless in Chromium 108. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'chunk-FOHPRMQF.js: Iterator helpers (122)': 'Mermaid, in a profiler of its parser that nobody starts',
  'dist.js: URL.canParse (120)':
    'Mermaid, for links in diagrams; where it is missing such a diagram is shown as its text, with the reason',
  'index.css: field-sizing (123)': 'the message field grows with its text; where it is missing, it scrolls',
  'index.js: URL.canParse (120)': 'zod asks whether it is there',
  'main.js: AbortSignal.any (116)': 'anywidget; the script of widgets brings it where it is missing',
  'main.js: Uint8Array base64 (140)': 'a method of PostCSS of that name',
  'react.js: startViewTransition (111)':
    'React, for a component that is not used here, and it goes on without',
  'plotly-cartesian.min.js: isWellFormed (111)': 'Plotly checks whether it exists',
  'plotly.min.js: isWellFormed (111)': 'Plotly checks whether it exists',
  'radix.js: toSorted (110)': 'a method of its own ordered dictionary',
  'monaco.css: color-mix (111)': 'borders of the quick input, which is not registered',
  'monaco.css: scrollbar-color (121)': 'text boxes of the editor’s find box; older ones show a scroll bar',
  'monaco.css: text-wrap (114)': 'status bars and code lenses, which are not registered',
};

/** Whether a rule contains a rule (CSS nesting, Chromium 112); conditions and keyframes may contain rules. */
function hasNesting(css: string): boolean {
  const text = css.replace(/\/\*[\s\S]*?\*\/|"[^"]*"|'[^']*'|url\([^)]*\)/g, '');
  const open: ('group' | 'rule')[] = [];
  let prelude = '';
  for (const char of text) {
    if (char === '{') {
      if (open.at(-1) === 'rule') return true;
      open.push(
        /^\s*@(media|supports|layer|container|keyframes|-webkit-keyframes)/.test(prelude) ? 'group' : 'rule',
      );
      prelude = '';
    } else if (char === '}') {
      open.pop();
      prelude = '';
    } else if (char === ';') prelude = '';
    else prelude += char;
  }
  return false;
}

function findings(): readonly string[] {
  const uses: string[] = [];
  for (const file of readdirSync(ASSETS)) {
    const features = file.endsWith('.js') ? SCRIPT_FEATURES : file.endsWith('.css') ? STYLE_FEATURES : null;
    if (features === null) continue;
    const text = readFileSync(join(ASSETS, file), 'utf8');
    const chunk = file.replace(/-[\w-]{8}\.(js|css)$/, '.$1');
    for (const [name, [pattern, since]] of Object.entries(features)) {
      if (pattern.test(text)) uses.push(`${chunk}: ${name} (${since})`);
    }
    if (file.endsWith('.css') && hasNesting(text)) uses.push(`${chunk}: nesting (112)`);
  }
  return [...new Set(uses)].sort();
}

test('the built page uses nothing that Chromium 108 lacks', () => {
  expect(readdirSync(ASSETS).length).toBeGreaterThan(5);
  expect(findings()).toEqual(Object.keys(EXCEPTIONS).sort());
});

test('the search finds each feature in an example', () => {
  expect(hasNesting('@media print{.a{color:red}}.b{color:red}')).toBe(false);
  expect(hasNesting('.a{color:red;&:hover{color:blue}}')).toBe(true);
  expect(hasNesting('@keyframes x{from{opacity:0}to{opacity:1}}')).toBe(false);
  expect(SCRIPT_FEATURES['toSorted']?.[0].test('return a.toSorted()')).toBe(true);
  expect(STYLE_FEATURES['color-mix']?.[0].test('.a{color:color-mix(in srgb,red,blue)}')).toBe(true);
});
