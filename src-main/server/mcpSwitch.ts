/** Turns the MCP endpoint of the server on and off, and stores that choice of the user. */

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { errnoOf, writeFileAtomic } from '../lib/atomicFile.ts';
import { createSerialRunner } from '../lib/serialRunner.ts';
import { tryParseJson } from '../lib/tryParseJson.ts';
import type { Logger } from '../observe/log.ts';

const stored = z.object({ enabled: z.boolean() });

/** Whether the endpoint for agents answers. */
export interface McpSwitch {
  readonly isOn: () => boolean;
  /** The configuration switches it on at every start. */
  readonly isConfigured: boolean;
  /** A restart keeps the choice. */
  readonly isKept: boolean;
  /** Switches it, at once. @throws NodeJS.ErrnoException if the choice cannot be stored; it is not switched then */
  set(on: boolean): Promise<void>;
  /** Calls the listener after it was switched off. */
  onOff(listener: () => void): void;
}

/** @param path the file with the user's choice; null if the server stores none */
export function createMcpSwitch(
  path: string | null,
  { isConfigured, log }: { readonly isConfigured: boolean; readonly log: Pick<Logger, 'warn'> },
): McpSwitch {
  const inTurn = createSerialRunner();
  const listeners: (() => void)[] = [];
  let isOn = isConfigured || (path !== null && readChoice(path, log));
  return {
    isOn: () => isOn,
    isConfigured,
    isKept: path !== null,
    set: (on) =>
      inTurn(async () => {
        if (path !== null) {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeFileAtomic(path, JSON.stringify({ enabled: on }), { mode: 0o600 });
        }
        isOn = on;
        if (!on) for (const listener of listeners) listener();
      }),
    onOff: (listener) => void listeners.push(listener),
  };
}

/** Off if the choice cannot be read: agents are never let in by accident. */
function readChoice(path: string, log: Pick<Logger, 'warn'>): boolean {
  try {
    return stored.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data?.enabled ?? false;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') {
      log.warn({ err: error }, 'the MCP setting could not be read, so the endpoint is off');
    }
    return false;
  }
}
