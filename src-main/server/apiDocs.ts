/** Serves the API documentation: the OpenAPI document, Swagger UI at /docs and ReDoc at /redoc. */

import { createReadStream, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

interface ApiDocsOptions {
  readonly version: string;
  readonly basePath: string;
}

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Swagger UI writes style attributes and uses icons from data: URLs; its scripts are our own files. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

/** ReDoc's search runs in a worker that it creates from a blob: URL. The URL of its vendor stays blocked. */
const REFERENCE_POLICY = `${POLICY}; worker-src blob:`;
const REFERENCE_SCRIPT = 'redoc.standalone.js';

/** /openapi.json, /docs and /redoc. Each is made on its first request, so that they cost nothing at server start. */
export function serveApiDocs(http: FastifyInstance, { version, basePath }: ApiDocsOptions): void {
  let document: string | null = null;
  http.get('/openapi.json', async (_request, reply) => {
    if (document === null) {
      const { openapiDocument } = await import('./openapi.ts');
      document = JSON.stringify(openapiDocument({ version, basePath }));
    }
    return reply.type('application/json').send(document);
  });
  http.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', POLICY).type('text/html; charset=utf-8').send(page(basePath)),
  );
  http.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(basePath)),
  );
  http.get<{ Params: { name: string } }>('/docs/assets/:name', async (request, reply) => {
    const type = Object.hasOwn(ASSETS, request.params.name) ? ASSETS[request.params.name] : undefined;
    const file = type === undefined ? null : swaggerFile(request.params.name);
    if (type === undefined || file === null) return reply.callNotFound();
    return reply.type(type).header('Cache-Control', 'no-cache').send(createReadStream(file));
  });
  serveReference(http, basePath);
}

/** /redoc: the same document as a reference to read. */
function serveReference(http: FastifyInstance, basePath: string): void {
  http.get('/redoc', async (_request, reply) =>
    reply
      .header('Content-Security-Policy', REFERENCE_POLICY)
      .type('text/html; charset=utf-8')
      .send(referencePage(basePath)),
  );
  http.get('/redoc/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(referenceStart(basePath)),
  );
  http.get(`/redoc/${REFERENCE_SCRIPT}`, async (_request, reply) => {
    const file = referenceScript();
    if (file === null) return reply.callNotFound();
    return reply
      .type('text/javascript; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(createReadStream(file));
  });
}

/** The script beside the bundle if it was built, else the one in the installed package; null if there is neither. */
function referenceScript(): string | null {
  const beside = join(dirname(fileURLToPath(import.meta.url)), REFERENCE_SCRIPT);
  if (existsSync(beside)) return beside;
  return inPackage('redoc', `bundles/${REFERENCE_SCRIPT}`);
}

/** The file in the installed Swagger UI; null if this build ships without it. */
function swaggerFile(name: string): string | null {
  return inPackage('@fastify/swagger-ui', `static/${name}`);
}

function inPackage(name: string, path: string): string | null {
  try {
    const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const file = join(home, path);
    return existsSync(file) ? file : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

function referencePage(basePath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cellar API reference</title>
<link rel="icon" href="${basePath}/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="${basePath}/redoc/${REFERENCE_SCRIPT}"></script>
<script src="${basePath}/redoc/start.js"></script>
</body>
</html>
`;
}

function referenceStart(basePath: string): string {
  const place = JSON.stringify(`${basePath}/openapi.json`);
  return `Redoc.init(${place}, { hideDownloadButton: false }, document.getElementById('api'));\n`;
}

function page(basePath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Cellar API</title>
<link rel="icon" href="${basePath}/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}/docs/assets/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="${basePath}/docs/assets/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>
</body>
</html>
`;
}

function startScript(basePath: string): string {
  const options = { url: `${basePath}/openapi.json`, dom_id: '#api', deepLinking: true, validatorUrl: null };
  return `SwaggerUIBundle(${JSON.stringify(options)});\n`;
}
