import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../entities/paths.ts'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { scheduleQueries, useUpdateSchedule } from './schedule-queries.ts'
import { toScheduleBody, toScheduleValues } from './schedule-values.ts'
import { schedulesMessages, workflowCrumb } from './schedule-words.ts'

export function ScheduleEditPage() {
  const id = useRecordId()
  const query = useQuery(scheduleQueries.edit(id))
  useThingName(query.data?.name, {
    part: 'Edit',
    within: query.data && workflowCrumb(query.data),
  })
  const update = useUpdateSchedule(id)
  return (
    <Page
      title={`Edit ${query.data?.name ?? ''}`.trim()}
      {...(query.data ? { subtitle: `Schedule of ${query.data.workflow.name}` } : {})}
    >
      <FormLoader
        query={query}
        failureText={schedulesMessages.notLoaded}
        thing={{ thing: 'schedule', id }}
      >
        {(schedule) => (
          <ScheduleForm
            initialValues={toScheduleValues(schedule)}
            save={(values) =>
              update(toScheduleBody(values, schedule.workflow.id, schedule.version))
            }
            texts={{ ...schedulesMessages, saved: schedulesMessages.updated }}
            submitLabel="Save schedule"
            cancelPath={paths.schedule(id)}
            scheduleId={id}
          />
        )}
      </FormLoader>
    </Page>
  )
}
