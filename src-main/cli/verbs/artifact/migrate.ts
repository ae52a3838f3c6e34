/**
 * The command `svc artifact migrate`: copies the rows of an artifact store to PostgreSQL. A server may have the store
 * open; it keeps using its folder.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stepHook } from '../../../artifacts/publishSteps.ts';
import { serverEnvironment } from '../../../config/serverEnvironment.ts';
import type { MigrateStep, Migration } from '../../../registry/migrate/migrateStore.ts';
import { RegistryError } from '../../../registry/registryError.ts';
import { defineCommand, formatOf, HUMAN_FORMAT, UsageError } from '../../arguments.ts';

export const artifactMigrate = defineCommand({
  usage: '',
  options: {
    'artifact-dir': {
      type: 'string',
      takes: 'DIR',
      says: 'Folder of the artifact store. Default: SVC_ARTIFACT_DIR.',
    },
    'to-dsn': {
      type: 'string',
      takes: 'DSN',
      says: 'Address of the database: postgresql://user@host/name. PGPASSWORD can provide its password.',
    },
    'allow-nonempty-target': {
      type: 'boolean',
      default: false,
      says: 'Add to a store that the database already has.',
    },
    'dry-run': { type: 'boolean', default: false, says: 'Only count the rows.' },
    format: HUMAN_FORMAT,
  },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument \`${positionals[0]}\``);
    const format = formatOf(values.format);
    // Not for help and wrong usage [AR-63].
    const { loadConfig } = await import('../../../config/loadConfig.ts');
    const config = loadConfig({ cwd: process.cwd(), env: serverEnvironment() });
    const dir = values['artifact-dir'] === undefined ? config.artifactDir : resolve(values['artifact-dir']);
    if (dir === null) {
      throw new UsageError('Name the folder of the store: --artifact-dir DIR, or set SVC_ARTIFACT_DIR');
    }
    if (!existsSync(dir)) throw new UsageError(`There is no artifact store in ${dir}`);
    const dsn = values['to-dsn'];
    if (dsn === undefined || !/^postgres(ql)?:\/\//.test(dsn)) {
      throw new UsageError('Name the database: --to-dsn postgresql://user@host/name');
    }
    const dryRun = values['dry-run'] === true;
    const allowNonempty = values['allow-nonempty-target'] === true;
    try {
      const report = await migrate(dir, dsn, { dryRun, allowNonempty });
      const answer = { ...report, dry_run: dryRun };
      process.stdout.write(
        `${format === 'json' ? JSON.stringify(answer) : textOf(report, { dryRun, dir })}\n`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 1;
    }
  },
});

async function migrate(
  dir: string,
  dsn: string,
  options: { readonly dryRun: boolean; readonly allowNonempty: boolean },
): Promise<Migration> {
  // PostgreSQL's client is loaded only when it is needed.
  const [{ migrateStore }, { openRegistryDatabase }, { default: pg }] = await Promise.all([
    import('../../../registry/migrate/migrateStore.ts'),
    import('../../../registry/registrySchema.ts'),
    import('pg'),
  ]);
  const source = await openRegistryDatabase(dir);
  const target = new pg.Client({ connectionString: dsn, application_name: 'svc artifact migrate' });
  // Without a listener, a connection that breaks between two statements would end the process.
  target.on('error', () => undefined);
  try {
    await target.connect();
    return await migrateStore(source, target, { ...options, onStep: stepHook<MigrateStep>(process.env) });
  } catch (error) {
    if (error instanceof RegistryError || !(error instanceof Error)) throw error;
    // Node's and the driver's messages contain the host and the user, never the password.
    throw new RegistryError(
      'unavailable',
      `The migration failed: ${error.message}. Run it again to continue.`,
    );
  } finally {
    // Everything is committed or rolled back: a connection that breaks while it is closed loses nothing.
    await target.end().catch(() => undefined);
    source.close();
  }
}

function textOf(
  { tables, resumed, copied }: Migration,
  { dryRun, dir }: { readonly dryRun: boolean; readonly dir: string },
): string {
  const lines = tables.map(({ name, rows }) => `${name}: ${rows}`);
  if (dryRun) return [...lines, 'Nothing was copied.'].join('\n');
  const total =
    resumed === 0 ? `${copied} rows copied` : `${copied} rows copied, ${resumed} were copied earlier`;
  return [
    ...lines,
    `${total}; counts and contents are equal.`,
    `The files of the artifacts stay in ${dir}.`,
  ].join('\n');
}
