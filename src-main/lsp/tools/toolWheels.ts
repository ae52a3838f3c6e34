/** The Python language server and the type stubs it reads, pinned by hash for every platform. */
const TY_VERSION = '0.0.107';
const STUBS_VERSION = '3.1.0.261029';

const TY_HASHES: readonly string[] = [
  'sha256:1fe5917b9ed2b4e500610cafb90f4a84ba936cf83eb3e2b8a9e44449b59b77cb',
  'sha256:2e8fc59467d57762b4b171b597092ba7ebb91071b6dffda8ca3be393cebd437a',
  'sha256:2eafaffdeb80484831e2c16e3cec3e1e45176c88cb08a82395138cc6a7695aa9',
  'sha256:39dfc6a2ce0b1df3e53a518e92cd331f30c11355e44f55df9096581437be1e24',
  'sha256:40b4c00666db9bcfe112b320522192ae598c0982f3c7270ce62eb313ffabb373',
  'sha256:4d9f968afebb4e25239383029600073bbcdd2e82a1a7d3ff438d1ae8efd662c1',
  'sha256:6693dfa209355f0257a904f65eb6a37e50633af5bad9d304291956d84084c15e',
  'sha256:6f4169889ecb5ee42e15227c6b6f978c6638548c9929cb19f76022afef903361',
  'sha256:714447884645175ce96f566063fd31539960832423f748af5a4c3b5c817f0604',
  'sha256:8ffa6cad4f057f45a7f68605622b16ed18fcb5a817ea1a1130ad689d0ec69c82',
  'sha256:9733e57559906229a897ed2834b7175013455c6b800aa3c029b15876fa11a75e',
  'sha256:bc37c53103d447c8a4d2eba6f746f9ded12c8aea66bd8c03d7039a976069aad4',
  'sha256:c5f4eb4ea3c84ab755dafb7d09abee8d6fbd582db5371d858443f0c85e72dcd3',
  'sha256:dcf2567fe5ed95f21bf3e3fcc5de68a4b570a8b0e6029b3a57b8098e784b90d1',
  'sha256:e792277547cd55f5e75208665da705825f0af627397aa7abb169d5ad994277ca',
  'sha256:e9b5e292a0b39105e1068ff176f355eb645b45d9f6aa91765ca739069ed13c12',
  'sha256:f915ce2277bcb914c36134d8142ff7c209e0fe43647055a28df5001bdf1b173b',
  'sha256:fe0aedb5047ac9e5fc2812e4ba36778efd2e5187c9056acf65bd67e85fa83418',
];

const STUBS_HASHES: readonly string[] = [
  'sha256:70f631f2d0781c4500b1cd5f84cab7d7279a3d114674d69655536a4a99a3a67f',
  'sha256:dcfb5b14d399beae72cce558db6d2a0d89c10301275557f1c00d5393e9cb190e',
];

/** Lines of a requirements file: only an archive with one of these hashes is accepted. */
export const TOOL_REQUIREMENTS: readonly string[] = [
  [`ty==${TY_VERSION}`, ...TY_HASHES.map((hash) => `--hash=${hash}`)].join(' '),
  [`pandas-stubs==${STUBS_VERSION}`, ...STUBS_HASHES.map((hash) => `--hash=${hash}`)].join(' '),
];

/** The folder name for exactly these two versions. */
export const TOOLS_NAME = `language-tools-${TY_VERSION}-${STUBS_VERSION}`;
