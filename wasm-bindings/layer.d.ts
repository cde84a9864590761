// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  influence(options: any): any;
  maskedSoftmax(options: any): any;
  maskEffect(options: any): any;
  trainAttention(options: any): any;
  sinusoidalPositions(options: any): any;
  alibiSlopes(options: any): any;
  positionSchemes(options: any): any;
  rotaryClocks(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
