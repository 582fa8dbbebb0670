import { Alert, Stack, Text, Title } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { RetryNotice } from '../../ui/page/notice.tsx'
import { accessQueries, type AccessSubject } from './access-queries.ts'
import { ofCaller, ofEndpoint, ofWorkflow } from './filter-verdicts.ts'
import { VerdictList } from './verdict-list.tsx'

/** "Who can call this?", for an endpoint's screen. */
export function CallersPanel({ endpointId }: { endpointId: number }) {
  if (!useCan()('api-permission.view')) return null
  return (
    <Disclosure title="Who can call this?" anchor="callers">
      <Callers endpointId={endpointId} />
    </Disclosure>
  )
}

/** "Who can run this?", for a workflow's screen. */
export function RunnersPanel({ workflowId }: { workflowId: number }) {
  if (!useCan()('api-permission.view')) return null
  return (
    <Disclosure title="Who can run this?">
      <Runners workflowId={workflowId} />
    </Disclosure>
  )
}

interface SubjectProps {
  subject: AccessSubject
  id: number
}

/** "What can this role call, and why?", for the screen of a role or a user. */
export function CallablePanel({ subject, id }: SubjectProps) {
  if (!useCan()('api-permission.view')) return null
  return (
    <Disclosure title={`What can this ${subject} call, and why?`}>
      <Callable subject={subject} id={id} />
    </Disclosure>
  )
}

/** Every user, allowed or not to call the endpoint, with what says so. */
export function Callers({ endpointId }: { endpointId: number }) {
  const query = useQuery(accessQueries.whoCanCall(endpointId))
  return (
    <Loaded query={query}>
      {({ is_guarded, callers }) => (
        <>
          {!is_guarded && (
            <Alert color="orange" mb="sm" title="The gateway asks for no token here">
              Authentication is off for this endpoint and its API, so anyone who reaches the gateway
              can call it. The list below is about requests sent from this dashboard.
            </Alert>
          )}
          <VerdictList searchLabel="Search callers" verdicts={callers.map(ofCaller)} />
        </>
      )}
    </Loaded>
  )
}

function Runners({ workflowId }: { workflowId: number }) {
  const query = useQuery(accessQueries.whoCanRun(workflowId))
  return (
    <Loaded query={query}>
      {({ callers }) => <VerdictList searchLabel="Search users" verdicts={callers.map(ofCaller)} />}
    </Loaded>
  )
}

/** Every endpoint and workflow, allowed or not, with what says so. */
export function Callable({ subject, id }: SubjectProps) {
  const query = useQuery(accessQueries.whatCanBeCalled(subject, id))
  return (
    <Loaded query={query}>
      {({ endpoints, workflows }) => (
        <Stack gap="md">
          <Stack gap="xs">
            {workflows.length > 0 && <ListTitle text="Endpoints" />}
            {endpoints.length === 0 ? (
              <Text size="sm" c="dimmed">
                There is no endpoint yet.
              </Text>
            ) : (
              <VerdictList searchLabel="Search endpoints" verdicts={endpoints.map(ofEndpoint)} />
            )}
          </Stack>
          {workflows.length > 0 && (
            <Stack gap="xs">
              <ListTitle text="Workflows" />
              <VerdictList searchLabel="Search workflows" verdicts={workflows.map(ofWorkflow)} />
            </Stack>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

const ListTitle = ({ text }: { text: string }) => (
  <Title order={4} size="h5">
    {text}
  </Title>
)

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.isPending) return <Loading />
  if (query.isError) {
    return (
      <RetryNotice
        title="Access could not be worked out."
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return children(query.data)
}
