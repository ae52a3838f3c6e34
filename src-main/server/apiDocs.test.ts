import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src-shared/wire/errors.ts';
import { CLIENT_FRAMES } from '../../src-shared/wire/frames/client.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { openapiDocument } from './openapi.ts';
import { errorsReference, framesReference, routesReference } from './reference.ts';
import { startTestServer } from './testing/testServer.ts';

describe('the API documents', () => {
  it('[RE-7] openapi.json is valid and complete', async () => {
    const server = await startTestServer();
    const document = (await (await server.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, unknown> };
    };
    expect(document).toEqual(openapiDocument({ version: '0.0.0-test', basePath: '' }));
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const listed = Object.values(document.paths).flatMap((at) =>
      Object.values(at).map(({ operationId }) => operationId),
    );
    expect(listed.sort()).toEqual(Object.keys(ROUTES).sort());
    const refs = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    const schemaNames = Object.keys(document.components.schemas);
    expect(refs.filter((one) => !schemaNames.includes(one.split('/').at(-1) ?? ''))).toEqual([]);
    await server.close();
  });

  it('[RE-7] /docs works offline', async () => {
    const server = await startTestServer();
    const page = await (await server.fetch('/docs')).text();
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(4);
    for (const link of links) expect((await server.fetch(link)).status, link).toBe(200);
    expect((await server.fetch('/docs/assets/package.json')).status).toBe(404);
    await server.close();
  });

  it('[RE-7] /redoc works offline', async () => {
    const server = await startTestServer();
    const answer = await server.fetch('/redoc');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'; script-src 'self'");
    // The bundle may contain other addresses (a logo, fonts), but no directive allows another host.
    expect(policy.replaceAll(new RegExp(`wss?://127\\.0\\.0\\.1:${server.port}`, 'g'), '')).not.toMatch(
      /https?:|\/\/|\*/,
    );
    const page = await answer.text();
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(3);
    for (const link of links) expect((await server.fetch(link)).status, link).toBe(200);
    expect(await (await server.fetch('/redoc/start.js')).text()).toContain('"/openapi.json"');
    expect((await server.fetch('/redoc/package.json')).status).toBe(404);
    await server.close();
  });

  it('the references list every route and frame', () => {
    const routes = routesReference();
    for (const { method, path } of Object.values(ROUTES))
      expect(routes).toContain(`| \`${method} ${path}\` |`);
    const frames = framesReference();
    for (const type of [...Object.keys(CLIENT_FRAMES), ...Object.keys(SERVER_FRAMES)]) {
      expect(frames).toContain(`| \`${type}\` |`);
    }
    const errors = errorsReference();
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(errors).toContain(`| \`${code}\` | ${status} |`);
  });
});
