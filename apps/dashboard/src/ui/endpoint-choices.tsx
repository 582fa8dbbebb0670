import { Anchor, Paper, Text } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../lib/call-error.ts'
import { paths } from '../lib/paths.ts'
import { useCan } from '../lib/session.tsx'
import { Loading } from './loading.tsx'
import { Notice, RetryNotice } from './notice.tsx'

interface EndpointChoicesProps {
  query: UseQueryResult<EndpointOption[]>
  /** The spec's text for choices that cannot be loaded. */
  failureText: string
  children: (choices: EndpointOption[]) => ReactNode
}

/** Loads the endpoints that a form chooses from, and shows the form once they are there. */
export function EndpointChoices({ query, failureText, children }: EndpointChoicesProps) {
  const { data } = query
  if (data !== undefined) return data.length === 0 ? <NoChoices /> : children(data)
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

function NoChoices() {
  const can = useCan()
  return (
    <Paper withBorder>
      <Notice title="No endpoint to choose from yet">
        <Text size="sm" c="dimmed" maw={480}>
          Here you find the active endpoints of active APIs that one of your roles has access to.
          Create an endpoint, or ask an administrator for access to one.
        </Text>
        {can('endpoint.create') && (
          <Anchor component={Link} to={paths.endpointCreate} size="sm">
            Create an endpoint
          </Anchor>
        )}
      </Notice>
    </Paper>
  )
}
