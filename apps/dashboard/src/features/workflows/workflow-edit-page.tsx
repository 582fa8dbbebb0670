import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { WorkflowForm } from './editor/workflow-form.tsx'
import { toWorkflowBody, toWorkflowValues } from './workflow-form-values.ts'
import { useUpdateWorkflow, workflowQueries } from './workflow-queries.ts'
import { workflowsMessages } from './workflows-messages.ts'

/** Each save makes a version; runs that were taken keep theirs. */
export function WorkflowEditPage() {
  const id = useRecordId()
  const query = useQuery(workflowQueries.edit(id))
  const update = useUpdateWorkflow(id)
  const workflow = query.data?.workflow
  useThingName(workflow?.name, { part: 'Edit' })
  return (
    <Page
      title={`Edit ${workflow?.name ?? ''}`.trim()}
      {...(workflow ? { subtitle: `Version ${workflow.version}. A save makes the next one.` } : {})}
    >
      <FormLoader
        query={query}
        failureText={workflowsMessages.notLoaded}
        thing={{ thing: 'workflow', id }}
      >
        {({ workflow, choices }) => (
          <WorkflowForm
            initialValues={toWorkflowValues(workflow)}
            choices={choices}
            save={(values) => update(toWorkflowBody(values, workflow.version))}
            submitLabel="Save workflow"
            texts={{ ...workflowsMessages, saved: workflowsMessages.updated }}
            cancelPath={paths.workflow(id)}
            workflow={workflow}
          />
        )}
      </FormLoader>
    </Page>
  )
}
