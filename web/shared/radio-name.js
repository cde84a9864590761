/**
 * The name of a radio button in a shadow tree, given back when the button goes: Chromium (156) keeps the buttons of a
 * named group for as long as their shadow root lives, gone ones with all that hangs on them. Buttons without a name
 * and those of a form are let go.
 */
import { AsyncDirective, directive } from 'lit/async-directive.js';

class RadioName extends AsyncDirective {
  #button;
  #name;

  render(name) {
    return name;
  }

  update({ element }, [name]) {
    this.#button = element;
    this.#name = name;
    return name;
  }

  /** Called before the button leaves the tree; also while the whole simulator is out of the page. */
  disconnected() {
    this.#button.name = '';
  }

  reconnected() {
    this.#button.name = this.#name;
  }
}

export const radioName = directive(RadioName);
