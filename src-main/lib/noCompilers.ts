const noCompiler = (): never => {
  throw new Error('routes carry contracts, not Fastify schemas');
};

/** Contracts validate and JSON.stringify serialises: Fastify's own compilers are never loaded, nor shipped. */
export const noCompilers = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };
