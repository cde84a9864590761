/** The page that runs a real model: its sections, and what is drawn of them. */
import { html, nothing, render } from 'lit';
import '../deck/page.css';
import '../deck/theme.js';
import './model/model.css';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { App } from './model/app.js';

await ready;

const place = document.getElementById('model');
const app = new App(() => render(view(), place));

function view() {
  const { bringing, sections, about } = app;
  return html`${bringing.view()} ${about ? sections.map((section) => section.view()) : nothing}`;
}

document.documentElement.classList.add('live');
keepOffline();
await app.start();
