/** Light, dark, or as the system has it; the choice is kept on this machine. */

import { msg } from '../shared/language.js';

const STORED = 'attn-theme';
export const THEMES = ['auto', 'light', 'dark'];
const NAMES = {
  auto: () => msg('Colours: as the system'),
  light: () => msg('Colours: light'),
  dark: () => msg('Colours: dark'),
};

export const currentTheme = () => document.documentElement.dataset.theme ?? 'auto';
/** What a theme's button says. */
export const themeName = (theme) => NAMES[theme]();

export function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'auto') localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, theme);
  } catch {
    // It then holds for this visit.
  }
}

/** Another window of the lecture, the speaker's for one, changes with this one. */
addEventListener('storage', ({ key, newValue }) => {
  // What the address says holds for as long as it says so.
  if (key !== STORED || new URLSearchParams(location.search).has('theme')) return;
  if (newValue === 'light' || newValue === 'dark')
    document.documentElement.dataset.theme = newValue;
  else delete document.documentElement.dataset.theme;
});
