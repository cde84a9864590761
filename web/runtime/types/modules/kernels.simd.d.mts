export default Module;
declare function Module(moduleArg?: {}): Promise<any>;
