import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../entities/paths.ts'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { Workflow } from '../read-workflow.ts'
import { workflowQueries } from '../workflow-queries.ts'
import { workflowsMessages } from '../workflows-messages.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { useCreateSchedule } from './schedule-queries.ts'
import { newScheduleValues, toScheduleBody } from './schedule-values.ts'
import { schedulesMessages } from './schedule-words.ts'

/** A new schedule of a workflow, with the sample of the workflow as its input. */
export function ScheduleCreatePage() {
  const query = useQuery(workflowQueries.one(useRecordId()))
  useThingName(query.data?.name, { part: 'New schedule' })
  return (
    <Page title="New schedule" {...(query.data ? { subtitle: `For ${query.data.name}` } : {})}>
      <FormLoader query={query} failureText={workflowsMessages.notLoaded}>
        {(workflow) => <NewForm workflow={workflow} />}
      </FormLoader>
    </Page>
  )
}

function NewForm({ workflow }: { workflow: Workflow }) {
  const create = useCreateSchedule()
  const [initialValues] = useState(() =>
    newScheduleValues(workflow.sampleText, workflow.reference_path),
  )
  return (
    <ScheduleForm
      initialValues={initialValues}
      save={(values) => create(toScheduleBody(values, workflow.id))}
      texts={{ ...schedulesMessages, saved: schedulesMessages.created }}
      submitLabel="Create schedule"
      cancelPath={paths.workflow(workflow.id)}
    />
  )
}
