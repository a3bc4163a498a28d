/** Pictures of pages, with at most 256 colours: a third of the bytes, and hardly a visible difference. */
/* global btoa, createImageBitmap, OffscreenCanvas */
import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';

/**
 * A PNG with a palette: the most frequent colours stay, each other becomes its nearest.
 * Source of the format: https://www.w3.org/TR/png-3/
 * @param browser decodes the picture
 */
export async function smallPng(browser, png) {
  const { width, height, pixels } = await decode(browser, png);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one)).slice(0, 256);
  const places = new Map([...counts.keys()].map((pixel) => [pixel, nearest(palette, pixel)]));
  const lines = Buffer.alloc(height * (width + 1));
  for (let at = 0; at < pixels.length; at += 1)
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(pixels[at]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for a pixel, which is an index of the palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Red, green and blue of a pixel whose bytes are RGBA, read as a number of the machine's order. */
const partsOf = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];

function nearest(palette, pixel) {
  const parts = partsOf(pixel);
  const distances = palette.map((each) => partsOf(each).reduce((sum, part, at) => sum + (part - parts[at]) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}

async function decode(browser, png) {
  const page = await browser.newPage();
  const { width, height, bytes } = await page.evaluate(
    async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let text = '';
      for (let at = 0; at < data.length; at += 8_192) text += String.fromCharCode(...data.subarray(at, at + 8_192));
      return { width: image.width, height: image.height, bytes: btoa(text) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  const decoded = Buffer.from(bytes, 'base64');
  // A copy: the bytes of a Buffer may begin anywhere.
  return { width, height, pixels: new Uint32Array(new Uint8Array(decoded).buffer) };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}
