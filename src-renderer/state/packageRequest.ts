/** Requests to change the notebook's packages, which open a dialog that previews the change. */

/** A requested change of the packages. */
export type PackageRequest =
  /** All of them are added in one job. */
  | { readonly kind: 'add'; readonly requirements: readonly string[] }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'python'; readonly minor: string }
  /** Replaces all current requirements by these. */
  | { readonly kind: 'import'; readonly requirements: readonly string[] };

/** A file that may contain a list of packages. */
export interface PackageListFile {
  readonly name: string;
  readonly text: string;
}

/** The package change whose dialog is open. */
export type OpenPackageRequest =
  /** `rerun`: the cell to run again after the change. */
  | { readonly kind: 'request'; readonly request: PackageRequest; readonly rerun: string | null }
  | { readonly kind: 'file'; readonly file: PackageListFile };
