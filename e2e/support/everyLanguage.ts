/**
 * Starts what the example "every-language" needs in tests: a PostgreSQL server and a fake AI provider. Also reports
 * which programs this machine lacks.
 */

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../src-main/sql/testing/postgresServer.ts';
import { copyExample } from './copyExample.ts';

/** Why the example cannot run completely on this machine; null if it can. */
export function whatIsMissing(): string | null {
  if (findPostgres() === null) return 'this machine has no PostgreSQL (Debian: apt-get install postgresql)';
  return whyNoR();
}

/** Why R cells cannot run on this machine; null if they can. */
export function whyNoR(): string | null {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'this machine has no Rscript (Debian: apt-get install r-base-core)';
  }
}

/** The answer of the fake model about the penguins. */
export const SAID = 'Gentoo penguins are the heaviest. Adelie and Chinstrap penguins follow.';

/** The servers of the example, its variables, and a way to copy it. */
export interface EveryLanguage {
  readonly ai: AiServer;
  /** Environment variables for the server or command that runs the copy. */
  readonly env: Readonly<Record<string, string>>;
  /** Copies the example and connects the copy to this PostgreSQL. @param into an existing folder */
  copy(into: string): Promise<string>;
  close(): Promise<void>;
}

export async function startEveryLanguage(): Promise<EveryLanguage> {
  const bin = findPostgres();
  if (bin === null) throw new Error('no PostgreSQL');
  const postgres: PostgresServer = await startPostgres(bin);
  const ai = await startAiServer();
  ai.next({ kind: 'text', text: SAID });
  return {
    ai,
    env: {
      CELLAR_EXAMPLE_PASSWORD: postgres.password,
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    },
    async copy(into) {
      const dir = await copyExample('every-language', into);
      const file = join(dir, 'notebook.toml');
      const text = await readFile(file, 'utf8');
      const connectedText = text
        .replace('port = 5432', `port = ${postgres.port}`)
        .replace('user = "postgres"', `user = "${postgres.user}"`);
      await writeFile(file, connectedText);
      return dir;
    },
    async close() {
      await ai.close();
      await postgres.stop();
    },
  };
}
