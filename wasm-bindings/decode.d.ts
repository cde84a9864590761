// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  openDecodeRun(options: any): any;
  stepDecodeRun(options: any): any;
  decodeRunState(options: any): any;
  closeDecodeRun(options: any): any;
  tokenPasses(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
