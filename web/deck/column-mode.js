/** The column: every slide below the one before, nothing scaled, the page scrolls as pages do. */

/** The slide that crosses this line of the window, from the top, is the one being read. */
const READING_LINE = '-30% 0px -69.5% 0px';

/**
 * @param {object} options
 * @param {{section: HTMLElement}[]} options.slides
 * @param {number} options.start
 * @param {(index: number) => void} options.onChange
 */
export function startColumn({ slides, start, onChange }) {
  let current = start;
  const arrive = (index) => {
    current = index;
    onChange(index);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.filter(({ isIntersecting }) => isIntersecting).at(-1);
      if (entered) arrive(slides.findIndex(({ section }) => section === entered.target));
    },
    { rootMargin: READING_LINE },
  );
  for (const { section } of slides) observer.observe(section);

  const go = (index) => {
    const slide = slides[index];
    if (!slide) return;
    slide.section.scrollIntoView({ block: 'start', behavior: 'instant' });
    arrive(index);
  };
  // At the top of the lecture there is nowhere to go, and the title would be scrolled out of sight.
  if (start > 0) go(start);

  return {
    go,
    next: () => go(current + 1),
    previous: () => go(current - 1),
    stop: () => observer.disconnect(),
  };
}
