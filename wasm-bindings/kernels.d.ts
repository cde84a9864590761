// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  backends(options: any): any;
  backendCosts(options: any): any;
  noteWebgpuCost(options: any): any;
  quickestBackend(options: any): any;
  openTensor(options: any): any;
  writeTensor(options: any): any;
  readTensor(options: any): any;
  closeTensor(options: any): any;
  peak(options: any): any;
  attention(options: any): any;
  attentionBackward(options: any): any;
  attentionNaive(options: any): any;
  linearAttention(options: any): any;
  selectiveScan(options: any): any;
  blockSparse(options: any): any;
  webgpuOpen(options: any): any;
  webgpuAttention(options: any): any;
  webgpuMatmul(options: any): any;
  webgpuClose(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
