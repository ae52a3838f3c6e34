/** Makes and revokes the tokens by which the `svc` client inside cells calls this server. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionId } from '../../../src-shared/notebook/ids.ts';
import type { ClientAccess } from '../../exec/clientAccess.ts';

/** Makes the token recognizable, in a header and where it leaked into text. */
export const CELL_TOKEN_PREFIX = 'svc_cell_';

/** The client `svc` of the cells of one open notebook. */
export interface SessionClient {
  /** A token is made for the notebook by the first call. */
  access(): ClientAccess;
  /** Revokes the token. */
  close(): void;
}

/** The tokens of this server for the clients of cells. Each is valid while its notebook is open. */
export interface CellClients {
  /** Called once the server listens. Without it, as in `svc run`, clients have no server. */
  setAddress(url: string): void;
  /** @param onToken called with the token, before a cell has it: to hide it */
  open(session: SessionId, onToken: (token: string) => void): SessionClient;
  /** The notebook of a token; null for an unknown one. */
  sessionOf(token: string): SessionId | null;
}

/** @param store SVC_NOTEBOOK_REMOTE_STORE_URL and its headers: clients use that store instead of this server's */
export function createCellClients(
  store: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null,
): CellClients {
  let address: string | null = null;
  /** By the open notebook, since two openings of a notebook may overlap. */
  const open = new Map<symbol, { readonly session: SessionId; readonly digest: Buffer }>();
  return {
    setAddress(url) {
      address = url.replace(/\/+$/, '');
    },
    open(session, onToken) {
      const key = Symbol(session);
      let token: string | null = null;
      let isClosed = false;
      const credential = (): Readonly<Record<string, string>> => {
        if (token === null) {
          token = CELL_TOKEN_PREFIX + randomBytes(32).toString('base64url');
          onToken(token);
          if (!isClosed) open.set(key, { session, digest: digestOf(token) });
        }
        return { authorization: `Bearer ${token}` };
      };
      return {
        access() {
          const own = address;
          const promote =
            own === null ? null : { url: `${own}/v1/notebooks/${session}/artifacts`, headers: credential() };
          if (store !== null) return { ...store, promote };
          return own === null
            ? { url: '', headers: {}, promote }
            : { url: own, headers: credential(), promote };
        },
        close() {
          isClosed = true;
          open.delete(key);
        },
      };
    },
    sessionOf(token) {
      const tokenDigest = digestOf(token);
      let session: SessionId | null = null;
      // Compares with all tokens, so that the timing reveals nothing.
      for (const one of open.values()) if (timingSafeEqual(one.digest, tokenDigest)) session = one.session;
      return session;
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
