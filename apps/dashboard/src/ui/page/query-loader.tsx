import { Paper } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Loading } from './loading.tsx'
import { RetryNotice } from './notice.tsx'

interface QueryLoaderProps<Data> {
  query: UseQueryResult<Data>
  failureText: string
  /** In a card, which has a frame. */
  isInCard?: boolean
  children: (data: Data) => ReactNode
}

/** Loading, then the content or an error text. A failed refresh keeps the content. */
export function QueryLoader<Data>({
  query,
  failureText,
  isInCard = false,
  children,
}: QueryLoaderProps<Data>) {
  const { data } = query
  if (data !== undefined) return children(data)
  if (!query.isError) return <Loading />
  const notice = (
    <RetryNotice
      title={failureText}
      reason={messageOf(query.error)}
      isRetrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
  return isInCard ? notice : <Paper withBorder>{notice}</Paper>
}
