/** Branded ids: a string that has been checked once, at the edge, and is trusted inside. */
declare const brand: unique symbol;
type Branded<B extends string> = string & { readonly [brand]: B };

export type CellId = Branded<'CellId'>;
export type NotebookId = Branded<'NotebookId'>;
export type SessionId = Branded<'SessionId'>;

/** A cell id names files (`cells/<id>.py`), so it may not hold separators, dots first, or control characters. */
const CELL_ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

export function isCellId(text: string): text is CellId {
  return CELL_ID.test(text) && !text.includes('..');
}

/** @throws TypeError when `text` could not name a cell file. */
export function cellId(text: string): CellId {
  if (!isCellId(text)) throw new TypeError(`not a cell id: ${JSON.stringify(text)}`);
  return text;
}

export function notebookId(text: string): NotebookId {
  return text as NotebookId;
}

export function sessionId(text: string): SessionId {
  return text as SessionId;
}
