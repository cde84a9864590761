// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  readRecording(options: any): any;
  findPatterns(options: any): any;
  findPairs(options: any): any;
  firstTokenShare(options: any): any;
  readMap(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
