export { toDbml } from './dbml.js';
export { diagramOf, type Diagram } from './diagram.js';
export { layOut, type Layouter, type ShownColumns } from './layout.js';
export { toMermaid } from './mermaid.js';
export { toSvg } from './svg.js';
