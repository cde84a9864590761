export type { MainModule } from '../raw.js';
