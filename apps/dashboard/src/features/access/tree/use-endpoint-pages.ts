import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accessQueries } from '../access-queries.ts'
import type { EndpointChoice } from '../endpoint-edit.ts'
import { pageKey, pagesOf, type TreeRow } from './tree-rows.ts'

/** As many as a call gives. */
const pageSize = 100

/** The endpoints of the lines in sight, as far as they are loaded; and why some can't be. */
export function useEndpointPages(roleId: number, search: string, lines: readonly TreeRow[]) {
  const pages = useMemo(() => pagesOf(lines, pageSize), [lines])
  const answers = useQueries({
    queries: pages.map(({ api, page }) =>
      accessQueries.endpointsOfApi(roleId, { api_id: api, page, limit: pageSize, search }),
    ),
  })
  const loaded = new Map(
    pages.map(({ api, page }, at) => [pageKey(api, page), answers[at]?.data?.endpoints]),
  )
  return {
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    endpointOf: ({ api, at }: TreeRow): EndpointChoice | undefined => {
      if (at === undefined) return undefined
      return loaded.get(pageKey(api.id, Math.floor(at / pageSize) + 1))?.[at % pageSize]
    },
  }
}
