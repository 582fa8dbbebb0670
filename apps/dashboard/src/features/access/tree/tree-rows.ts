import type { Answer } from '../../../lib/calls/call.ts'

export type TreeApi = Answer<'GET /api/api-permission/:id/apis'>['apis'][number]

/** A line of the tree: an API, or one of its endpoints by its place. */
export interface TreeRow {
  api: TreeApi
  /** Of the API among all. */
  apiAt: number
  /** Of the endpoint among those of its API that are found; undefined: the API itself. */
  at?: number
  isOpen: boolean
}

/** As many endpoints are shown without being asked for. */
const openMax = 60

/** Whether APIs show their endpoints until the user says otherwise: all that a search finds, and what is short. */
export const isOpenAtFirst = (apis: readonly TreeApi[], search: string): boolean =>
  search !== '' || apis.reduce((sum, { found_count }) => sum + found_count, 0) <= openMax

/** The lines of a tree whose APIs are open, or closed, apart from those that the user has turned over. */
export function treeRows(
  apis: readonly TreeApi[],
  isOpenFirst: boolean,
  turned: ReadonlySet<number>,
): TreeRow[] {
  const rows: TreeRow[] = []
  for (const [apiAt, api] of apis.entries()) {
    const isOpen = turned.has(api.id) !== isOpenFirst
    rows.push({ api, apiAt, isOpen })
    if (isOpen) for (let at = 0; at < api.found_count; at++) rows.push({ api, apiAt, at, isOpen })
  }
  return rows
}

/** Where a key leads from a line, or undefined: it does something else. */
export function nextLine(
  rows: readonly TreeRow[],
  from: number,
  key: string,
  pageLines: number,
): number | undefined {
  const last = rows.length - 1
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + pageLines,
    PageUp: from - pageLines,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(last, target))
}

/** The pages of endpoints that lines need, each once. */
export function pagesOf(rows: readonly TreeRow[], pageSize: number) {
  const pages = new Map<string, { api: number; page: number }>()
  for (const { api, at } of rows) {
    if (at === undefined) continue
    const page = Math.floor(at / pageSize) + 1
    pages.set(pageKey(api.id, page), { api: api.id, page })
  }
  return [...pages.values()]
}

export const pageKey = (api: number, page: number) => `${api}:${page}`
