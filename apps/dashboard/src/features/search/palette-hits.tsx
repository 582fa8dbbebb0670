import type { SearchGroup } from '@gatehouse/contract'
import type { PaletteSection } from './palette-section.ts'
import { SearchHitText } from './search-hit-text.tsx'
import { addressOf, kindTitles } from './search-words.ts'

/** What the search found, by kind. */
export const hitSections = (groups: readonly SearchGroup[]): PaletteSection[] =>
  groups.map(({ kind, hits, total, has_more }) => ({
    title: `${kindTitles[kind]} · ${total.toLocaleString()}${has_more ? '+' : ''}`,
    items: hits.map((hit) => ({
      key: `${kind} ${hit.id}`,
      address: addressOf(hit),
      content: <SearchHitText hit={hit} />,
    })),
  }))
