/** Packages that the bundles of the server replace by others or leave out, for esbuild. */

/** Fastify's schema compilers, and its test requests without a network: bundles do not need them. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];
/** Its ES modules load gRPC by a `require` that bundlers do not follow; its CommonJS modules use an ordinary one. */
const GRPC_EXPORTER = '@opentelemetry/otlp-grpc-exporter-base';

/** The replacement of a package in bundles, by its name. */
export const PACKAGE_ALIASES = {
  ...Object.fromEntries(UNUSED.map((name) => [name, './scripts/lib/unusedPackage.cjs'])),
  [GRPC_EXPORTER]: `./node_modules/${GRPC_EXPORTER}/dist/index.cjs`,
};
