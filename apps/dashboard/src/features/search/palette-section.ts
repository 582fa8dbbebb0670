import type { ReactNode } from 'react'

/** Something that the palette leads to. */
export interface PaletteItem {
  key: string
  address: string
  content: ReactNode
}

/** Items of one kind, with a title above. */
export interface PaletteSection {
  title: string
  items: readonly PaletteItem[]
}
