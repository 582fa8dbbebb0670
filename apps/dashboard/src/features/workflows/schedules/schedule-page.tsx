import { Alert, Anchor, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ScheduleFiring, ScheduleRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { cronWords } from '../../../entities/schedule/cron-words.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Facts } from '../../../ui/text/facts.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import { RecordList } from '../../../ui/table/record-list.tsx'
import { FiringBadge } from './firing-badge.tsx'
import { scheduleQueries } from './schedule-queries.ts'
import { ScheduleVerbs } from './schedule-verbs.tsx'
import { firingWords, schedulesMessages, workflowCrumb } from './schedule-words.ts'

/** One schedule: when it fires, what it starts, and what became of each moment. */
export function SchedulePage() {
  const query = useQuery(scheduleQueries.one(useRecordId()))
  const schedule = query.data
  useThingName(schedule?.name, { within: schedule && workflowCrumb(schedule) })
  return (
    <Page
      title={schedule?.name ?? 'Schedule'}
      {...(schedule
        ? {
            subtitle: (
              <>
                Schedule of{' '}
                <Anchor
                  component={Link}
                  to={paths.workflow(schedule.workflow.id)}
                  inherit
                  underline="always"
                >
                  {schedule.workflow.name}
                </Anchor>
              </>
            ),
          }
        : {})}
      actions={
        schedule && (
          <Group gap="sm">
            <ScheduleVerbs schedule={schedule} />
          </Group>
        )
      }
    >
      <QueryLoader query={query} failureText={schedulesMessages.notLoaded}>
        {(shown) => <Content schedule={shown} />}
      </QueryLoader>
    </Page>
  )
}

function Content({ schedule }: { schedule: ScheduleRecord }) {
  const last = schedule.last_firing
  const isBad = last && (last.state === 'refused' || last.state === 'failed')
  return (
    <Stack gap="lg">
      {isBad && (
        <Alert color="red" role="note" title="The last time it did not do what it should">
          {last.message}
        </Alert>
      )}
      <FormCard title={`${cronWords(schedule.cron)}, ${schedule.time_zone}`}>
        <Facts facts={factsOf(schedule)} />
        {schedule.start === 'input' && (
          <Code block mah={200} style={{ overflow: 'auto' }}>
            {schedule.input}
          </Code>
        )}
      </FormCard>
      <Firings schedule={schedule} />
    </Stack>
  )
}

function factsOf({ is_active, next_run_at, cron, catches_up, user, list }: ScheduleRecord) {
  const next =
    next_run_at === null ? (
      is_active ? (
        <>never</>
      ) : (
        <>paused</>
      )
    ) : (
      <Moment at={next_run_at} isRelative />
    )
  return [
    ['Next', next],
    ['Cron', <Code key="cron">{cron}</Code>],
    ['After a downtime', catches_up ? 'fires once' : 'what was missed is left out'],
    ['On behalf of', user.name],
    ...(list
      ? ([
          ['Starts', 'a run for each new element of a list'],
          [
            'Watermark',
            list.watermark ? <Code key="mark">{list.watermark.value}</Code> : <>none</>,
          ],
        ] as const)
      : ([['Starts', 'one run with this input']] as const)),
  ] as const
}

function Firings({ schedule }: { schedule: ScheduleRecord }) {
  const can = useCan()
  return (
    <section aria-labelledby="firings">
      <Title order={3} id="firings" mb="sm">
        Firings
      </Title>
      <RecordList
        id="firings"
        caption="Firings"
        searchLabel="Search by message or date"
        list={scheduleQueries.firings(schedule.id)}
        columns={columnsOf(schedule.id, can('run.view'))}
        empty={{ title: 'It has not fired yet', hint: 'Its next moment is above.' }}
      />
    </section>
  )
}

const columnsOf = (scheduleId: number, canSee: boolean): Column<ScheduleFiring, 'id'>[] => [
  {
    head: 'Planned for',
    isName: true,
    sort: 'id',
    width: '13rem',
    cell: (row) => (
      <>
        <Moment at={row.planned_for} />
        {row.is_by_hand && (
          <Text size="xs" c="dimmed">
            by hand
          </Text>
        )}
      </>
    ),
  },
  { head: 'State', width: '8rem', cell: (row) => <FiringBadge state={row.state} /> },
  {
    head: 'Runs',
    width: '14rem',
    cell: (row) =>
      canSee && row.started > 0 ? (
        <Anchor
          component={Link}
          to={`${paths.runs}?search=schedule-${scheduleId}-${row.id}`}
          size="sm"
        >
          {firingWords(row)}
        </Anchor>
      ) : (
        firingWords(row)
      ),
  },
  {
    head: 'Message',
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {serverWords(row.message ?? '')}
      </Text>
    ),
  },
]
