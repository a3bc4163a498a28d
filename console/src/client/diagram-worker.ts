/// <reference lib="dom" />
import type { Diagram } from '../diagram/diagram.js';
import { layOut, type Layouter, type ShownColumns } from '../diagram/layout.js';

/** Where the page's files have dagre: a worker has no names for packages. */
const dagre = '../dagre.js';

addEventListener(
  'message',
  ({ data }: MessageEvent<{ readonly id: number; readonly diagram: Diagram; readonly shown: ShownColumns }>) => {
    const answer = async (): Promise<void> => {
      const layouter = (await import(dagre)) as Layouter;
      postMessage({ id: data.id, layout: layOut(data.diagram, layouter, data.shown) });
    };
    answer().catch((error: unknown) => {
      postMessage({ id: data.id, error: String(error) });
    });
  },
);
