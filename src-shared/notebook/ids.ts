/** The types of ids (cell, notebook, session): strings that are validated once, on input, and trusted afterwards. */
declare const brand: unique symbol;
type Branded<B extends string> = string & { readonly [brand]: B };

export type CellId = Branded<'CellId'>;
export type NotebookId = Branded<'NotebookId'>;
export type SessionId = Branded<'SessionId'>;

export const MAX_CELL_ID = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f]|[\ud800-\udfff]/u;

/**
 * Any single-line text that UTF-8 can encode (docs/spec/notebook-file.md, 4); file names are derived from it elsewhere.
 */
export function isCellId(text: string): text is CellId {
  return text.length > 0 && text.length <= MAX_CELL_ID && !FORBIDDEN_CHARACTERS.test(text);
}

/** @throws TypeError when `text` cannot be the id of a cell. */
export function cellId(text: string): CellId {
  if (!isCellId(text)) throw new TypeError(`not a cell id: ${JSON.stringify(text)}`);
  return text;
}

/** Marks a text as the id of a notebook; the caller has validated it. */
export function notebookId(text: string): NotebookId {
  return text as NotebookId;
}

/** Marks a text as the id of a session; the caller has validated it. */
export function sessionId(text: string): SessionId {
  return text as SessionId;
}
