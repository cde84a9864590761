import { define } from '../../shared/simulator.js';
import { AttnHeadGallery } from './head-gallery.element.js';

define('attn-head-gallery', AttnHeadGallery);

export { AttnHeadGallery };
