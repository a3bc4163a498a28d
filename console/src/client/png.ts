/// <reference lib="dom" />
import type { Layout } from '../diagram/layout.js';
import { saveBlob } from './dom.js';

/** Pixels of the longer side that every browser draws. */
const longest = 8_192;

/** Saves an SVG picture as PNG, with twice as many pixels where they fit. */
export function savePng(file: string, svg: string, { width, height }: Pick<Layout, 'width' | 'height'>): void {
  const scale = Math.min(2, longest / Math.max(width, height));
  const image = new Image();
  image.addEventListener('load', () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      if (blob !== null) saveBlob(file, blob);
    });
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
