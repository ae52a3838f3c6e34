import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { warnWithoutEffect } from './withoutEffect.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-config-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Row {
  readonly env?: Readonly<Record<string, string>>;
  readonly project?: string;
  readonly warned: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  'nothing is set': { warned: [] },
  'one that works': { env: { SVC_PORT: '9000', SVC_LOG_LEVEL: 'INFO' }, warned: [] },
  'two in the environment': {
    env: { SVC_FAST_CONCAT: 'native', SVC_METRICS_ENABLED: 'false' },
    warned: ['SVC_METRICS_ENABLED', 'SVC_FAST_CONCAT'],
  },
  'a part of an object, twice': {
    env: { SVC_ACL_CONFIG__A: 'x', SVC_ACL_CONFIG__B: 'y' },
    warned: ['SVC_ACL_CONFIG'],
  },
  'in the project file': {
    project: '[tool.svc]\nfast_concat = "native"\nport = 9000\n',
    warned: ['SVC_FAST_CONCAT'],
  },
  'by the other key of the project file': {
    project: '[tool.svc.acl]\nrules = []\n',
    warned: ['SVC_ACL_CONFIG'],
  },
  'in both': {
    env: { SVC_FAST_CONCAT: 'native' },
    project: '[tool.svc]\nfast_concat = "native"\n',
    warned: ['SVC_FAST_CONCAT'],
  },
};

test.each(Object.entries(rows))(
  '[CF-11] warns about a variable that is set without effect: %s',
  (_name, row) => {
    writeFileSync(join(dir, 'pyproject.toml'), row.project ?? '');
    const message = warnWithoutEffect({ cwd: dir, env: row.env ?? {} });
    expect(message).toEqual(
      row.warned.map((name) => expect.stringMatching(`^${name} is set, but has no effect`)),
    );
  },
);
