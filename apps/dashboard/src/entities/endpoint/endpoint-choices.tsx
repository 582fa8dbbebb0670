import { Anchor, Paper, Text } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCan } from '../../lib/session.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryLoader } from '../../ui/query-loader.tsx'

interface EndpointChoicesProps {
  query: UseQueryResult<EndpointOption[]>
  /** The specification's text for choices that cannot be loaded. */
  failureText: string
  children: (choices: EndpointOption[]) => ReactNode
}

/**
 * Loads the endpoints that a form chooses from, then shows the form. The form and what was typed stay
 * when a refresh finds no endpoints.
 */
export function EndpointChoices({ query, failureText, children }: EndpointChoicesProps) {
  const [isBegun, setIsBegun] = useState(false)
  if (!isBegun && query.data !== undefined && query.data.length > 0) setIsBegun(true)
  return (
    <QueryLoader query={query} failureText={failureText}>
      {(choices) => (isBegun ? children(choices) : <NoChoices />)}
    </QueryLoader>
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
