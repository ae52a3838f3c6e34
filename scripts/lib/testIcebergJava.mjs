/** Fetches Iceberg's Java library, which writes tables with equality deletes and deletion vectors for the tests. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, say } from './project.mjs';
import { run } from './run.mjs';

const PROJECT = join(ROOT, 'e2e', 'services', 'iceberg-java', 'pom.xml');

/**
 * Fetches the library into `.cache/`, by Maven.
 * @returns the folder of its jars, or null without Java 17, Maven or network; the tests are skipped then
 */
export async function ensureIcebergJava() {
  const folder = join(CACHE, 'test-iceberg-java');
  const jars = join(folder, 'jars');
  const stamp = join(folder, '.cellar-stamp');
  const digest = createHash('sha256').update(readFileSync(PROJECT)).digest('hex');
  const skipped = (why) => {
    say(`${why}: the tests of tables that Java wrote are skipped.`);
    return null;
  };
  for (const program of ['java', 'javac', 'mvn']) {
    const { status } = spawnSync(program, ['-version'], {
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
    if (status !== 0) return skipped(`there is no ${program}`);
  }
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return jars;
  say("fetching Iceberg's Java library for the tests (e2e/services/iceberg-java) …");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(PROJECT, join(folder, 'pom.xml'));
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  const args = ['-q', '-B', '-f', join(folder, 'pom.xml'), goal, `-DoutputDirectory=${jars}`];
  const code = await run('mvn', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (code !== 0) return skipped(`Maven ended with exit code ${code}`);
  writeFileSync(stamp, digest);
  return jars;
}
