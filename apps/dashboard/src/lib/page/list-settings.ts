import { useState } from 'react'
import { readObject, toObject } from '../browser/kept-json.ts'
import { useUser } from '../session/session.tsx'

/** The first is the specification's (spec: limits); the last is the most that the server sends. */
export const pageSizes = [10, 25, 50, 100] as const
export type PageSize = (typeof pageSizes)[number]

/** How a user wants a list to look. Kept in this browser, apart for each user and list. */
interface ListSettings {
  pageSize: PageSize
  /** By key: columns that are shown or hidden against their default. */
  columns: Record<string, boolean>
}

/** `list` is the id of the list, which is the same on every screen that shows it and in every language. */
export function useListSettings(list: string) {
  const key = `gatehouse-list.${useUser().id}.${list}`
  const [settings, setSettings] = useState(() => read(key))
  function change(changes: Partial<ListSettings>) {
    const next = { ...settings, ...changes }
    setSettings(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Where nothing can be stored it holds until the list is left.
    }
  }
  return { ...settings, change }
}

function read(key: string): ListSettings {
  const kept = readObject(localStorage.getItem(key))
  return {
    pageSize: pageSizes.find((size) => size === kept['pageSize']) ?? pageSizes[0],
    columns: Object.fromEntries(
      Object.entries(toObject(kept['columns'])).filter(
        (column): column is [string, boolean] => typeof column[1] === 'boolean',
      ),
    ),
  }
}
