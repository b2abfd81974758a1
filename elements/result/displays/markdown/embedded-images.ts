import {
  imageAddress,
  type NoteImages,
  noteImageName,
  replaceHtmlImages,
} from '@tiding/client/model';

/** Puts images of the note into the HTML of its Markdown. */
export const withImages = (html: string, images: NoteImages): string =>
  replaceHtmlImages(html, (address) => {
    const name = noteImageName(address);
    const data = name !== undefined && Object.hasOwn(images, name) ? images[name] : undefined;
    return data === undefined ? undefined : imageAddress(name!, data);
  });
