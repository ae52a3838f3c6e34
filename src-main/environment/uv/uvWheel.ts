/** The uv that Cellar downloads when the machine has none: its wheel, pinned by hash for every platform. */
export const UV_VERSION = '0.13.8';

const HASHES: readonly string[] = [
  'sha256:0b3e8b1a4f5e405e31e2ff33de8af4744831e9f7338539671efbd8c3c94e791d',
  'sha256:0ec33661a14e38dea8dfb18167d2a4a5c7fe3d476c62dd8eb6acf5f378727201',
  'sha256:13050c64530a1ccfc223af0306a8152d41c0d36ea63bc19161221ca65dfe480a',
  'sha256:29451c60f5e8b07403e0a175d5229efc36b0289b34143ff4aaa499a5dd52553a',
  'sha256:5337c30bb893b4f9ce0ceb921ba2da0d13f649da644f40ad3bef84083bef0203',
  'sha256:55c0b405e75dea1d1c53efc9a8e0725f4031be0e219ec2a08b15d78ece9a616a',
  'sha256:5ace7ec339798aca31be51a75fa7c1544fe84e02fadd17a9fa3324813bbaf237',
  'sha256:62b6943c7fd64fac6854f780bea6e0359e5a5bc3241f83ee357bb38276afac49',
  'sha256:63d807451e63c8d21b1b33c945af16438ac9d8ffddc59b31ce69c692135891f5',
  'sha256:6999618363d03a0a085a9491db319e00b461dbda205db06ef1fd55dfcbf6472b',
  'sha256:86f1319f851e645bc295bb921e6be19beae7e69216c75ae809010ca7817393aa',
  'sha256:87614f62b09e3571593ffe01bf2e1dccb8df928a8423324dba80c6d0e33060eb',
  'sha256:9cf0b7b12f13da6ab1c85694ab618d97a2bbd0c904cdea7f0172fb1dd768b9d5',
  'sha256:b26fe533dc6153787e40443b7d9428ed41349127bff36a954ec82c48be01ded9',
  'sha256:b4184029b1b7c54409b9cd4372c73a36ef9c2d1d7cf3b0aca59c8b1932f041dc',
  'sha256:b7124ca1956ec2e476a1003ea5715a15f0266afaec37f4dc9c6972ba8183e6d1',
  'sha256:bfcaada3989c7716ad4b58673cd1413fad4fdc6b2e446f9553db0ef18da20850',
  'sha256:cfbc13020a64cdf2f116d2936824c38edbf41e5c07f1ea291baf02e31ebf3ed0',
  'sha256:e18a57b8b352eb7c8feb317b9f6f533c8f0ad9673fd6cf34bbe3cf1a9f6a8984',
];

/** A line of a requirements file: pip only accepts an archive with one of these hashes. */
export const UV_REQUIREMENT = [`uv==${UV_VERSION}`, ...HASHES.map((hash) => `--hash=${hash}`)].join(' ');
