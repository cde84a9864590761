// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  recall(options: any): any;
  answerPattern(options: any): any;
  answerCurves(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
