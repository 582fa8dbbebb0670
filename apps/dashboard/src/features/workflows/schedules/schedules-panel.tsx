import { useQuery } from '@tanstack/react-query'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import classes from '../workflow-page.module.css'
import { ScheduleRow } from './schedule-list.tsx'
import { scheduleQueries } from './schedule-queries.ts'
import { schedulesMessages } from './schedule-words.ts'

const shown = 6

/** On the dashboard's home: the schedules that start next, with what their last start did. */
export function SchedulesPanel() {
  const query = useQuery(scheduleQueries.next())
  if (query.data?.[0].data.length === 0) return null
  return (
    <Panel id="schedules" title="Schedules" subtitle="Those that start next.">
      <QueryLoader query={query} failureText={schedulesMessages.listNotLoaded}>
        {([page]) => (
          <ul className={classes['rows']} aria-label="Schedules">
            {page.data
              .toSorted((one, other) => timeOf(one.next_run_at) - timeOf(other.next_run_at))
              .slice(0, shown)
              .map((schedule) => (
                <ScheduleRow key={schedule.id} schedule={schedule} />
              ))}
          </ul>
        )}
      </QueryLoader>
    </Panel>
  )
}

/** Paused ones come last. */
const timeOf = (at: string | null) => (at === null ? Infinity : Date.parse(at))
