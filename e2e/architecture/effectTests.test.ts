/** Checks that every variable of the data plane has a test of its effect, as listed in effectTests.ts. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ARTIFACT_VARIABLES } from '../../src-main/config/variables/artifacts.ts';
import { DATA_VARIABLES } from '../../src-main/config/variables/data.ts';
import { configKey, VARIABLE_NAMES, type VariableName } from '../../src-main/config/variables.ts';
import { NOTHING_TO_SET } from '../../src-main/config/withoutEffect.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { EFFECT_TESTS } from './effectTests.ts';

const OF_TRANSFORMS = /^SVC_(TRANSFORM|SIGNED_URL|BUILD_)/;

it('[DP-103] every variable of the data plane has a test of its effect', () => {
  const names = [
    ...Object.keys(DATA_VARIABLES),
    ...Object.keys(ARTIFACT_VARIABLES).filter((name) => OF_TRANSFORMS.test(name)),
  ].filter((name) => !(name in NOTHING_TO_SET));
  expect(Object.keys(EFFECT_TESTS).sort()).toEqual(names.sort());
});

it.each(VARIABLE_NAMES.filter((name) => name in EFFECT_TESTS))(
  '[DP-103] the test of %s exists and names it',
  (name: VariableName) => {
    const [file, test] = EFFECT_TESTS[name] ?? ['', ''];
    const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
    expect(text).toMatch(new RegExp(`\\[[A-Z]+-\\d+\\] .*${escaped(test)}`));
    expect(text).toMatch(new RegExp(`\\b(${name}|${configKey(name)})\\b`));
  },
);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
