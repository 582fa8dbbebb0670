import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import type { GatewayRequestPage } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import type { RequestQuery } from './request-filter.ts'

const followEveryMs = 2_000
/** So many new ones are asked for at once; of more than these the newest are shown. */
const newMax = 100
/** A list that following has made longer than this is loaded again from its first page. */
const followedMax = 500

type Pages = InfiniteData<GatewayRequestPage>

const listQuery = (query: RequestQuery) =>
  infiniteQueryOptions({
    queryKey: ['gateway-requests', 'list', query] as const,
    queryFn: ({ signal, pageParam }) => {
      const page = pageParam === undefined ? {} : { older: pageParam }
      return call('GET /api/gateway-requests', { query: { ...query, ...page }, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.older,
    // Following adds what is new; fetched again, each page would be another.
    staleTime: Infinity,
  })

/** Requests, the newest first, page after page. While `isFollowing`, new ones come on top each two seconds. */
export function useRequests(query: RequestQuery, isFollowing: boolean) {
  const client = useQueryClient()
  const options = listQuery(query)
  const list = useInfiniteQuery(options)
  const follow = useQuery({
    queryKey: ['gateway-requests', 'follow', query],
    queryFn: async ({ signal }) => {
      const first = client.getQueryData(options.queryKey)?.pages[0]
      if (first === undefined) return 0
      const isLong = first.rows.length > followedMax
      const place = isLong ? {} : { since: first.newest, limit: newMax }
      const answer = await call('GET /api/gateway-requests', {
        query: { ...query, ...place, follow: true },
        signal,
      })
      client.setQueryData(options.queryKey, (pages) => pages && withNew(pages, answer, isLong))
      return answer.rows.length
    },
    enabled: isFollowing && list.isSuccess,
    refetchInterval: followEveryMs,
    staleTime: 0,
    gcTime: 0,
  })
  return { list, follow }
}

/** `isAnew`: the answer takes the place of all pages, as it does where some of what is new did not fit in. */
export function withNew(pages: Pages, answer: GatewayRequestPage, isAnew: boolean): Pages {
  const [first, ...others] = pages.pages
  if (first === undefined || isAnew || answer.older !== null)
    return { pages: [answer], pageParams: [undefined] }
  if (answer.rows.length === 0 && first.newest === answer.newest) return pages
  const merged = { ...first, rows: [...answer.rows, ...first.rows], newest: answer.newest }
  return { ...pages, pages: [merged, ...others] }
}
