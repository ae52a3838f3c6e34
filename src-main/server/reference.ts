/** Generates the reference pages of routes, frames and errors in docs/reference, from the contracts. */

import * as z from 'zod';
import { ERRORS, type ErrorCode, FRAME_ERROR_CODES } from '../../src-shared/wire/errors.ts';
import { CLIENT_FRAMES } from '../../src-shared/wire/frames/client.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';

/** Every REST route as a Markdown table, generated from the contracts. Pure. */
export function routesReference(): string {
  const rows = Object.values(ROUTES).map((route: RouteContract) => {
    const notes = [
      route.personalOnly ? 'personal servers only' : [],
      route.response === 'bytes' ? 'answers bytes' : [],
    ].flat();
    return [
      `\`${route.method} ${route.path}\``,
      [route.summary, ...notes].join('; '),
      route.scope === 'none' ? 'open' : scopesOf(route),
      keysOf(route.query),
      route.upload === undefined ? keysOf(route.body) : `form: \`file\`, ${keysOf(route.upload.fields)}`,
      route.errors.join(', '),
    ];
  });
  return document('REST routes', [
    'The full shapes are in `/openapi.json` and at `/docs` of a running server.',
    table(['Route', 'What it does', 'Scope', 'Query', 'Body', 'Error statuses'], rows),
  ]);
}

/** Every frame of the live protocol as Markdown tables, generated from the contracts. Pure. */
export function framesReference(): string {
  const client = Object.entries(CLIENT_FRAMES).map(([type, frame]) => [
    `\`${type}\``,
    `\`${frame.scope}\``,
    keysOf(frame.payload),
  ]);
  const server = Object.entries(SERVER_FRAMES).map(([type, frame]) => [
    `\`${type}\``,
    frame.transient ? 'transient: dropped for a slow client' : 'part of the state, or requested',
    keysOf(frame.payload),
  ]);
  return document('Live frames', [
    'Envelope: `{type, seq, ts, payload}`; clients send `type` and `payload`. Keys marked `?` may be absent.',
    [
      '`seq` counts the frames of the session, so frames for others leave gaps. Ours: `prev`, on a frame before which',
      'nothing was lost for this socket although its `seq` is not the next one; its value is the last `seq` that this socket got.',
      'A client that waits for no `prev` treats every gap as a reason for notebook_sync.',
    ].join('\n'),
    '## Client to server',
    table(['Frame', 'Scope', 'Payload'], client),
    '## Server to client',
    table(['Frame', 'After a reconnect', 'Payload'], server),
  ]);
}

/** Every refusal as a Markdown table, generated from the table of errors. Pure. */
export function errorsReference(): string {
  const shapes = {
    string: '`{detail: "…"}`',
    coded: '`{detail: {code, message, …}}`',
    said: '`{detail: {message, …}}`',
    text: 'plain text',
  } as const;
  const live = new Set<ErrorCode>(FRAME_ERROR_CODES);
  const rows = Object.entries(ERRORS).map(([code, { status, body }]) => [
    `\`${code}\``,
    String(status),
    shapes[body],
    live.has(code as ErrorCode) ? 'yes' : 'text only', // a key of ERRORS
  ]);
  return document('Errors', [
    'A body that does not match its route’s contract is 422 `{detail: [{loc, msg, type}]}`.',
    table(['Code', 'Status', 'Body', 'Code in error frames'], rows),
  ]);
}

function scopesOf({ scope, alsoScope }: RouteContract): string {
  return [scope, ...(alsoScope === undefined ? [] : [alsoScope])].map((one) => `\`${one}\``).join(' and ');
}

function keysOf(schema: z.ZodType | undefined): string {
  if (schema === undefined) return '';
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.keys(properties)
    .map((key) => `\`${key}${required.includes(key) ? '' : '?'}\``)
    .join(' ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function document(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}
