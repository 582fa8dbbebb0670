import { createContext, useContext } from 'react'

/** An entry of the sidebar: what a screen is called there, and who may see it. */
export interface ShownEntry {
  label: string
  /** Undefined: beside the groups. */
  group: string | undefined
  /** `session`: every user who is signed in. */
  permission: string
}

/** The entries of the sidebar, in their order. The shell knows them. */
export const MenuEntries = createContext<readonly ShownEntry[]>([])

export const useMenuEntries = () => useContext(MenuEntries)
