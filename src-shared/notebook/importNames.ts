/** Tables of Python import names whose package has another name, for suggestions to install a missing package. */

/** Import names whose package has another name, exactly as the wire defines them (docs/spec/harness.md, 3). */
export const PACKAGE_OF: Readonly<Record<string, string>> = {
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

/**
 * More import names whose package has another name, for the window only: the index has another project, or none, under
 * the import name.
 */
export const WINDOW_PACKAGES: Readonly<Record<string, string>> = {
  Bio: 'biopython',
  Crypto: 'pycryptodome',
  MySQLdb: 'mysqlclient',
  OpenSSL: 'pyopenssl',
  Xlib: 'python-xlib',
  allel: 'scikit-allel',
  antlr4: 'antlr4-python3-runtime',
  community: 'python-louvain',
  distutils: 'setuptools',
  docx: 'python-docx',
  ee: 'earthengine-api',
  faiss: 'faiss-cpu',
  fitz: 'pymupdf',
  git: 'gitpython',
  github: 'pygithub',
  imblearn: 'imbalanced-learn',
  jwt: 'pyjwt',
  kafka: 'kafka-python',
  ldap: 'python-ldap',
  magic: 'python-magic',
  memcache: 'python-memcached',
  mpl_toolkits: 'matplotlib',
  multipart: 'python-multipart',
  osgeo: 'gdal',
  pkg_resources: 'setuptools',
  pptx: 'python-pptx',
  psycopg: 'psycopg[binary]',
  psycopg2: 'psycopg2-binary',
  pwiz: 'peewee',
  pywintypes: 'pywin32',
  ruamel: 'ruamel.yaml',
  serial: 'pyserial',
  skimage: 'scikit-image',
  sklearn_extra: 'scikit-learn-extra',
  skopt: 'scikit-optimize',
  slugify: 'python-slugify',
  socks: 'pysocks',
  speech_recognition: 'SpeechRecognition',
  talib: 'ta-lib',
  telegram: 'python-telegram-bot',
  umap: 'umap-learn',
  usb: 'pyusb',
  websocket: 'websocket-client',
  win32api: 'pywin32',
  win32com: 'pywin32',
  zmq: 'pyzmq',
};

/**
 * Parts of Python that some installations lack: no package provides them, and packages with their names are
 * unrelated.
 */
export const MODULES_WITHOUT_PACKAGE: ReadonlySet<string> = new Set([
  '_bz2',
  '_ctypes',
  '_curses',
  '_lzma',
  '_sqlite3',
  '_ssl',
  '_tkinter',
  'asyncore',
  'cgi',
  'crypt',
  'curses',
  'imp',
  'lib2to3',
  'msvcrt',
  'nis',
  'ossaudiodev',
  'pipes',
  'readline',
  'smtpd',
  'spwd',
  'telnetlib',
  'tkinter',
  'turtle',
  'winreg',
]);
