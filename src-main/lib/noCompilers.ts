/**
 * Turns off Fastify's compilers: contracts validate and JSON.stringify serialises, so they are neither loaded nor
 * shipped.
 */

const noCompiler = (): never => {
  throw new Error('routes carry contracts, not Fastify schemas');
};

export const noCompilers = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };
