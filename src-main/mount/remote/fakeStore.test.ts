import { createFakeStore } from './testing/fakeStore.ts';
import { storeContract } from './testing/storeContract.ts';

storeContract('a store in memory', async () => createFakeStore());
