import { Paper } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import { Loading } from './loading.tsx'
import { RetryNotice } from './notice.tsx'

interface FormLoaderProps<Data> {
  query: UseQueryResult<Data>
  /** The spec's text for a form whose record cannot be loaded. */
  failureText: string
  children: (data: Data) => ReactNode
}

/** Loading, then the form or an error text (spec §4). Loaded anew, it is a fresh form. */
export function FormLoader<Data>({ query, failureText, children }: FormLoaderProps<Data>) {
  if (query.isPending) return <Loading />
  if (query.isError) {
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
  return <Fragment key={query.dataUpdatedAt}>{children(query.data)}</Fragment>
}
