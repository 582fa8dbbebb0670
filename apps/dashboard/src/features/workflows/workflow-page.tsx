import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { BatchList } from './batches/batch-list.tsx'
import { CallbackPanel } from './hooks/callback-panel.tsx'
import { CallPanel } from './call-panel.tsx'
import { FindRunPanel } from './find-run-panel.tsx'
import { HookPanel } from './hooks/hook-panel.tsx'
import type { Workflow } from './read-workflow.ts'
import { ScheduleList } from './schedules/schedule-list.tsx'
import { SendByHand } from './send-by-hand.tsx'
import { WorkflowBadge } from './workflow-list-page.tsx'
import { workflowQueries } from './workflow-queries.ts'
import { WorkflowRuns } from './workflow-runs.tsx'
import { WorkflowVersions } from './workflow-versions.tsx'
import { workflowKindWords, workflowsMessages } from './workflows-messages.ts'

/** One workflow: what it is, how it is called, `children` about access to it, its runs and its versions. */
export function WorkflowPage({ children }: { children?: ReactNode }) {
  const id = useRecordId()
  const can = useCan()
  const query = useQuery(workflowQueries.one(id))
  const workflow = query.data
  useThingName(workflow?.name)
  return (
    <Page
      title={workflow?.name ?? 'Workflow'}
      {...(workflow && workflow.description !== '' ? { subtitle: workflow.description } : {})}
      actions={
        can('workflow.edit') && (
          <Button component={Link} to={paths.workflowEdit(id)} variant="default">
            Edit workflow
          </Button>
        )
      }
    >
      <QueryLoader query={query} failureText={workflowsMessages.notLoaded}>
        {(shown) => <Content workflow={shown}>{children}</Content>}
      </QueryLoader>
    </Page>
  )
}

function Content({ workflow, children }: { workflow: Workflow; children: ReactNode }) {
  const can = useCan()
  return (
    <Stack gap="md">
      {workflow.status === 'paused' && (
        <Alert color="orange" role="note" title="This workflow is paused">
          New runs are refused. Runs that were taken are carried out.
        </Alert>
      )}
      <FormCard title="What it is">
        <Facts facts={factsOf(workflow)} />
        <Steps workflow={workflow} />
      </FormCard>
      <Disclosure
        title="Call it"
        note="curl, Node, PHP and C#, with a personal token."
        anchor="call-it"
      >
        <CallPanel workflow={workflow} />
      </Disclosure>
      <BatchList workflow={workflow} />
      <ScheduleList workflowId={workflow.id} />
      {can('workflow.run') && <SendByHand workflow={workflow} />}
      {children}
      <HookPanel workflowId={workflow.id} />
      <CallbackPanel workflow={workflow} />
      {can('run.view') && <WorkflowRuns id={workflow.id} />}
      <FindRunPanel slug={workflow.slug} />
      <Disclosure title="Versions" note={`Version ${workflow.version} is in force.`}>
        <WorkflowVersions workflow={workflow} />
      </Disclosure>
    </Stack>
  )
}

function factsOf(workflow: Workflow) {
  const { lane, lane_shared_with, reference_path, order_key_path } = workflow
  const shared = lane_shared_with.map(({ name }) => name).join(', ')
  const versionWords = `${workflow.version}, by ${workflow.updated_by}`
  return [
    ['Status', <WorkflowBadge key="status" status={workflow.status} />],
    ['Kind', workflowKindWords[workflow.kind]],
    ['Version', versionWords],
    ['Saved', <Moment key="saved" at={workflow.updated_at} isRelative />],
    ['Lane', shared === '' ? lane.name : `${lane.name}, shared with ${shared}`],
    [
      'Reference',
      reference_path === '' ? <>none</> : <code key="reference">{reference_path}</code>,
    ],
    ['Order key', order_key_path === '' ? <>none</> : <code key="order">{order_key_path}</code>],
  ] as const
}

function Steps({ workflow }: { workflow: Workflow }) {
  const byId = new Map(workflow.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  return (
    <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Steps">
      {workflow.steps.map(({ endpoint_id, condition }, at) => {
        const endpoint = byId.get(endpoint_id)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a step is known by its place
          <Group component="li" key={at} gap="xs">
            <Text size="sm" fw={600}>
              {at + 1}.
            </Text>
            {endpoint ? (
              <>
                <MethodBadge method={endpoint.method_type} />
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {endpoint.summery}
                </Text>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {endpoint.path} · {endpoint.api.name}
                </Text>
              </>
            ) : (
              <Text size="sm" c="var(--mantine-color-error)">
                This endpoint was deleted.
              </Text>
            )}
            {condition && (
              <Text size="xs" c="dimmed">
                only under a condition
              </Text>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}
