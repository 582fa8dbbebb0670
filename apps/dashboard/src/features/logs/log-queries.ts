import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import type { LogParams } from './log-params.ts'

const followEveryMs = 2_000
/** While the server still reads a large file. */
const askAgainMs = 500

export const logQueries = {
  page: ({ file, page, level, search, entry, isFollowing }: LogParams) => {
    const query = {
      ...(file === undefined ? {} : { l: file }),
      ...(entry === undefined ? { page } : { entry }),
      ...(level === '' ? {} : { level }),
      ...(search === '' ? {} : { search }),
    }
    return queryOptions({
      queryKey: ['logs', query] as const,
      queryFn: ({ signal, client, queryKey }) => {
        const isSeen = client.getQueryData(queryKey) !== undefined
        return call('GET /api/logs', { query: { ...query, follow: isSeen }, signal })
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => {
        if (state.data?.reading) return askAgainMs
        return isFollowing && state.status !== 'error' ? followEveryMs : false
      },
    })
  },
}

/** Spec §7: the browser goes there by itself. */
export function downloadAddress(file: string): string {
  return `/api/logs/download?${new URLSearchParams({ file }).toString()}`
}
