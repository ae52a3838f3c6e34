/** Reads and changes the hash of the page's URL, which names the page that the window shows. */

import { useSyncExternalStore } from 'react';
import { type AppPlace, appPlaceOf } from './state/appHash.ts';

/** The page that the URL's hash names, with its parameters. */
type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'open'; readonly path: string }
  | {
      readonly kind: 'notebook';
      readonly sessionId: string;
      readonly path: string | null;
      /** The cell to begin at. */
      readonly cellId: string | null;
    }
  /** The app view of a notebook: what it shows, without its code. */
  | ({
      readonly kind: 'app';
      readonly sessionId: string;
      readonly path: string | null;
    } & AppPlace)
  /** The first page, asking for a new notebook's name: from the desktop window's menu. */
  | { readonly kind: 'new' }
  | { readonly kind: 'settings' }
  /** The artifact store of the server. */
  | { readonly kind: 'artifacts' }
  | { readonly kind: 'gallery' }
  | { readonly kind: 'missing' };

export function parseRoute(hash: string): Route {
  const [place = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(query);
  const path = params.get('path');
  if (place === '' || place === '/') return { kind: 'home' };
  if (place === '/open' && path !== null) return { kind: 'open', path };
  if (place === '/new') return { kind: 'new' };
  if (place === '/settings') return { kind: 'settings' };
  if (place === '/artifacts') return { kind: 'artifacts' };
  if (place === '/gallery') return { kind: 'gallery' };
  const sessionId = /^\/notebook\/([^/]+)$/.exec(place)?.[1];
  if (sessionId !== undefined) {
    return { kind: 'notebook', sessionId: decodeURIComponent(sessionId), path, cellId: params.get('cell') };
  }
  const appOf = /^\/app\/([^/]+)$/.exec(place)?.[1];
  if (appOf !== undefined) {
    return { kind: 'app', sessionId: decodeURIComponent(appOf), path, ...appPlaceOf(params) };
  }
  return { kind: 'missing' };
}

export function notebookHash(sessionId: string, path: string | null, cellId: string | null = null): string {
  const query = [
    ...(path === null ? [] : [`path=${encodeURIComponent(path)}`]),
    ...(cellId === null ? [] : [`cell=${encodeURIComponent(cellId)}`]),
  ];
  return `#/notebook/${encodeURIComponent(sessionId)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

export function openHash(path: string): string {
  return `#/open?path=${encodeURIComponent(path)}`;
}

/** The hash of the current page; `rewriteHash` corrects the URL without changing the page. */
let current = '';

function subscribe(listener: () => void): () => void {
  const changed = (): void => {
    current = window.location.hash;
    listener();
  };
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The hash of the page to show. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => {
    current ||= window.location.hash;
    return current;
  });
}

/** Goes to a page without leaving the present one in the history. */
export function replaceHash(hash: string): void {
  window.location.replace(hash);
}

/** Corrects the URL of the current page without notifying listeners. */
export function rewriteHash(hash: string): void {
  history.replaceState(null, '', hash);
}
