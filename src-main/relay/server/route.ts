/** Parses the URL of a call to the relay: which worker it is for, and whether its path may be forwarded. */

import { isUrgent } from '../urgent.ts';

/** The target of a call to the relay. */
export type RelayRoute =
  | { readonly kind: 'health' }
  | { readonly kind: 'metrics' }
  /** To a worker. `isUrgent`: forwarded under any load, and while draining. */
  | {
      readonly kind: 'worker';
      readonly name: string;
      readonly path: string;
      readonly query: string;
      readonly isUrgent: boolean;
    }
  | { readonly kind: 'refused'; readonly status: 404 | 405; readonly detail: string; readonly allow: string };

interface Forwarded {
  readonly methods: readonly string[];
  readonly path: RegExp;
}

/**
 * The routes a relay forwards (docs/spec/worker-protocol.md, 3 to 5, 9, 11), and those beyond the specification
 * (docs/extensions.md): jobs of a 202, hints, and the extensions a worker offers in its health reply, all under /v1/x.
 */
const FORWARDED: readonly Forwarded[] = [
  { methods: ['POST'], path: /^\/v1\/(execute|notebook-execute|execute-manifest)$/ },
  { methods: ['POST'], path: /^\/execute$/ },
  { methods: ['POST'], path: /^\/v1\/executions\/[^/]+\/cancel$/ },
  { methods: ['GET'], path: /^\/health$/ },
  { methods: ['GET'], path: /^\/v1\/jobs\/[^/]+$/ },
  { methods: ['POST'], path: /^\/v1\/hints$/ },
  { methods: ['GET', 'POST', 'DELETE'], path: /^\/v1\/x\/[^/]+(\/[^/]+)*$/ },
];

const WORKER = /^\/w\/([^/]+)(\/.*)$/;
const refused = (status: 404 | 405, detail: string, allow = ''): RelayRoute => ({
  kind: 'refused',
  status,
  detail,
  allow,
});

/** Parses method and URL of a call. Nothing is decoded: the URL is forwarded unchanged. */
export function routeOf(method: string, url: string): RelayRoute {
  const [path = '/', ...queries] = url.split('?');
  if (path === '/health') return { kind: 'health' };
  if (path === '/metrics') return { kind: 'metrics' };
  const [, name, rest] = WORKER.exec(path) ?? [];
  if (name === undefined || rest === undefined) return refused(404, 'Not Found');
  const forwarded = FORWARDED.find((row) => row.path.test(rest));
  if (forwarded === undefined || rest.split('/').some(isDots)) {
    return refused(404, 'Not Found');
  }
  if (!forwarded.methods.includes(method)) {
    return refused(405, 'Method not allowed', forwarded.methods.join(', '));
  }
  return {
    kind: 'worker',
    name,
    path: rest,
    query: queries.join('?'),
    isUrgent: isUrgent(method, rest),
  };
}

function isDots(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}
