// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  openTokenizer(options: any): any;
  closeTokenizer(options: any): any;
  vocabulary(options: any): any;
  saveVocabulary(options: any): any;
  encode(options: any): any;
  decode(options: any): any;
  offsets(options: any): any;
  replay(options: any): any;
  measure(options: any): any;
  idsInList(options: any): any;
  openTrainer(options: any): any;
  train(options: any): any;
  trainerState(options: any): any;
  trainedTokenizer(options: any): any;
  closeTrainer(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
