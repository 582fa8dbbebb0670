import { useState } from 'react'
import { readObject, toObject } from './kept-json.ts'
import { useUser } from './session.tsx'

/** The first is the specification's (spec: limits); the last is the most that the server sends. */
export const pageSizes = [10, 25, 50, 100] as const
export type PageSize = (typeof pageSizes)[number]

/** How a user wants a list to look. Kept in this browser, apart for each user and list. */
interface ListSettings {
  pageSize: PageSize
  /** By key: columns that are shown or hidden against their default. */
  columns: Record<string, boolean>
}

/** As the list is drawn now. What an earlier release kept is under these texts, in the language of then. */
interface Drawn {
  caption: string
  columns: readonly { head: string; key: string }[]
}

/** `list` is the id of the list, which is the same on every screen that shows it and in every language. */
export function useListSettings(list: string, drawn: Drawn) {
  const prefix = `gatehouse-list.${useUser().id}.`
  const [settings, setSettings] = useState(
    () => read(prefix + list) ?? withKeys(read(prefix + drawn.caption), drawn) ?? byDefault,
  )
  function change(changes: Partial<ListSettings>) {
    const next = { ...settings, ...changes }
    setSettings(next)
    try {
      localStorage.setItem(prefix + list, JSON.stringify(next))
      localStorage.removeItem(prefix + drawn.caption)
    } catch {
      // Where nothing can be stored it holds until the list is left.
    }
  }
  return { ...settings, change }
}

const byDefault: ListSettings = { pageSize: pageSizes[0], columns: {} }

function read(key: string): ListSettings | undefined {
  const text = localStorage.getItem(key)
  if (text === null) return undefined
  const kept = readObject(text)
  return {
    pageSize: pageSizes.find((size) => size === kept['pageSize']) ?? byDefault.pageSize,
    columns: Object.fromEntries(
      Object.entries(toObject(kept['columns'])).filter(
        (column): column is [string, boolean] => typeof column[1] === 'boolean',
      ),
    ),
  }
}

/** Settings whose columns are named by their heads. */
function withKeys(kept: ListSettings | undefined, { columns }: Drawn): ListSettings | undefined {
  if (!kept) return undefined
  const chosen = columns.flatMap(({ head, key }) => {
    const isShown = kept.columns[head]
    return isShown === undefined ? [] : [[key, isShown] as const]
  })
  return { ...kept, columns: Object.fromEntries(chosen) }
}
