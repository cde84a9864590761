// Written by Embind from the bindings of this name; a test compares.
// After a change there: npm run types
export interface MainModule {
  readModel(options: any): any;
  readVocabulary(options: any): any;
  writeVocabulary(options: any): any;
}
export default function MainModuleFactory(options?: unknown): Promise<MainModule>;
