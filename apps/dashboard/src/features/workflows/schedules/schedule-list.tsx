import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ScheduleRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { cronWords } from '../../../entities/schedule/cron-words.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import classes from '../workflow-page.module.css'
import { FiringBadge } from './firing-badge.tsx'
import { scheduleQueries, schedulesShown } from './schedule-queries.ts'
import { schedulesMessages } from './schedule-words.ts'

/** The schedules of a workflow, each with its last and its next run (spec: triggers). */
export function ScheduleList({ workflowId }: { workflowId: number }) {
  const can = useCan()
  const query = useQuery(scheduleQueries.ofWorkflow(workflowId))
  return (
    <FormCard title="Schedules" description="Times at which this workflow starts without anyone.">
      <QueryLoader query={query} failureText={schedulesMessages.listNotLoaded} isInCard>
        {([{ data, total }]) => (
          <>
            {data.length === 0 ? (
              <Text size="sm" c="dimmed">
                No schedules yet. One starts a run with a fixed input, or a run for each new element
                of a list of your ERP.
              </Text>
            ) : (
              <ul className={classes['rows']} aria-label="Schedules">
                {data.map((schedule) => (
                  <ScheduleRow key={schedule.id} schedule={schedule} />
                ))}
              </ul>
            )}
            {total > schedulesShown && (
              <Text size="sm" c="dimmed">
                The first {schedulesShown} of {total}.
              </Text>
            )}
          </>
        )}
      </QueryLoader>
      {can('workflow.edit') && (
        <Group>
          <Button
            component={Link}
            to={paths.scheduleCreate(workflowId)}
            variant="light"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            New schedule
          </Button>
        </Group>
      )}
    </FormCard>
  )
}

export function ScheduleRow({ schedule }: { schedule: ScheduleRecord }) {
  const { id, name, cron, time_zone, is_active, next_run_at, last_firing } = schedule
  return (
    <Group component="li" justify="space-between" gap="xs" py={6}>
      <Stack gap={0} style={{ flex: '1 1 14rem', minWidth: 0 }}>
        <Anchor
          component={Link}
          to={paths.schedule(id)}
          size="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {cronWords(cron)}, {time_zone}
        </Text>
      </Stack>
      <Stack gap={2} align="flex-end">
        <Group gap={6}>
          {last_firing && <FiringBadge state={last_firing.state} />}
          {!is_active && (
            <Badge component="span" color="gray" variant="light" miw="max-content">
              Paused
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {last_firing && (
            <>
              Last <Moment at={last_firing.planned_for} isRelative />
              {next_run_at !== null && ' · '}
            </>
          )}
          {next_run_at !== null && (
            <>
              Next <Moment at={next_run_at} isRelative />
            </>
          )}
        </Text>
      </Stack>
    </Group>
  )
}
