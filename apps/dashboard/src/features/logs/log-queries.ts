import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { callFile } from '../../lib/calls/call-bodies.ts'
import { saveFile } from '../../lib/browser/save-file.ts'
import type { LogParams } from './log-params.ts'

const followEveryMs = 2_000
/** While the server still reads a large file. */
const askAgainMs = 500

export const logQueries = {
  page: ({ file, page, level, search, entry, isFollowing }: LogParams) => {
    // Page 1 is the server's default: selecting a file sends its name alone (spec: calls).
    const query = {
      ...(file === undefined ? {} : { l: file }),
      ...(entry === undefined ? {} : { entry }),
      ...(entry === undefined && page > 1 ? { page } : {}),
      ...(level === '' ? {} : { level }),
      ...(search === '' ? {} : { search }),
    }
    return queryOptions({
      queryKey: ['logs', query] as const,
      queryFn: ({ signal, client, queryKey }) => {
        const follow = client.getQueryData(queryKey) === undefined ? {} : { follow: true }
        return call('GET /api/logs', { query: { ...query, ...follow }, signal })
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => {
        if (state.data?.reading) return askAgainMs
        return isFollowing && state.status !== 'error' ? followEveryMs : false
      },
    })
  },
}

/**
 * The server wants the browser to say that this page leads to a file, and over plain HTTP browsers say so to
 * loopback only. Elsewhere the file has to be fetched.
 */
export const canGoToDownload = (): boolean => window.isSecureContext !== false

export async function fetchLogFile(file: string): Promise<void> {
  const key = 'GET /api/logs/download'
  const content = await callFile(key, 'application/octet-stream', { query: { file } })
  saveFile(file.slice(file.lastIndexOf('/') + 1), content)
}

/** The address that the browser downloads from. */
export function downloadAddress(file: string): string {
  return `/api/logs/download?${new URLSearchParams({ file }).toString()}`
}
