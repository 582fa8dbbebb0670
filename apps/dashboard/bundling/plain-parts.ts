import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface PlainPart {
  /** What the library imports, as it writes it. */
  source: RegExp
  /** The files that get ours. All others, ours among them, get the library's. */
  importer: RegExp
  ours: string
}

const parts: PlainPart[] = [
  // Tables and selects import it whether they use it or not.
  {
    source: /\/ScrollArea\/ScrollArea\.mjs$/,
    importer: /\/core\/esm\/components\//,
    ours: 'plain-scroll-area.tsx',
  },
  // No popover opens by a right click or shows an arrow.
  {
    source: /\/PopoverContextMenu\.mjs$|\/FloatingArrow\.mjs$/,
    importer: /\/core\/esm\/components\//,
    ours: 'plain-popover.ts',
  },
  // For applications that the router's own server draws.
  {
    source: /^\.(?:\/dom)?\/ssr\/components\.js$/,
    importer: /\/react-router\/dist\/\w+\/lib\//,
    ours: 'plain-prefetch.ts',
  },
  {
    source: /^\.\/instrumentation\.js$/,
    importer: /\/react-router\/dist\/\w+\/lib\/router\/router\.js$/,
    ours: 'plain-instrumentation.ts',
  },
]

/** Bundles parts of ours for those of libraries that every screen would load and none uses. */
export function plainParts(): Plugin {
  return {
    name: 'plain-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: parts.map(({ source }) => source) },
      handler: (id, importer = '') => {
        const part = parts.find((each) => each.source.test(id) && each.importer.test(importer))
        return part ? fileURLToPath(new URL(part.ours, import.meta.url)) : null
      },
    },
  }
}
