export { load } from "./loader.js";
export { checkReading } from "./check-reading.js";
export { AttentionDeckError, errorCodes } from "./errors.js";
