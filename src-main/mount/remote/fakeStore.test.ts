import { createFakeStore } from './fakeStore.ts';
import { storeContract } from './storeContract.ts';

storeContract('a store in memory', async () => createFakeStore());
