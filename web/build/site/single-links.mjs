/**
 * Links of the site's pages to the single files, each with the file's size. The files are made of the pages, so a page is written
 * with the place of a link, hidden, and what is in the place is settled when the files are there:
 *
 *     <p data-single="lecture.html" hidden><a href="lecture.html" download>…</a> (<data value="">?</data>)</p>
 */
const PLACE =
  /(<(\w+)\b[^<>]*?\sdata-single="([\w-]+\.html)"[^<>]*?)(?:\shidden)?(>(?:(?!data-single=)[^])*?)<data value="\d*"\s*>[^<]*<\/data\s*>/g;

/**
 * @param {string} html a page
 * @param {(file: string) => number | undefined} bytesOf a single file by its name; undefined where it was not made
 * @param {(bytes: number) => string} format a size in words, in the page's language
 */
export const fillSingleLinks = (html, bytesOf, format) =>
  html.replace(PLACE, (_, start, tag, file, inner) => {
    const bytes = bytesOf(file);
    return bytes === undefined
      ? `${start} hidden${inner}<data value="">?</data>`
      : `${start}${inner}<data value="${bytes}">${format(bytes)}</data>`;
  });
