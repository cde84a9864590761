// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  gradientReach(options: any): any;
  drawVectors(options: any): any;
  attentionMap(options: any): any;
  influence(options: any): any;
  multiHeadShapes(options: any): any;
  maskedSoftmax(options: any): any;
  maskEffect(options: any): any;
  trainAttention(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
