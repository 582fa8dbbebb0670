import { Anchor, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { messageOf } from '../../lib/call-error.ts'
import { paths } from '../../lib/paths.ts'
import { useCan } from '../../lib/session.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice, RetryNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { BuildRequestForm } from './build-request-form.tsx'
import { buildRequestMessages } from './build-request-messages.ts'
import { buildRequestQueries } from './build-request-queries.ts'

/** Fetch from one endpoint, map the data, send it to another (spec §2 "Build Request"). */
export function BuildRequestPage() {
  const query = useQuery(buildRequestQueries.choices())
  return (
    <Page
      title="Build Request"
      subtitle="Fetch from one endpoint, map the data, and send it to another."
    >
      {query.data === undefined && query.isError && (
        <Paper withBorder>
          <RetryNotice
            title={buildRequestMessages.choicesNotLoaded}
            reason={messageOf(query.error)}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Paper>
      )}
      {query.isPending && <Loading />}
      {query.data?.length === 0 && <NoChoices />}
      {query.data !== undefined && query.data.length > 0 && (
        <BuildRequestForm choices={query.data} />
      )}
    </Page>
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
