/** Checks answers of a server against its own /openapi.json, for tests of the REST interface. */

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import { rest } from './rest.ts';

/** An answer to compare with the description of its route in /openapi.json. */
export interface SeenAnswer {
  readonly method: string;
  /** The path in the form of the document, such as `/v1/notebooks/{sid}/cells`. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Returns how an answer differs from the document, as a message; null if it matches. */
export type DocumentCheck = (answer: SeenAnswer) => string | null;

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const ID = 'openapi';

/** Makes a check against the document of a running server, with a third-party validator of JSON Schema. */
export async function documentCheck(url: string): Promise<DocumentCheck> {
  const { body: document } = await rest<Document>(url, 'GET', '/openapi.json');
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ ...document }, ID);
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return ({ method, path, status, contentType, text }) => {
    const verb = method.toLowerCase();
    const operation = document.paths[path]?.[verb];
    if (operation === undefined) return `no such route: ${method} ${path}`;
    const response = operation.responses[String(status)];
    if (response === undefined) return `${status} is not documented: ${text.slice(0, 200)}`;
    const media = contentType.split(';', 1)[0] ?? '';
    const content = response.content ?? {};
    const mediaType = Object.hasOwn(content, media) ? media : Object.hasOwn(content, '*/*') ? '*/*' : null;
    if (mediaType === null) return `${status} as ${media} is not documented: ${text.slice(0, 200)}`;
    if (media !== 'application/json' || content[mediaType]?.schema === undefined) return null;
    const steps = ['paths', path, verb, 'responses', String(status), 'content', mediaType, 'schema'];
    const validate = validatorOf(steps.map((step) => `/${pointerStep(step)}`).join(''));
    if (validate(JSON.parse(text))) return null;
    return `${status} has another shape: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`;
  };
}

function pointerStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
