import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { Page } from '../../../ui/page/page.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import { workflowQueries } from '../workflow-queries.ts'
import { workflowsMessages } from '../workflows-messages.ts'
import { SendFile } from './send-file.tsx'

/** A file is chosen, checked, and sent: each of its rows becomes a run (spec: batches). */
export function BatchCreatePage() {
  const id = useRecordId()
  const query = useQuery(workflowQueries.one(id))
  const name = query.data?.name
  useThingName(name, { part: 'Send a file' })
  return (
    <Page
      title="Send a file"
      subtitle={name === undefined ? undefined : `Each row becomes a run of ${name}.`}
    >
      <QueryLoader query={query} failureText={workflowsMessages.notLoaded}>
        {(workflow) =>
          workflow.status === 'paused' ? (
            <Alert color="orange" role="note" title="This workflow is paused">
              New runs are refused. Files can be sent once the workflow is active again.
            </Alert>
          ) : (
            <SendFile workflow={workflow} />
          )
        }
      </QueryLoader>
    </Page>
  )
}
