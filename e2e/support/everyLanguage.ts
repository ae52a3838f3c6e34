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

/** Why the example of every language cannot run whole on this machine; null where it can. */
export function whatIsMissing(): string | null {
  if (findPostgres() === null) return 'this machine has no PostgreSQL (Debian: apt-get install postgresql)';
  return whyNoR();
}

/** Why no R cell can run on this machine; null where one can. */
export function whyNoR(): string | null {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'this machine has no Rscript (Debian: apt-get install r-base-core)';
  }
}

/** What the recorded model says of the penguins. */
export const SAID = 'Gentoo penguins are the heaviest. Adelie and Chinstrap penguins follow.';

/** What the example of every language needs around it: a PostgreSQL and a model of its own. */
export interface EveryLanguage {
  readonly ai: AiServer;
  /** For the server or command that runs the copy. */
  readonly env: Readonly<Record<string, string>>;
  /** A copy whose connection leads to this PostgreSQL. @param into an existing folder */
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
      const led = text
        .replace('port = 5432', `port = ${postgres.port}`)
        .replace('user = "postgres"', `user = "${postgres.user}"`);
      await writeFile(file, led);
      return dir;
    },
    async close() {
      await ai.close();
      await postgres.stop();
    },
  };
}
