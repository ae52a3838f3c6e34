/** Loads the server's configuration from its sources in their order of precedence. */

import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { checkConfig } from './checkConfig.ts';
import { isObject } from './codec.ts';
import { ConfigError } from './configError.ts';
import { findProjectFile } from './projectFile.ts';
import { type Config, configKey, row, VARIABLE_NAMES, type VariableName } from './variables.ts';

export interface ConfigSources {
  /** Where the search for pyproject.toml starts, and the base of relative paths in the environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This program's values in place of documented defaults; everything else overrides them. */
  readonly defaults?: Partial<Config>;
  /** The values of the program's own arguments; they override everything. */
  readonly overrides?: Partial<Config>;
}

/** A value as one source wrote it: `where` names it in errors, `base` resolves its relative paths. */
interface Written {
  readonly raw: unknown;
  readonly where: string;
  readonly base: string;
}

/**
 * The configuration: defaults, then the nearest pyproject.toml's `[tool.svc]`, then the environment, then overrides
 * (docs/spec/configuration.md, 1). Unknown keys are ignored.
 * @throws ConfigError naming the variable, its value and what is allowed, or the settings that exclude each other
 */
export function loadConfig(sources: ConfigSources): Config {
  const project = findProjectFile(sources.cwd);
  const home = sources.env['HOME'] || sources.env['USERPROFILE'] || homedir();
  const written = (name: VariableName): readonly Written[] => {
    const all: Written[] = [];
    const fallback = row(name).fallback;
    if (fallback !== undefined && sources.env[fallback]) {
      all.push({ raw: sources.env[fallback], where: fallback, base: sources.cwd });
    }
    if (project !== null) {
      const base = dirname(project.path);
      for (const key of projectKeys(name)) {
        if (!Object.hasOwn(project.settings, key)) continue;
        all.push({ raw: project.settings[key], where: `${name} (${key} in ${project.path})`, base });
      }
    }
    const text = sources.env[name];
    if (text !== undefined) all.push({ raw: text, where: name, base: sources.cwd });
    const override = sources.overrides?.[configKey(name)];
    if (override !== undefined) all.push({ raw: override, where: name, base: sources.cwd });
    return all;
  };

  const valueFrom = (name: VariableName, defaultValue: unknown): unknown => {
    const { codec } = row(name);
    let value = defaultValue;
    let base = sources.cwd;
    for (const source of written(name)) {
      value = read(name, source);
      base = source.base;
    }
    const overridden = sources.overrides?.[configKey(name)] !== undefined;
    if (codec.nested && !overridden) {
      const whole = withNested(name, value, sources.env);
      // The combined value must be valid, too.
      value = whole === value ? value : read(name, { raw: whole, where: `${name}__…`, base });
    }
    return codec.path && typeof value === 'string' ? resolvePath(value, { base, home }) : value;
  };

  const mode = valueFrom('SVC_DEPLOYMENT_MODE', row('SVC_DEPLOYMENT_MODE').default);
  const entries = VARIABLE_NAMES.map((name) => {
    const { default: common, serviceDefault } = row(name);
    const documented = mode === 'service' && serviceDefault !== undefined ? serviceDefault : common;
    const defaultValue = sources.defaults?.[configKey(name)] ?? documented;
    return [configKey(name), valueFrom(name, defaultValue)] as const;
  });
  const config = Object.freeze(withCatalogUri(Object.fromEntries(entries) as unknown as Config)); // one per row
  checkConfig(config);
  return config;
}

function projectKeys(name: VariableName): readonly string[] {
  const key = name.slice('SVC_'.length).toLowerCase();
  const other = row(name).projectKey;
  return other === undefined ? [key] : [key, other];
}

function read(name: VariableName, { raw, where }: Written): unknown {
  const { codec, secret } = row(name);
  const parsed = codec.parse(raw);
  if (parsed !== null) return parsed.value;
  const value = secret ? 'its value' : JSON.stringify(raw);
  throw new ConfigError(`${where}: ${value} is not allowed; it must be ${codec.type}.`, name);
}

/** The value of an object variable after `SVC_NAME__A__B=x` has set its key `a.b` (docs/spec/configuration.md, 1). */
function withNested(name: VariableName, value: unknown, env: ConfigSources['env']): unknown {
  const prefix = `${name}__`;
  const names = Object.keys(env).filter((key) => key.startsWith(prefix));
  if (names.length === 0) return value;
  const copy: Record<string, unknown> = isObject(value) ? structuredClone(value) : {};
  for (const key of names.sort()) {
    const path = key.slice(prefix.length).toLowerCase().split('__');
    const last = path.pop() ?? '';
    let place = copy;
    for (const step of path) {
      const next = Object.hasOwn(place, step) ? place[step] : undefined;
      const table = isObject(next) ? next : {};
      place[step] = table;
      place = table;
    }
    place[last] = env[key];
  }
  return copy;
}

function resolvePath(text: string, { base, home }: { base: string; home: string }): string {
  if (text === '~') return home;
  if (text.startsWith('~/') || text.startsWith('~\\')) return join(home, text.slice(2));
  return isAbsolute(text) ? resolve(text) : resolve(base, text);
}

function withCatalogUri(config: Config): Config {
  if (config.catalogUri === null) return config;
  return { ...config, catalogProperties: { ...config.catalogProperties, uri: config.catalogUri } };
}
