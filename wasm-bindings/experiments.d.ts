// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  gradientReach(options: any): any;
  drawVectors(options: any): any;
  drawValues(options: any): any;
  attentionMap(options: any): any;
  multiHeadShapes(options: any): any;
  scalingExperiment(options: any): any;
  scoreStatistics(options: any): any;
  quantiles(options: any): any;
  softmaxWayBack(options: any): any;
  drawnScores(options: any): any;
  onlineSoftmax(options: any): any;
  attentionCosts(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
