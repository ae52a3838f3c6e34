/**
 * Translates answers of the Python language server to Cellar's editor answers. The server is another program,
 * so the shape of its answers is validated.
 */

import type * as z from 'zod';
import type {
  CompletionItem,
  completionKind,
  LanguageAnswer,
  LanguageFault,
} from '../../../src-shared/wire/routes/language.ts';
import type { Span } from '../document/virtualDocument.ts';
import { OWN_NAME } from '../document/visibleCells.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = z.infer<typeof completionKind>;

/** Kinds by the protocol's numbers. */
const KINDS: Readonly<Record<number, Kind>> = {
  2: 'method',
  3: 'function',
  4: 'class',
  5: 'field',
  6: 'variable',
  7: 'class',
  8: 'class',
  9: 'module',
  10: 'property',
  14: 'keyword',
  21: 'constant',
};
const MAX_ITEMS = 1000;
const MAX_DETAIL = 120;

export interface ReadItems {
  readonly items: readonly CompletionItem[];
  /** The item's documentation, by its id. */
  readonly documents: ReadonlyMap<string, string>;
}

/** @param batch distinguishes the items of one list from those of another */
export function readCompletions(result: unknown, batch: number): ReadItems {
  const list = Array.isArray(result) ? result : fieldsOf(result)['items'];
  const items: CompletionItem[] = [];
  const documents = new Map<string, string>();
  for (const [at, one] of (Array.isArray(list) ? list : []).entries()) {
    const { label, kind, detail, insertText, documentation } = fieldsOf(one);
    if (typeof label !== 'string' || OWN_NAME.test(label)) continue;
    if (items.length >= MAX_ITEMS) break;
    const isArgument = label.endsWith('=');
    const full = typeof detail === 'string' ? detail : '';
    const words = [full === '' ? '' : codeBlock(full), markdownOf(documentation)].filter(
      (text) => text !== '',
    );
    const id = words.length === 0 ? null : `${batch}:${at}`;
    if (id !== null) documents.set(id, words.join('\n\n'));
    items.push({
      label,
      kind: isArgument ? 'argument' : (KINDS[Number(kind)] ?? 'property'),
      detail: shortDetail(full),
      insert: typeof insertText === 'string' ? insertText : label,
      replaces: null,
      from_run: false,
      item: id,
    });
  }
  return { items, documents };
}

/**
 * Whether all items are members that every object has, so that the server does not know the object's type.
 */
export function isTypeUnknown(items: readonly CompletionItem[]): boolean {
  return items.every(({ label }) => label.startsWith('__'));
}

function shortDetail(detail: string): string {
  const line = detail.replace(/\s+/g, ' ').replace(/^bound method [^(]*/, '');
  const plain = line.startsWith('Overload[') ? `${line.slice('Overload['.length).split('), (')[0]}…` : line;
  return plain.length <= MAX_DETAIL ? plain : `${plain.slice(0, MAX_DETAIL - 1)}…`;
}

/** Reads the reply to a hover request; null if the language server has nothing to show. */
export function readHover(result: unknown): { readonly markdown: string; readonly span: Span | null } | null {
  const { contents, range } = fieldsOf(result);
  const markdown = markdownOf(contents);
  return markdown === '' ? null : { markdown, span: readSpan(range) };
}

export function readSignatures(
  result: unknown,
): Required<Pick<LanguageAnswer, 'signatures' | 'active_signature'>> {
  const { signatures, activeSignature, activeParameter } = fieldsOf(result);
  const signatureList = (Array.isArray(signatures) ? signatures : []).map((one) => {
    const { label, documentation, parameters, activeParameter: own } = fieldsOf(one);
    const text = typeof label === 'string' ? label : '';
    const active = typeof own === 'number' ? own : activeParameter;
    return {
      label: text,
      documentation: markdownOf(documentation),
      parameters: (Array.isArray(parameters) ? parameters : []).map((each) => {
        const { label: place, documentation: words } = fieldsOf(each);
        const [from, to] = placeIn(text, place);
        return { from, to, documentation: markdownOf(words) };
      }),
      active: typeof active === 'number' ? active : null,
    };
  });
  return {
    signatures: signatureList,
    active_signature: typeof activeSignature === 'number' ? activeSignature : 0,
  };
}

export interface ReadPlace {
  readonly uri: string;
  readonly span: Span;
}

/** The result of `definition` and `references`: locations, or links to them. */
export function readPlaces(result: unknown): readonly ReadPlace[] {
  const list = Array.isArray(result) ? result : result === null ? [] : [result];
  return list.flatMap((one) => {
    const { uri, range, targetUri, targetSelectionRange } = fieldsOf(one);
    const where = uri ?? targetUri;
    const span = readSpan(range ?? targetSelectionRange);
    return typeof where === 'string' && span !== null ? [{ uri: where, span }] : [];
  });
}

/** The result of `rename`: the replacements by file. */
export function readEdits(result: unknown): readonly (ReadPlace & { readonly text: string })[] {
  const { changes } = fieldsOf(result);
  return Object.entries(fieldsOf(changes)).flatMap(([uri, edits]) =>
    (Array.isArray(edits) ? edits : []).flatMap((one) => {
      const { range, newText } = fieldsOf(one);
      const span = readSpan(range);
      return span !== null && typeof newText === 'string' ? [{ uri, span, text: newText }] : [];
    }),
  );
}

/**
 * The rules that are shown to users, with their severity. Types of libraries are often incomplete, so rules
 * that depend on them are hints. All other rules are left out, and so are syntax errors and undefined names,
 * which the notebook's own analysis reports.
 */
const SHOWN_RULES: Readonly<Record<string, LanguageFault['severity']>> = {
  'unresolved-reference': 'error',
  'import-not-found': 'warn',
  'unresolved-import': 'warn',
  'missing-argument': 'warn',
  'unknown-argument': 'warn',
  'too-many-positional-arguments': 'warn',
  'call-non-callable': 'warn',
  'not-iterable': 'info',
  'unsupported-operator': 'info',
};
/** Matches a message that is shown only for modules, whose names are known. */
const OF_MODULES = /^Module `[^`]+` has no member/;

export function readFaults(result: unknown): readonly LanguageFault[] {
  const { items } = fieldsOf(result);
  return (Array.isArray(items) ? items : []).flatMap((one): LanguageFault[] => {
    const { code, message, range } = fieldsOf(one);
    const span = readSpan(range);
    if (typeof code !== 'string' || typeof message !== 'string' || span === null) return [];
    const [words = ''] = message.split('\n');
    const severity = OF_MODULES.test(words) ? 'warn' : SHOWN_RULES[code];
    return severity === undefined ? [] : [{ span, severity, code, message: words, fix: null }];
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // each field is checked when it is read
}

function readSpan(value: unknown): Span | null {
  const { start, end } = fieldsOf(value);
  const [from, to] = [fieldsOf(start), fieldsOf(end)];
  const numbers = [from['line'], from['character'], to['line'], to['character']];
  if (!numbers.every((one) => Number.isInteger(one))) return null;
  const [line = 0, character = 0, endLine = 0, endCharacter = 0] = numbers as number[]; // all are integers
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

/** A text (plain or Markdown), or a list of texts. */
function markdownOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(markdownOf).join('\n\n');
  const { value: text } = fieldsOf(value);
  return typeof text === 'string' ? text : '';
}

function codeBlock(text: string): string {
  const excerpt = text.length <= 600 ? text : `${text.slice(0, 599)}…`;
  return `\`\`\`python\n${excerpt}\n\`\`\``;
}

/** A parameter is identified by its position in the label, or by its text. */
function placeIn(label: string, place: unknown): readonly [number, number] {
  if (Array.isArray(place)) return [Number(place[0]), Number(place[1])];
  const at = typeof place === 'string' ? label.indexOf(place) : -1;
  return at === -1 ? [0, 0] : [at, at + String(place).length];
}
