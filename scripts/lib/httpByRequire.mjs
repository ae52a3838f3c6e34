/**
 * A plugin of esbuild for the bundles of the server. `import … from 'node:http'` makes Node read every export of it, and one of them, `WebSocket`, loads all of
 * Node's `fetch`: 40 ms of processor time at each start of a server or a command. `require` reads none of them.
 */
export const HTTP_BY_REQUIRE = {
  name: 'http-by-require',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'http-by-require' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'http-by-require' }, () => ({
      contents: `module.exports = require('node:http');`,
    }));
  },
};
