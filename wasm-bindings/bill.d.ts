// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  numberFormats(options: any): any;
  publishedModels(options: any): any;
  accelerators(options: any): any;
  withScheme(options: any): any;
  bill(options: any): any;
  schemeBills(options: any): any;
  billSeries(options: any): any;
  withKvHeads(options: any): any;
  promptGrowth(options: any): any;
  fillCache(options: any): any;
  byteUnits(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
