// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  gradientReach(options: any): any;
  sinusoidalPositions(options: any): any;
  alibiSlopes(options: any): any;
  positionSchemes(options: any): any;
  rotaryClocks(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
