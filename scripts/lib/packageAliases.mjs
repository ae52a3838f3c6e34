/** Fastify's compilers of schemas, and its requests without a network for tests: bundles go without. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];
/** Its modules ask for gRPC by a `require` of their own, which no bundler follows; its CommonJS by the plain one. */
const GRPC_EXPORTER = '@opentelemetry/otlp-grpc-exporter-base';

/** What bundles hold in place of a package, by its name. */
export const PACKAGE_ALIASES = {
  ...Object.fromEntries(UNUSED.map((name) => [name, './scripts/lib/unusedPackage.cjs'])),
  [GRPC_EXPORTER]: `./node_modules/${GRPC_EXPORTER}/dist/index.cjs`,
};
