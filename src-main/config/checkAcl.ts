/** Checks the form of the access-control rules in SVC_ACL_CONFIG when the configuration is loaded. */

import { isObject } from './codec.ts';
import { ConfigError } from './configError.ts';
import type { Config } from './variables.ts';

const ACL_KEYS = new Set(['default', 'deny', 'allow']);
const RULE_KEYS = new Set(['principal', 'tenant', 'tables']);

/**
 * Requires the form that docs/spec/rest-core.md, 6 describes: every rule names tables, and there are no unknown keys.
 * @throws ConfigError
 */
export function checkAcl(config: Config): void {
  if (config.aclConfig === null) return;
  const why = problemOf(config.aclConfig);
  if (why !== null) throw new ConfigError(`SVC_ACL_CONFIG: ${why}`, 'SVC_ACL_CONFIG');
}

function problemOf(acl: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(acl).find((key) => !ACL_KEYS.has(key));
  if (unknown !== undefined) return `unknown key ${unknown}.`;
  const fallback = acl['default'] ?? 'allow';
  if (fallback !== 'allow' && fallback !== 'deny') return 'default must be `allow` or `deny`.';
  for (const list of ['deny', 'allow']) {
    const rules = acl[list] ?? [];
    if (!Array.isArray(rules)) return `${list} must be a list of rules.`;
    for (const rule of rules) {
      const problem = ruleProblem(rule, list);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function ruleProblem(rule: unknown, list: string): string | null {
  if (!isObject(rule)) return `a rule of ${list} is not an object.`;
  const unknown = Object.keys(rule).find((key) => !RULE_KEYS.has(key));
  if (unknown !== undefined) return `unknown key ${unknown} in a ${list} rule.`;
  const tables = rule['tables'];
  const hasTables = Array.isArray(tables) && tables.length > 0 && tables.every((t) => typeof t === 'string');
  return hasTables ? null : `a ${list} rule names no tables.`;
}
