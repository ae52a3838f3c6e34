/** Who may call what (document 2, Scopes). `none` marks routes open to everybody. */
export type Scope =
  | 'none'
  | 'notebook:read'
  | 'notebook:write'
  | 'notebook:execute'
  | 'admin:notebooks'
  | 'admin:notebook-workers'
  | 'admin:*';
