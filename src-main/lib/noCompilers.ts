const noCompiler = (): never => {
  throw new Error('routes carry contracts, not Fastify schemas');
};

/**
 * Contracts validate and JSON.stringify serialises, so Fastify's own compilers are neither loaded nor
 * shipped.
 */
export const noCompilers = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };
