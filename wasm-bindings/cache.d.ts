// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  openCache(options: any): any;
  closeCache(options: any): any;
  cacheStats(options: any): any;
  openSequence(options: any): any;
  closeSequence(options: any): any;
  sequenceStats(options: any): any;
  appendTokens(options: any): any;
  attendCache(options: any): any;
  readRows(options: any): any;
  rollBack(options: any): any;
  forkSequence(options: any): any;
  evictTokens(options: any): any;
  storedRows(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
