import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Bundles `plain-scroll-area.tsx` for the library's own tables and selects. They all import its `ScrollArea`,
 * whether they use it or not. Screens that ask for one get the library's.
 */
export function plainScrollAreas(): Plugin {
  const plain = fileURLToPath(new URL('plain-scroll-area.tsx', import.meta.url))
  return {
    name: 'plain-scroll-areas',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/ScrollArea\/ScrollArea\.mjs$/ },
      handler: (_, importer) => (importer?.includes('/core/esm/components/') ? plain : null),
    },
  }
}
