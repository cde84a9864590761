// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  loadGguf(options: any): any;
  loadSafetensors(options: any): any;
  shardNames(options: any): any;
  loadingState(options: any): any;
  giveBytes(options: any): any;
  finishModel(options: any): any;
  closeLoading(options: any): any;
  encodeText(options: any): any;
  decodeIds(options: any): any;
  takeTokens(options: any): any;
  takePrompt(options: any): any;
  candidateTokens(options: any): any;
  nextToken(options: any): any;
  evictTokens(options: any): any;
  rollBackModel(options: any): any;
  resetModel(options: any): any;
  modelState(options: any): any;
  closeModel(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
