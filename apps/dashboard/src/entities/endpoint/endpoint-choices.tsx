import { Anchor, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { choiceQueries, ChoiceSourceProvider, type ChoiceSource } from './choice-source.tsx'

interface EndpointChoicesProps {
  source: ChoiceSource
  /** The specification's text for choices that cannot be loaded. */
  failureText: string
  children: ReactNode
}

/**
 * Loads the first endpoints that a form chooses from, then shows the form. The form and what was typed stay
 * when a refresh finds no endpoints.
 */
export function EndpointChoices({ source, failureText, children }: EndpointChoicesProps) {
  const query = useQuery(choiceQueries.list(source, '', false))
  const [isBegun, setIsBegun] = useState(false)
  if (!isBegun && query.data !== undefined && query.data.length > 0) setIsBegun(true)
  return (
    <ChoiceSourceProvider value={source}>
      <QueryLoader query={query} failureText={failureText}>
        {() => (isBegun ? children : <NoChoices />)}
      </QueryLoader>
    </ChoiceSourceProvider>
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
