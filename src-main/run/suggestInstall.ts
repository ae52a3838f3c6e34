/** Import names whose package is called something else (semantics 6.3). */
const PACKAGE_OF: Readonly<Record<string, string>> = {
  cv2: 'opencv-python',
  PIL: 'Pillow',
  sklearn: 'scikit-learn',
  yaml: 'pyyaml',
  bs4: 'beautifulsoup4',
  attr: 'attrs',
  dateutil: 'python-dateutil',
  jose: 'python-jose',
  dotenv: 'python-dotenv',
  gi: 'pygobject',
};

const MISSING = /No module named '([^']+)'/;
/** R quotes as its locale does. */
const MISSING_IN_R = /there is no package called ['‘]([^'’]+)['’]/;

/** The package that would bring a missing module or R package, or null when the error is about something else. */
export function suggestInstall(error: string): string | null {
  const inR = MISSING_IN_R.exec(error)?.[1];
  if (inR !== undefined) return inR;
  const module = MISSING.exec(error)?.[1]?.split('.')[0];
  return module === undefined ? null : (PACKAGE_OF[module] ?? module);
}
