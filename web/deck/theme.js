/** Light, dark, or as the system has it; the choice is kept on this machine. */

const STORED = 'attn-theme';
export const THEMES = ['auto', 'light', 'dark'];
const NAMES = { auto: 'as the system', light: 'light', dark: 'dark' };

export const currentTheme = () => document.documentElement.dataset.theme ?? 'auto';
export const themeName = (theme) => NAMES[theme];

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
  if (key !== STORED) return;
  if (newValue === 'light' || newValue === 'dark')
    document.documentElement.dataset.theme = newValue;
  else delete document.documentElement.dataset.theme;
});
