// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  numberFormats(options: any): any;
  publishedModels(options: any): any;
  accelerators(options: any): any;
  readModel(options: any): any;
  withScheme(options: any): any;
  bill(options: any): any;
  schemeBills(options: any): any;
  billSeries(options: any): any;
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
  openDecodeRun(options: any): any;
  stepDecodeRun(options: any): any;
  decodeRunState(options: any): any;
  closeDecodeRun(options: any): any;
  withKvHeads(options: any): any;
  promptGrowth(options: any): any;
  tokenPasses(options: any): any;
  byteUnits(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
