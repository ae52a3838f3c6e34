/** The scopes of routes (rest-core 4). `none` marks routes open to all clients. */
export type Scope =
  | 'none'
  | 'notebook:read'
  | 'notebook:write'
  | 'notebook:execute'
  | 'admin:notebooks'
  | 'admin:notebook-workers'
  | 'admin:*';
