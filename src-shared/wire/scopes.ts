/** Who may call what (rest-core 4). `none` marks routes open to everybody. */
export type Scope =
  | 'none'
  | 'notebook:read'
  | 'notebook:write'
  | 'notebook:execute'
  | 'admin:notebooks'
  | 'admin:notebook-workers'
  | 'admin:*';
