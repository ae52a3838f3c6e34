import { expect, it } from 'vitest';
import { loadConfig } from './loadConfig.ts';
import { secretConfigValues } from './secretValues.ts';

it('[SE-10] the server’s own secrets: variables that contain one, and fields that look like credentials', () => {
  const env = {
    SVC_AI_API_KEY: 'ai-key',
    INFISICAL_TOKEN: 'manager-token',
    SVC_NOTEBOOK_CREDENTIALS: JSON.stringify({
      lake: { region: 'eu-west-1', secret_key: `\${LAKE_KEY}`, nested: { password: 'deep' } },
    }),
    LAKE_KEY: 'from-the-environment',
    SVC_HOST: '127.0.0.1',
  };
  const config = loadConfig({ cwd: '/', env });
  expect(secretConfigValues(config, env).toSorted()).toEqual([
    'ai-key',
    'deep',
    'from-the-environment',
    'manager-token',
  ]);
});
