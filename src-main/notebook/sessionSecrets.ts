import type { NotebookFile } from './notebookFile.ts';
import { isSecretName } from './saveRules.ts';

type Env = Readonly<Record<string, string>>;

/**
 * Secret env values that files do not keep: typed by a person, or written by hand and blanked by the first save.
 * They live as long as the notebook is open (document 3, `env`). The notebook's own are under '', a cell's under
 * its id.
 */
export type SessionSecrets = ReadonlyMap<string, Env>;

export const NO_SECRETS: SessionSecrets = new Map();

/** Adds the secret values a file shows; blank ones are placeholders and override nothing. */
export function rememberSecrets(secrets: SessionSecrets, file: NotebookFile): SessionSecrets {
  const found = new Map(secrets);
  for (const [owner, env] of ownersOf(file)) {
    const values = secretsIn(env);
    if (Object.keys(values).length > 0) found.set(owner, { ...found.get(owner), ...values });
  }
  return found;
}

/** What a person just set for one owner replaces what was remembered for it. */
export function replaceSecrets(secrets: SessionSecrets, owner: string, env: Env): SessionSecrets {
  return new Map(secrets).set(owner, secretsIn(env));
}

/** The file with the remembered values in place of blank and omitted ones. */
export function withSecrets(file: NotebookFile, secrets: SessionSecrets): NotebookFile {
  if (secrets.size === 0) return file;
  return {
    ...file,
    env: filled(file.env, secrets.get('')),
    cells: file.cells.map((cell) => {
      const known = secrets.get(cell.id);
      return known === undefined ? cell : { ...cell, env: filled(cell.env, known) };
    }),
  };
}

function filled(env: Env, known: Env | undefined): Env {
  const missing = Object.entries(known ?? {}).filter(([key]) => (env[key] ?? '') === '');
  return missing.length === 0 ? env : { ...env, ...Object.fromEntries(missing) };
}

function secretsIn(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([key, value]) => value !== '' && isSecretName(key)));
}

function ownersOf(file: NotebookFile): readonly (readonly [string, Env])[] {
  return [['', file.env], ...file.cells.map((cell) => [cell.id, cell.env] as const)];
}
