/** Fills the values of other cells in the template of a prompt cell. */

import { open, stat } from 'node:fs/promises';
import type { HarnessInput, StoredInput } from '../../../src-shared/wire/harness.ts';
import type { Placeholder, TemplatePart } from '../../language/prompt/template.ts';
import { pythonText, truncateText } from './jsonText.ts';

/** Maximum length of one value in a prompt, in characters (docs/spec/prompts-and-ai.md, 1). */
export const VALUE_ROOM = 8_000;
/** Longer JSON files are not read: only a small part of them would fit. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** The rendered form of a placeholder: its text, or null if it stays as written. */
interface RenderedValue {
  readonly text: string | null;
  /** A note for the user. */
  readonly note?: string;
}

/** Requests the text of values that are not JSON from the notebook's Python, in the given order. */
export type AskPython = (placeholders: readonly Placeholder[]) => Promise<PythonAnswer>;
type PythonAnswer =
  | { readonly kind: 'texts'; readonly texts: readonly RenderedValue[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

type RenderedPrompt =
  | { readonly kind: 'prompt'; readonly text: string; readonly notes: readonly string[] }
  | Exclude<PythonAnswer, { kind: 'texts' }>;

/**
 * The prompt with its values filled in (docs/spec/prompts-and-ai.md, 1). JSON is rendered here; tables, arrays and
 * other types that only Python reads are rendered by the notebook's Python, in one process; pickles are not
 * opened.
 */
export async function renderPrompt(
  parts: readonly TemplatePart[],
  inputs: Readonly<Record<string, HarnessInput>>,
  askPython: AskPython,
): Promise<RenderedPrompt> {
  const texts = new Map<string, RenderedValue>();
  const forPython: Placeholder[] = [];
  for (const part of parts) {
    if (typeof part === 'string' || texts.has(part.text)) continue;
    const input = Object.hasOwn(inputs, part.root) ? inputs[part.root] : undefined;
    const here = input === undefined ? AS_WRITTEN : await renderHere(part, input);
    if (here === 'python') {
      if (!forPython.some(({ text }) => text === part.text)) forPython.push(part);
    } else texts.set(part.text, here);
  }
  if (forPython.length > 0) {
    const answer = await askPython(forPython);
    if (answer.kind !== 'texts') return answer;
    for (const [at, { text }] of forPython.entries()) texts.set(text, answer.texts[at] ?? AS_WRITTEN);
  }
  const filled = parts.map((part) =>
    typeof part === 'string' ? part : (texts.get(part.text)?.text ?? part.text),
  );
  const notes = [...texts.values()].flatMap(({ note }) => (note === undefined ? [] : [note]));
  return { kind: 'prompt', text: filled.join('').trim(), notes: [...new Set(notes)] };
}

const AS_WRITTEN: RenderedValue = { text: null };

async function renderHere(placeholder: Placeholder, input: HarnessInput): Promise<RenderedValue | 'python'> {
  const { root, steps } = placeholder;
  const stored = 'variants' in input ? Object.entries(input.variants) : [['', input] as const];
  const closed = stored.find(([, { content_type }]) => isClosed(content_type));
  if (closed !== undefined) return placeholderFor(root, closed[1]);
  if (!stored.every(([, { content_type }]) => content_type === 'json/object')) return 'python';
  if (steps.length > 0) return stepsOfJson(placeholder, input);
  const texts: string[] = [];
  for (const [variant, { file }] of stored) {
    const json = await readJson(file);
    if (json === null) {
      const note = `\`${root}\` is too long for a prompt. A note replaces its placeholder.`;
      return { text: `<${root}: a JSON value of more than ${MAX_JSON_BYTES >> 20} MiB>`, note };
    }
    texts.push('variants' in input ? `${JSON.stringify(variant)}:${json}` : json);
  }
  const whole = 'variants' in input ? `{${texts.join(',')}}` : (texts[0] ?? '');
  return { text: truncateText(pythonText(whole), VALUE_ROOM) };
}

/** Opening these would run foreign code. */
function isClosed(contentType: string): boolean {
  return (
    contentType.startsWith('pickle/') || contentType.startsWith('module/') || contentType.includes('rds')
  );
}

function placeholderFor(root: string, { content_type: type }: StoredInput): RenderedValue {
  const what = type.startsWith('module/') ? 'code of another cell' : `an object stored as ${type}`;
  return {
    text: `<${root}: ${what}>`,
    note: `\`${root}\` is ${what}, which a prompt cannot show. Its name replaces the placeholder. Convert it to text, a table or JSON in a cell above.`,
  };
}

const OF_NUMBERS: ReadonlySet<string> = new Set(['real', 'imag', 'numerator', 'denominator']);

/** Of plain values only numbers have attributes that are not methods. */
async function stepsOfJson({ steps }: Placeholder, input: HarnessInput): Promise<RenderedValue> {
  if ('variants' in input) return AS_WRITTEN;
  const json = await readJson(input.file);
  const number = json?.trim() ?? '';
  if (!/^-?\d[\d.eE+-]*$/.test(number)) return AS_WRITTEN;
  const isFloat = /[.eE]/.test(number);
  let text = number;
  for (const { name, arguments: call } of steps) {
    if (call !== null || !OF_NUMBERS.has(name)) return AS_WRITTEN;
    if (isFloat && (name === 'numerator' || name === 'denominator')) return AS_WRITTEN;
    if (name === 'imag') text = isFloat ? '0.0' : '0';
    if (name === 'denominator') text = '1';
  }
  return { text };
}

async function readJson(file: string): Promise<string | null> {
  if ((await stat(file)).size > MAX_JSON_BYTES) return null;
  const handle = await open(file);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
