import { Paper } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import { Loading } from './loading.tsx'
import { RetryNotice } from './notice.tsx'

interface QueryLoaderProps<Data> {
  query: UseQueryResult<Data>
  failureText: string
  children: (data: Data) => ReactNode
}

/** Loading, then the content or an error text. A failed refresh keeps the content. */
export function QueryLoader<Data>({ query, failureText, children }: QueryLoaderProps<Data>) {
  const { data } = query
  if (data !== undefined) return children(data)
  if (!query.isError) return <Loading />
  return (
    <Paper withBorder>
      <RetryNotice
        title={failureText}
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    </Paper>
  )
}
