export { load } from "./loader.js";
export { AttentionDeckError, errorCodes } from "./errors.js";
