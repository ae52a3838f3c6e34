/** Reads the JSON body of a request, or says what is wrong with it in the form of a 422 answer. */

import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '../iceberg/exactJson.ts';
import type { InvalidPart } from './errorAnswer.ts';
import { findIllFormedText } from './wellFormedJson.ts';

type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly part: InvalidPart };

const REQUIRED: InvalidPart = { loc: ['body'], msg: 'Field required', type: 'missing' };
const NOT_JSON: InvalidPart = {
  loc: ['body'],
  msg: 'Input should be a valid dictionary; send it with Content-Type application/json',
  type: 'dict_type',
};

/**
 * The JSON of a request body. Other content types are refused: forms and text/plain need no preflight, so a foreign
 * page could send them. A byte order mark is skipped (RFC 8259, 8.1). With `exactIntegers`, integers that a double
 * cannot represent become bigints.
 */
export function readJson(contentType: string | undefined, body: unknown, exactIntegers = false): ReadJson {
  if (!Buffer.isBuffer(body) || body.length === 0) return { ok: false, part: REQUIRED };
  const mime = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mime !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(mime))
    return { ok: false, part: NOT_JSON };
  // Decoding would replace invalid bytes by replacement characters and save those.
  if (!isUtf8(body)) return undecodable(0);
  try {
    const text = body.toString('utf8').replace(/^\ufeff/, '');
    const value: unknown = exactIntegers ? parseExactJson(text) : JSON.parse(text);
    const fault = findIllFormedText(value);
    if (fault === null) return { ok: true, value };
    return { ok: false, part: { loc: ['body', ...fault.at], msg: fault.msg, type: fault.type } };
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return undecodable(Number(at ?? 0));
  }
}

function undecodable(at: number): ReadJson {
  return { ok: false, part: { loc: ['body', at], msg: 'JSON decode error', type: 'json_invalid' } };
}
