import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './configError.ts';
import { loadConfig } from './loadConfig.ts';
import { configReference } from './reference.ts';
import { type Config, configKey, row, VARIABLE_NAMES, type VariableName } from './variables.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(toml: string | null, env: Record<string, string>, overrides: Partial<Config> = {}): Config {
  if (toml !== null) writeFileSync(join(folder, 'pyproject.toml'), toml);
  const cwd = join(folder, 'a', 'b');
  mkdirSync(cwd, { recursive: true });
  return loadConfig({ cwd, env: { HOME: '/home/me', ...env }, overrides });
}

describe('[CF-1] loadConfig precedence', () => {
  const rows: readonly {
    name: string;
    toml?: string;
    env?: Record<string, string>;
    overrides?: Partial<Config>;
    key: keyof Config;
    is: unknown;
  }[] = [
    { name: 'default', key: 'port', is: 8765 },
    { name: 'project file from a folder above', toml: '[tool.svc]\nport = 1', key: 'port', is: 1 },
    {
      name: 'environment over file',
      toml: '[tool.svc]\nport = 1',
      env: { SVC_PORT: '2' },
      key: 'port',
      is: 2,
    },
    { name: 'override over all', env: { SVC_PORT: '2' }, overrides: { port: 3 }, key: 'port', is: 3 },
    {
      name: 'unknown keys ignored',
      toml: '[tool.svc]\nnope = 1\n[tool.other]\nport = 1',
      key: 'port',
      is: 8765,
    },
    { name: 'home folder', key: 'notebookStorageDir', is: '/home/me/.svc/notebooks' },
    {
      name: 'relative path beside the file',
      toml: '[tool.svc]\ncache_dir = "c"',
      key: 'cacheDir',
      is: () => join(folder, 'c'),
    },
    {
      name: 'relative path from the folder',
      env: { SVC_CACHE_DIR: 'c' },
      key: 'cacheDir',
      is: () => join(folder, 'a', 'b', 'c'),
    },
    { name: 'fallback name', env: { AWS_REGION: 'eu' }, key: 's3Region', is: 'eu' },
    {
      name: 'own name over fallback',
      env: { AWS_REGION: 'eu', SVC_S3_REGION: 'us' },
      key: 's3Region',
      is: 'us',
    },
    {
      name: 'file over fallback',
      toml: '[tool.svc]\ns3_region = "x"',
      env: { AWS_REGION: 'eu' },
      key: 's3Region',
      is: 'x',
    },
    { name: 'empty means unset', env: { SVC_S3_REGION: '' }, key: 's3Region', is: null },
    {
      name: 'comma list',
      env: { SVC_ALLOWED_HOSTS: 'a.example, .b.example,' },
      key: 'allowedHosts',
      is: ['a.example', '.b.example'],
    },
    {
      name: 'list in the file',
      toml: '[tool.svc]\nallowed_hosts = ["a"]',
      key: 'allowedHosts',
      is: ['a'],
    },
    {
      name: 'nested names',
      env: { SVC_CATALOG_PROPERTIES: '{"type":"rest"}', SVC_CATALOG_PROPERTIES__AUTH__USER: 'u' },
      key: 'catalogProperties',
      is: { type: 'rest', auth: { user: 'u' } },
    },
    { name: 'catalog uri joins', env: { SVC_CATALOG_URI: 'x' }, key: 'catalogProperties', is: { uri: 'x' } },
    {
      name: 'acl table',
      toml: '[tool.svc.acl]\ndefault = "deny"\n[[tool.svc.acl.allow]]\ntables = ["a:*"]',
      key: 'aclConfig',
      is: { default: 'deny', allow: [{ tables: ['a:*'] }] },
    },
    {
      name: 'transforms table',
      toml: '[tool.svc.transforms]\nenabled = true',
      key: 'transformsConfig',
      is: { enabled: true },
    },
    {
      name: 'base path is trimmed',
      env: { SVC_PUBLIC_BASE_PATH: 'x/y/' },
      key: 'publicBasePath',
      is: '/x/y',
    },
    {
      name: 'python versions',
      env: { SVC_NOTEBOOK_PYTHON_VERSIONS: '3.12,3.13' },
      key: 'notebookPythonVersions',
      is: ['3.12', '3.13'],
    },
    {
      name: 'a number that cannot be read',
      env: { SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES: 'lots' },
      key: 'notebookMaxBundleMemberBytes',
      is: 2 ** 31,
    },
    ...(
      [
        ['SVC_HOST', '::1', 'host', '::1'],
        ['SVC_ALLOWED_HOSTS', '*', 'allowedHosts', ['*']],
        ['SVC_ALLOWED_HOSTS', '10.0.0.1,my_host', 'allowedHosts', ['10.0.0.1', 'my_host']],
        ['SVC_PUBLIC_BASE_URL', 'https://n.example:8443/', 'publicBaseUrl', 'https://n.example:8443/'],
        ['SVC_GCS_ENDPOINT_OVERRIDE', 'gcs:9000', 'gcsEndpointOverride', 'gcs:9000'],
        ['SVC_TENANT_HEADER', 'X-Org', 'tenantHeader', 'X-Org'],
        ['SVC_NOTEBOOK_MOUNT_CREDENTIALS', '{"s3":"a"}', 'notebookMountCredentials', { s3: 'a' }],
        ['SVC_NOTEBOOK_MOUNT_CREDENTIALS__S3', 'a', 'notebookMountCredentials', { s3: 'a' }],
        [
          'SVC_EMBED_FRAME_ANCESTORS',
          'https://a,https://*.b.example:8443, app://local, http://[::1]:3000',
          'embedFrameAncestors',
          ['https://a', 'https://*.b.example:8443', 'app://local', 'http://[::1]:3000'],
        ],
        ['SVC_CORS_ALLOW_ORIGINS', '["https://a/","app://x"]', 'corsAllowOrigins', ['https://a/', 'app://x']],
      ] as const
    ).map(([name, text, key, is]) => ({ name: `${name}=${text}`, env: { [name]: text }, key, is })),
    { name: 'personal sweep', key: 'artifactGcIntervalSeconds', is: 3600 },
    {
      name: 'no sweep in a service',
      env: { SVC_DEPLOYMENT_MODE: 'service', SVC_AUTH_MODE: 'trusted_proxy', SVC_PROXY_TOKEN: 't' },
      key: 'artifactGcIntervalSeconds',
      is: null,
    },
  ];
  it.each(rows)('$name', ({ toml, env, overrides, key, is }) => {
    const config = load(toml ?? null, env ?? {}, overrides);
    expect(config[key]).toEqual(typeof is === 'function' ? is() : is);
  });
});

describe('[CF-3] loadConfig refuses', () => {
  const SERVICE = { SVC_DEPLOYMENT_MODE: 'service', SVC_AUTH_MODE: 'trusted_proxy', SVC_PROXY_TOKEN: 't' };
  const DSN = 'postgresql://u:secret@h/d';
  const rows: readonly (readonly [env: Record<string, string>, says: string])[] = [
    [{ SVC_PORT: '0' }, 'SVC_PORT: "0" is not allowed; it must be a whole number from 1 to 65535.'],
    [{ SVC_PORT: '65536' }, 'whole number from 1 to 65535'],
    [{ SVC_PORT: '' }, 'SVC_PORT: "" is not allowed'],
    [{ SVC_CORS_ALLOW_ORIGINS: 'https://a,https://b' }, 'it must be a JSON array of origins'],
    [{ SVC_PUBLIC_BASE_PATH: '/a b' }, 'SVC_PUBLIC_BASE_PATH'],
    [{ SVC_NOTEBOOK_PYTHON_VERSIONS: '', SVC_DEPLOYMENT_MODE: 'other' }, 'one of `personal`, `service`'],
    [{ SVC_NOTEBOOK_PYTHON_VERSIONS: '[]' }, 'one or more versions'],
    [
      { SVC_NOTEBOOK_CREDENTIALS: '[1]' },
      'SVC_NOTEBOOK_CREDENTIALS: its value is not allowed; it must be a JSON object',
    ],
    [
      { SVC_NOTEBOOK_MOUNT_CREDENTIALS: '{"s3":5}' },
      'it must be a JSON object of schemes and names of credentials',
    ],
    [{ SVC_NOTEBOOK_MOUNT_CREDENTIALS: '{"s3://":"a"}' }, 'SVC_NOTEBOOK_MOUNT_CREDENTIALS'],
    [{ SVC_NOTEBOOK_MOUNT_CREDENTIALS__S3__A: 'b' }, 'SVC_NOTEBOOK_MOUNT_CREDENTIALS__…: {"s3":{"a":"b"}}'],
    [{ SVC_NOTEBOOK_REMOTE_STORE_HEADERS: '{"A B":"secret"}' }, 'its value is not allowed'],
    [{ SVC_NOTEBOOK_REMOTE_STORE_HEADERS: '{"A":"secret\\r\\nB: c"}' }, 'header names and their text'],
    [
      { SVC_PUBLIC_BASE_URL: 'notaurl' },
      'SVC_PUBLIC_BASE_URL: "notaurl" is not allowed; it must be an http or',
    ],
    [{ SVC_PUBLIC_BASE_URL: 'ftp://a' }, 'http or https address'],
    [{ SVC_PUBLIC_BASE_URL: 'https://a/?b' }, 'without `?`'],
    [{ SVC_NODE_ADVERTISED_URL: 'here' }, 'http or https address'],
    [{ SVC_AI_BASE_URL: 'api.example' }, 'http or https address'],
    [{ SVC_S3_ENDPOINT_URL: 'minio:9000' }, 'http or https address'],
    [{ SVC_GCS_ENDPOINT_OVERRIDE: 'a b' }, 'SVC_GCS_ENDPOINT_OVERRIDE'],
    [{ SVC_AZURE_ENDPOINT_URL: '//a' }, 'http or https address'],
    [{ SVC_NOTEBOOK_INFISICAL_URL: 'infisical' }, 'http or https address'],
    [{ SVC_TENANT_HEADER: 'X Bad' }, 'SVC_TENANT_HEADER: "X Bad" is not allowed; it must be a header name'],
    [{ SVC_PRINCIPAL_HEADER: '' }, 'header name'],
    [{ SVC_SCOPES_HEADER: 'X:Y' }, 'header name'],
    [{ SVC_PROXY_TOKEN_HEADER: 'X\nY' }, 'header name'],
    [{ SVC_HOST: '' }, 'SVC_HOST: "" is not allowed; it must be a host name or an IP address'],
    [{ SVC_HOST: 'http://localhost' }, 'host name or an IP address'],
    [{ SVC_ALLOWED_HOSTS: 'http://foo' }, 'without scheme and port, or `*`'],
    [{ SVC_ALLOWED_HOSTS: 'a.example,b:80' }, 'host names such as'],
    [{ SVC_NOTEBOOK_FETCH_ALLOWED_HOSTS: '*' }, 'host names such as'],
    [{ SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: 'A=b' }, 'names of variables'],
    [{ SVC_PUBLIC_BASE_PATH: 'foo/../bar' }, 'the parts `.` and `..`'],
    [{ SVC_PUBLIC_BASE_PATH: '/a;b' }, 'SVC_PUBLIC_BASE_PATH'],
    [{ SVC_EMBED_FRAME_ANCESTORS: 'https://a; script-src *' }, 'origins such as `https://a.example`'],
    [{ SVC_EMBED_FRAME_ANCESTORS: 'https://a https://b' }, 'comma-separated, or `*`'],
    [{ SVC_EMBED_FRAME_ANCESTORS: '["https://a\\nX: y"]' }, 'origins such as'],
    [{ SVC_CORS_ALLOW_ORIGINS: '["*"]' }, 'a JSON array of origins'],
    [{ SVC_CORS_ALLOW_ORIGINS: '["https://a/path"]' }, 'a JSON array of origins'],
    [{ SVC_CATALOG_NAME: 'a:b' }, 'SVC_CATALOG_NAME: "a:b" is not a valid catalog name'],
    [{ SVC_CATALOGS: '{"a b":{}}' }, 'SVC_CATALOGS: "a b" is not a valid catalog name'],
    [{ SVC_TRANSFORMS_CONFIG: '{"enabled":"yes"}' }, 'SVC_TRANSFORMS_CONFIG: enabled must be'],
    [{ SVC_TRANSFORMS_CONFIG: '{"registry":{}}' }, 'SVC_TRANSFORMS_CONFIG: registry must be a list'],
    [
      { SVC_TRANSFORMS_CONFIG: '{"registry":[{"ref":"a"}]}' },
      'SVC_TRANSFORMS_CONFIG: registry[0].executor_url',
    ],
    [
      { SVC_TRANSFORMS_CONFIG: '{"registry":[{"ref":"a","executor_url":"ftp://a"}]}' },
      'registry[0].executor_url: must be an http(s) address or embedded://local',
    ],
    [{ SVC_NOTEBOOK_CREDENTIALS: '{"a":1}' }, 'credential a must be an object'],
    [{ SVC_ARROW_MEMORY_POOL: 'best' }, 'one of `default`'],
    [
      { SVC_AUTH_MODE: 'api_key' },
      "deployment_mode='personal' is incompatible with:\n  - auth_mode='api_key'",
    ],
    [
      { SVC_HOST: '0.0.0.0', SVC_MULTI_TENANT_ENABLED: 'true' },
      "  - multi_tenant_enabled\n  - host='0.0.0.0' without",
    ],
    [{ SVC_REQUIRE_TENANT_HEADER: '1' }, '  - require_tenant_header'],
    [
      { SVC_DEPLOYMENT_MODE: 'service' },
      "deployment_mode='service' is incompatible with:\n  - auth_mode='none'",
    ],
    [{ ...SERVICE, SVC_PROXY_TOKEN: '' }, 'without proxy_token'],
    [{ ...SERVICE, SVC_AUTH_MODE: 'api_key' }, 'no place to store keys'],
    [{ ...SERVICE, SVC_SERVICE_WRITES_ENABLED: 'true' }, 'without artifact_dir'],
    [{ ...SERVICE, SVC_ARTIFACT_DIR: '/x', SVC_ARTIFACT_METADATA_DSN: DSN }, "artifact_blob_backend='local'"],
    [{ SVC_DEPLOYMENT_MODE: 'service', SVC_MCP_ENABLED: 'on' }, '  - mcp_enabled without principal'],
    [{ SVC_DEPLOYMENT_MODE: 'service', SVC_MULTI_TENANT_ENABLED: 'on' }, 'could be forged'],
    [{ SVC_ADAPTIVE_MIN_BULK: '40' }, 'SVC_ADAPTIVE_MIN_BULK: 40 is above'],
    [{ SVC_ADAPTIVE_ENABLED: '1', SVC_BULK_SLOTS: '64' }, 'outside the adaptive range 2 to 32'],
    [{ ...SERVICE, SVC_ADAPTIVE_ENABLED: '1', SVC_MULTI_TENANT_ENABLED: '1' }, 'cannot be combined'],
    [{ SVC_NOTEBOOK_TEAM_CACHE_ENABLED: '1' }, 'needs SVC_NOTEBOOK_REMOTE_STORE_URL'],
    [{ SVC_NOTEBOOK_REMOTE_STORE_URL: 'http://localhost:8765/' }, 'is the address of this server'],
    [{ SVC_NOTEBOOK_REMOTE_STORE_URL: 'there' }, 'http or https address'],
    [{ SVC_CATALOG_PROPERTIES: '{"warehouse":"s3://b"}' }, 'needs a uri'],
    [{ SVC_CATALOGS: '{"a":{"warehouse":"gs://b"}}' }, 'SVC_CATALOGS a'],
    [{ SVC_ACL_CONFIG: '{"deny":[{"principal":"*"}]}' }, 'names no tables'],
    [{ SVC_ACL_CONFIG: '{"deny":[{"tables":["*"],"who":"*"}]}' }, 'unknown key who'],
    [{ SVC_ARTIFACT_BLOB_BACKEND: 'gcs' }, 'needs SVC_ARTIFACT_GCS_BUCKET'],
    [{ SVC_ARTIFACT_METADATA_DSN: 'mysql://secret' }, 'must start with postgresql://'],
  ];
  it.each(rows)('%o', (env, says) => {
    expect(() => load(null, env)).toThrow(ConfigError);
    expect(() => load(null, env)).toThrow(says);
    expect(() => load(null, env)).not.toThrow(/secret/);
  });

  it('a project file that is not TOML', () => {
    expect(() => load('[tool.svc', {})).toThrow(/pyproject\.toml is not valid TOML/);
  });
});

describe('[CF-4] every variable', () => {
  const json = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(fc.string(), fc.boolean(), fc.integer()),
  );
  const raw = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.string(),
    fc.constantFrom('native', 'service', 'DEBUG', 'off', 'api_key', 's3', '/a/b/', '3.12,3.13', '~/x', ''),
    fc.array(fc.string()),
    json,
    fc.constant(null),
  );
  it.each(VARIABLE_NAMES)('%s parses what it prints', (name: VariableName) => {
    const { codec } = row(name);
    fc.assert(
      fc.property(raw, (input) => {
        const parsed = codec.parse(input);
        if (parsed === null) return;
        expect(codec.parse(codec.print(parsed.value))).toEqual(parsed);
      }),
      { numRuns: 60 },
    );
    for (const value of [row(name).default, row(name).serviceDefault]) {
      if (value !== undefined) expect(codec.parse(codec.print(value))).toEqual({ value });
    }
  });

  it('has its own key and a line in the reference', () => {
    const keys = new Set(VARIABLE_NAMES.map(configKey));
    expect(keys.size).toBe(VARIABLE_NAMES.length);
    expect(keys).toContain('adaptiveTargetP95Ms' satisfies keyof Config);
    const reference = configReference();
    for (const name of VARIABLE_NAMES) expect(reference).toContain(`| \`${name}\` |`);
  });
});
