/**
 * What JupyterLab and JupyterLite do with the outputs of a notebook that was run: their own renderer puts the HTML into the page,
 * and their own command registry hears every key, with the shortcuts of @jupyterlab/notebook-extension for the arrows.
 * The frame around it is rebuilt: the whole application is 70 MB.
 */
import { renderHTML } from '@jupyterlab/rendermime/lib/renderers';
import { CommandRegistry } from '@lumino/commands';

const SELECTOR = '.jp-Notebook.jp-mod-commandMode:not(.jp-mod-readWrite) :focus';
const SHORTCUTS = {
  ArrowDown: 'notebook:move-cursor-down',
  ArrowUp: 'notebook:move-cursor-up',
  ArrowLeft: 'notebook:move-cursor-heading-above-or-collapse',
  ArrowRight: 'notebook:move-cursor-heading-below-or-expand',
};

globalThis.commandsRun = [];
const commands = new CommandRegistry();
for (const [key, command] of Object.entries(SHORTCUTS)) {
  commands.addCommand(command, { execute: () => globalThis.commandsRun.push(command) });
  commands.addKeyBinding({ command, keys: [key], selector: SELECTOR });
}
// Both start with bubblingKeydown: true, so the registry hears keys in the bubbling phase.
document.addEventListener('keydown', (event) => commands.processKeydownEvent(event));

const notebook = document.querySelector('.jp-Notebook');
const { cells } = await (await fetch('query.ipynb')).json();
for (const cell of cells) {
  const box = document.createElement('div');
  box.className = 'jp-Cell jp-CodeCell jp-Notebook-cell';
  box.tabIndex = 0;
  notebook.append(box);
  for (const { data } of cell.outputs ?? []) {
    const host = document.createElement('div');
    host.className = 'jp-RenderedHTMLCommon jp-RenderedHTML jp-OutputArea-output';
    box.append(host);
    await renderHTML({
      host,
      source: [data['text/html']].flat().join(''),
      trusted: true,
      sanitizer: null,
      resolver: null,
      linkHandler: null,
      shouldTypeset: false,
      latexTypesetter: null,
    });
  }
}
