import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { Notice } from '../../../ui/page/notice.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { CallbackPage } from './callback-page.tsx'
import { HookForm } from './hook-form.tsx'
import { hookQueries } from './hook-queries.ts'
import { OrNewSecret } from './new-secret.tsx'
import { workflowQueries } from '../workflow-queries.ts'
import { hookMessages, workflowsMessages } from '../workflows-messages.ts'

/** By which messages a workflow is started, or where it sends them: a webhook, a new one, or the callback. */
export function MessagesPage() {
  const { of } = useParams()
  if (of === 'callback') return <CallbackPage />
  return of === 'new' ? <NewHook /> : <StoredHook />
}

function NewHook() {
  const workflowId = useRecordId()
  const query = useQuery(workflowQueries.one(workflowId))
  const [secret, setSecret] = useState<string>()
  useThingName(query.data?.name, { part: 'New webhook' })
  return (
    <Page title="New webhook" {...(query.data ? { subtitle: `For ${query.data.name}` } : {})}>
      <OrNewSecret secret={secret} donePath={paths.workflow(workflowId)}>
        <FormLoader query={query} failureText={workflowsMessages.notLoaded}>
          {() => <HookForm workflowId={workflowId} onSecret={setSecret} />}
        </FormLoader>
      </OrNewSecret>
    </Page>
  )
}

function StoredHook() {
  const workflowId = useRecordId()
  const hookId = Number(useParams()['of'])
  const [secret, setSecret] = useState<string>()
  const workflow = useQuery(workflowQueries.one(workflowId)).data
  const query = useQuery({
    ...hookQueries.list(workflowId),
    select: (hooks) => hooks.find(({ id }) => id === hookId) ?? null,
  })
  useThingName(query.data?.name, {
    part: 'Edit',
    within: workflow && { name: workflow.name, to: paths.workflow(workflowId) },
  })
  return (
    <Page title="Edit webhook" {...(workflow ? { subtitle: `For ${workflow.name}` } : {})}>
      <OrNewSecret secret={secret} donePath={paths.workflow(workflowId)}>
        <FormLoader query={query} failureText={hookMessages.listNotLoaded}>
          {(hook) =>
            hook ? (
              <HookForm workflowId={workflowId} hook={hook} onSecret={setSecret} />
            ) : (
              <Notice title="This webhook does not exist." />
            )
          }
        </FormLoader>
      </OrNewSecret>
    </Page>
  )
}
